/** What a branch changes, and which tests are near it: they run beside the core of `npm test`, and alone in `test:changed`. */
import { execFileSync } from 'node:child_process';

export interface Changes {
  /** The commit that the branch started from. */
  readonly base: string;
  /** Paths from the root, deleted and untracked files included. */
  readonly files: readonly string[];
}

export const mainBranches = ['origin/main', 'main', 'origin/HEAD'] as const;

/** What has changed since the first of `branches` that exists. @throws Error when there is none. */
export function changesSince(root: string, branches: readonly string[]): Changes {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  const base = branches
    .map((main) => {
      try {
        return git('merge-base', 'HEAD', main);
      } catch {
        return '';
      }
    })
    .find((commit) => commit !== '');
  if (base === undefined) throw new Error(`no ${branches.join(' or ')} to compare with`);
  const lines = (text: string) => text.split('\n').filter((line) => line !== '');
  const changed = [
    ...lines(git('diff', '--name-only', base)),
    ...lines(git('ls-files', '--others', '--exclude-standard')),
  ];
  return { base, files: [...new Set(changed)].sort() };
}

/** Where the tests of a feature or protocol are, other than in a folder or journey of its name. */
const otherFolders: Readonly<Record<string, readonly string[]>> = {
  audit: ['identity', 'staff'],
  coach: ['analytics'],
  'contract-details': ['trading'],
  exports: ['staff'],
  files: ['storage'],
  hooks: ['signals'],
  identity: ['auth'],
  notifications: ['push', 'trading'],
  'order-book': ['trading'],
  projector: ['programs'],
  sockets: ['realtime'],
  static: ['public'],
};
const feature = /^apps\/(?<app>server|web)\/src\/(?:features|protocols)\/(?<name>[^/]+)\//;
const serverTest = /^apps\/server\/test\/(?!harness\/)(?<name>[^/]+)\//;
const journey = /^e2e\/(?!harness\/)(?<folder>[^/]+\/|[^/]+\.spec\.ts$)/;

const foldersOf = (name: string): string[] => [name, ...(otherFolders[name] ?? [])];

/**
 * The folders of integration tests that bear the name of a changed part of the server. Every test that starts a server
 * depends on all of it, so the dependencies alone would select the whole project.
 */
export function integrationFolders(files: readonly string[]): string[] {
  const names = files.flatMap((file) => {
    const { app, name } = feature.exec(file)?.groups ?? {};
    if (name !== undefined) return app === 'server' ? foldersOf(name) : [];
    return serverTest.exec(file)?.groups?.name ?? [];
  });
  return [...new Set(names)].map((name) => `apps/server/test/${name}/`);
}

/** Parts of paths below `e2e` of the journeys that bear the name of a changed feature, and of those that changed. */
export function journeyPaths(files: readonly string[]): string[] {
  const paths = files.flatMap((file) => {
    const { name } = feature.exec(file)?.groups ?? {};
    if (name !== undefined) return foldersOf(name).flatMap((folder) => [`${folder}/`, `/${folder}.spec`]);
    return journey.exec(file)?.groups?.folder ?? [];
  });
  return [...new Set(paths)];
}

/** What the tests of processes, backups, clusters and the simulation are about. */
const systemSources =
  /^(?:apps\/server\/(?:src\/(?:platform|features\/(?:trading|market|wallet|support))|src\/[^/]+\.ts$|test\/(?:platform|backup|cluster|long|simulation|support|harness))|packages\/domain\/|scripts\/)/;

/** Whether all tests of `system` concern the change, because processes, the engine or its rules have changed. */
export function concernsSystem(files: readonly string[]): boolean {
  return files.some((file) => systemSources.test(file));
}
