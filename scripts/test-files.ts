/** Which test files share their worker's modules, which do not, and which `npm run test:long` alone runs. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

export const unitFiles = [
  'packages/*/{src,test,scripts}/**/*.test.ts',
  'apps/server/src/**/*.test.ts',
  'apps/web/src/**/*.test.{ts,tsx}',
  'bench/**/*.test.ts',
  'scripts/**/*.test.ts',
];

/** What starts processes of its own, and what compares in volumes. */
export const systemFiles = [
  'apps/server/test/{platform,backup,long,simulation}/**/*.test.ts',
  'apps/server/test/support/{kill,storm}.test.ts',
];

/** Volumes as a whole: no requirement is proven here alone. The other volumes are small in `npm test` (TEST_VOLUME). */
export const longFiles: readonly string[] = [
  'apps/server/test/backup/interrupted-restore.test.ts',
  'apps/server/test/backup/large-table.test.ts',
  'apps/server/test/backup/last-check.test.ts',
  'apps/server/test/long/simulated-years.long.test.ts',
  'apps/server/test/platform/installation.test.ts',
  'apps/server/test/support/storm.test.ts',
];

const changesShared = /\bvi\.(?:do)?[mM]ock\(|\bspyOn\([\w.]+\.prototype\b|\bprocess\.env\.\w+ = /;

/**
 * The files among `patterns` that replace a module, spy on what all instances share, or change the environment. Each has
 * modules of its own, because the servers of an earlier file may still use the shared ones.
 */
export function filesOfOwnModules(patterns: readonly string[]): string[] {
  return globSync(patterns, { cwd: root, exclude: ['**/node_modules'] })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => changesShared.test(readFileSync(join(root, file), 'utf8')))
    .sort();
}
