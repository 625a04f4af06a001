import { defineConfig } from '@playwright/test';
import { chromiumFlags } from './support/chromium.ts';

/** Two workers, each with a Chromium and a real server of its own, started by its fixture; a file is one worker's. */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  globalSetup: './support/chromium.ts',
  outputDir: './test-results',
  fullyParallel: false,
  workers: 2,
  // A loaded machine may be slow once; a test that needs another try is told as flaky by `npm test`.
  retries: 2,
  // These limits say when something never comes, not how fast it has to be: two cores, two browsers, two servers.
  timeout: 300_000,
  expect: { timeout: 30_000 },
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
