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

const serverFolder =
  /^apps\/server\/(?:src\/(?:features|protocols)\/(?<area>[^/]+)|test\/(?<folder>[^/]+))\//;
const journeyFolder =
  /^(?:apps\/(?:server|web)\/src\/(?:features|protocols)|e2e)\/(?<folder>[^/]+)\/|^e2e\/(?<file>[^/]+\.spec\.ts)$/;

/**
 * The folders of integration tests that bear the name of a changed part of the server. Every test that starts a server
 * depends on all of it, so the dependencies alone would select the whole project.
 */
export function integrationFolders(files: readonly string[]): string[] {
  const folders = files.map((file) => {
    const { area, folder } = serverFolder.exec(file)?.groups ?? {};
    return area ?? folder;
  });
  return [...new Set(folders.filter((name) => name !== undefined && name !== 'harness'))].map(
    (name) => `apps/server/test/${name}/`,
  );
}

/** The folders of journeys that bear the name of a changed feature, and changed journeys beside the folders, from `e2e/`. */
export function journeyFolders(files: readonly string[]): string[] {
  const locations = files.map((file) => {
    const { folder, file: journey } = journeyFolder.exec(file)?.groups ?? {};
    return folder === undefined ? journey : `${folder}/`;
  });
  return [...new Set(locations.filter((location) => location !== undefined))].filter(
    (location) => location !== 'harness/',
  );
}

/** What the tests of processes, backups, clusters and the simulation are about. */
const systemSources =
  /^(?:apps\/server\/(?:src\/(?:platform|features\/(?:trading|market|wallet))|src\/[^/]+\.ts$|test\/(?:platform|backup|cluster|long|simulation|harness))|packages\/domain\/|scripts\/)/;

/** Whether all tests of `system` concern the change, because processes, the engine or its rules have changed. */
export function concernsSystem(files: readonly string[]): boolean {
  return files.some((file) => systemSources.test(file));
}
