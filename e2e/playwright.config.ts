import { defineConfig } from '@playwright/test';
import { chromiumFlags } from './support/chromium.ts';

/** One Chromium, one worker: the journeys drive a real server each, started by their own fixture. */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  globalSetup: './support/chromium.ts',
  outputDir: './test-results',
  fullyParallel: false,
  workers: 1,
  // A loaded machine may be slow once; a test that needs its second try is told as flaky by `npm test`.
  retries: 1,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: process.env.E2E_REPORT ?? './test-results/report.json' }]],
  use: {
    viewport: { width: 1440, height: 900 },
    actionTimeout: 20_000,
    trace: 'retain-on-failure',
    launchOptions: {
      // Set by globalSetup before the workers read this file.
      ...(process.env.FULCRUM_CHROMIUM ? { executablePath: process.env.FULCRUM_CHROMIUM } : {}),
      args: [...chromiumFlags],
    },
  },
});
