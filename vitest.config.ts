/**
 * `unit` needs nothing; `integration` and `system` run on a real PostgreSQL that their global setup starts. The files of
 * `unit` and `integration` share the modules of their worker, which saves a third of the time: a test leaves nothing
 * behind. What cannot hold to that runs apart (`unit-apart`, `integration-apart`, see `scripts/test-files.ts`).
 */
import { defineConfig } from 'vitest/config';
import { filesOfOwnModules, longFiles, systemFiles, unitFiles } from './scripts/test-files.ts';

const serverFiles = 'apps/server/test/**/*.test.ts';
const unitApart = filesOfOwnModules(unitFiles);
const integrationApart = filesOfOwnModules([serverFiles]);
const isLong = process.env.TEST_VOLUME === 'long';

const unit = {
  setupFiles: ['scripts/property-seed.ts'],
  // Properties over thousands of cases, on machines that other work shares.
  testTimeout: 30_000,
};
const onPostgres = {
  setupFiles: ['scripts/property-seed.ts'],
  globalSetup: ['apps/server/test/harness/postgres.ts'],
  // Walks of thousands of requests, on machines that other work shares.
  testTimeout: 240_000,
  hookTimeout: 120_000,
  // For what never comes, as `eventually` has it.
  expect: { poll: { timeout: 60_000 } },
};

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      { test: { ...unit, name: 'unit', isolate: false, include: unitFiles, exclude: unitApart } },
      { test: { ...unit, name: 'unit-apart', include: unitApart } },
      {
        test: {
          ...onPostgres,
          name: 'integration',
          isolate: false,
          include: [serverFiles],
          exclude: [...systemFiles, ...integrationApart],
        },
      },
      {
        test: { ...onPostgres, name: 'integration-apart', include: integrationApart, exclude: systemFiles },
      },
      {
        test: {
          ...onPostgres,
          name: 'system',
          include: systemFiles,
          exclude: isLong ? [] : [...longFiles],
        },
      },
    ],
  },
});
