/** Checks the programs of the embedded PostgreSQL that the lockfile installs. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { locatePackage, missingLinks } from '../../apps/server/src/platform/database/embedded/binaries.ts';
import type { Report } from './report.ts';

/** The major version, as in a cluster's PG_VERSION; throws a StartError when there is none for this platform. */
export function examinePrograms(report: Report): string {
  const { root, version } = locatePackage();
  const major = version.split('.', 1)[0] ?? version;
  const missing = missingLinks(root);
  if (missing.length > 0) {
    const line = `${missing.length} library links of PostgreSQL are missing (an install without scripts?)`;
    if (isWritable(join(root, 'native'))) report.hint(line, 'the next start makes them');
    else report.bad(line, `start once as the owner of ${root}`);
    return major;
  }
  const { status, stdout, stderr, error } = spawnSync(join(root, 'native/bin/postgres'), ['--version'], {
    env: {},
    encoding: 'utf8',
  });
  if (status === 0) report.good(`${stdout.trim()} of the npm package runs`);
  else report.bad(`PostgreSQL's program does not run: ${error?.message ?? stderr.trim()}`, 'run npm ci');
  return major;
}

function isWritable(dir: string): boolean {
  try {
    accessSync(dir, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
