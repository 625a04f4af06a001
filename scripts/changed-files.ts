/** What a branch changes, and which integration tests are near it: the part of `npm test` that answers within a minute. */
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
