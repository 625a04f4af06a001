import { defineConfig } from '@playwright/test';
import { chromiumFlags } from './harness/chromium.ts';

/** Three workers on two cores, each with a Chromium and real servers of its own, started by their fixture; a file is one worker's. */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  globalSetup: './support/setup.ts',
  outputDir: './test-results',
  fullyParallel: false,
  // Each waits a third of its time: two would leave cores idle.
  workers: 3,
  // A loaded machine of CI may be slow once; `npm test` reports a test that needs another try as flaky.
  retries: process.env.CI ? 2 : 0,
  // These limits detect that something never comes, not how fast it has to be: two cores, two browsers, two servers.
  timeout: 300_000,
  // Ends a run that is too slow for CI with a report that names what was left.
  globalTimeout: process.env.CI ? 55 * 60_000 : 0,
  expect: { timeout: 30_000, toPass: { timeout: 90_000 } },
  reporter: [['list'], ['json', { outputFile: process.env.E2E_REPORT ?? './test-results/report.json' }]],
  use: {
    viewport: { width: 1440, height: 900 },
    actionTimeout: 30_000,
    trace: 'on-first-retry',
    launchOptions: {
      // Set by globalSetup before the workers read this file.
      ...(process.env.FULCRUM_CHROMIUM ? { executablePath: process.env.FULCRUM_CHROMIUM } : {}),
      args: [...chromiumFlags],
    },
  },
});
