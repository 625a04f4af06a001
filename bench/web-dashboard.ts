/**
 * The dashboard while every market ticks, for `npm run bench -- web --page dashboard`. The window is as high as the page,
 * so that every row is loaded and every widget on screen refreshes at its interval, unlike in a trader's window: the
 * figures are an upper bound. Beside it, in the same run: the same page while nothing ticks.
 */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from '@playwright/test';
import { pairs } from './feed-frames.ts';
import { updatesPerSecond } from './feed-source.ts';
import type { FanoutCommand } from './process-cost.ts';
import { limits, reportLimit } from './web-limits.ts';
import { CountedPage, type Rate } from './web-page.ts';

/** Long enough for the widget with the longest interval, a minute, to refresh. */
const measuredS = 65;
const quietS = 30;
const settleMs = 10_000;
const width = 1440;
/** Rows load as they are reached, and each may make the page higher. */
const heightLimit = 12_000;

/** Makes the window as high as the page until no further content loads. */
async function showWhole(page: Page): Promise<number> {
  let height = 0;
  for (;;) {
    // In the page: this program has no DOM types.
    const needed = await page.evaluate<number>('document.documentElement.scrollHeight');
    if (needed <= height || height >= heightLimit) return height;
    height = Math.min(needed, heightLimit);
    await page.setViewportSize({ width, height });
    await sleep(settleMs / 2);
  }
}

const line = (name: string, { commits, busy }: Rate): void =>
  console.log(
    name.padEnd(34) + commits.toFixed(2).padStart(12) + `${(busy * 100).toFixed(1)} %`.padStart(14),
  );

/** Whether the limit is met. */
export async function measureDashboard(
  context: BrowserContext,
  source: ChildProcess,
  logIn: (page: Page) => Promise<void>,
): Promise<boolean> {
  const page = await context.newPage();
  const counted = await CountedPage.attach(page);
  await logIn(page);
  await page.waitForURL(/\/dashboard/);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const height = await showWhole(page);
  await sleep(settleMs);
  const regions = await page.getByRole('region').count();
  console.log(
    `${pairs.length} pairs at ${updatesPerSecond} updates/s, ${regions} regions on ${width} × ${height}, ${measuredS} s\n`,
  );
  let requests = 0;
  const countRequest = () => {
    requests += 1;
  };
  page.on('request', countRequest);
  const ticking = await counted.rateOver(measuredS);
  page.off('request', countRequest);
  source.send('pause' satisfies FanoutCommand);
  await sleep(settleMs);
  const quiet = await counted.rateOver(quietS);
  console.log(`${''.padEnd(34)}${'commits/s'.padStart(12)}${'main thread'.padStart(14)}`);
  line('dashboard, everything ticks', ticking);
  line('dashboard, nothing ticks', quiet);
  console.log(
    `\n${((requests * 60) / measuredS).toFixed(0)} requests a minute with every widget on screen\n`,
  );
  const { commitsPerS } = limits;
  return reportLimit(
    'commits/s, dashboard',
    ticking.commits.toFixed(2),
    `< ${commitsPerS}`,
    ticking.commits < commitsPerS,
  );
}
