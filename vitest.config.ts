/** Two projects: `unit` needs nothing; `integration` runs on a real PostgreSQL that its global setup starts. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          setupFiles: ['scripts/property-seed.ts'],
          include: [
            'packages/*/{src,test,scripts}/**/*.test.ts',
            'apps/server/src/**/*.test.ts',
            'apps/web/src/**/*.test.{ts,tsx}',
            'bench/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          // Properties over thousands of cases, on machines that other work shares.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'integration',
          setupFiles: ['scripts/property-seed.ts'],
          include: ['apps/server/test/**/*.test.ts'],
          globalSetup: ['apps/server/test/support/postgres.ts'],
          // Walks of thousands of requests, on machines that other work shares.
          testTimeout: 240_000,
          hookTimeout: 120_000,
          // For what never comes, as `eventually` has it.
          expect: { poll: { timeout: 60_000 } },
        },
      },
    ],
  },
});
