/**
 * `npm run bench -- web [--minutes 30]`: the trading screen left open; with `--page dashboard` the dashboard instead
 * (`web-dashboard.ts`), with `--page cold` the first load of the trading screen (`web-cold.ts`). The real server serves the built
 * app; every pair of the catalogue ticks ten times a second. A trader with open positions and waiting orders has the screen open in
 * Chromium, types an amount and switches to another tab every few seconds. Counted: React's commits, the heap after a collection
 * every minute, DOM nodes and listeners, and the time that interactions take. Beside it, in the same run: the same screen untouched,
 * the same screen without ticks, and a bare page that writes the same prices with `textContent`.
 */
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { hourMs, minuteMs, parseDecimal, toDecimalString } from '@fulcrum/domain';
import type { BrowserContext, Page } from '@playwright/test';
import { demoPassword } from '../apps/server/src/features/identity/index.ts';
import { launchBrowser } from './browser.ts';
import { ask, messageOf, stop } from './children.ts';
import { type Endpoint, post, socketUrlOf } from './endpoint.ts';
import { pairs } from './feed-frames.ts';
import type { FeedServerJob } from './feed-server.ts';
import { type FeedSourceReady, updatesPerSecond } from './feed-source.ts';
import { machine } from './figures.ts';
import { openBarePage } from './page-peer.ts';
import type { FanoutCommand } from './process-cost.ts';
import { withRig } from './rig.ts';
import { type Point, slopeOf } from './slope.ts';
import { measureCold } from './web-cold.ts';
import { measureDashboard } from './web-dashboard.ts';
import { limits, reportLimit } from './web-limits.ts';
import { CountedPage, type MemorySample, type Rate, rateBetween } from './web-page.ts';

const minutesAtLeast = 5;
const minutesDefault = 30;
/** Minutes that are left out of the slope. */
const leastWarmUp = 2;
const settleMs = 10_000;
const peerS = 30;
/** Between two rounds of typing and turning. */
const restMs = 5_000;
const window = { viewport: { width: 1440, height: 900 } } as const;
const trader = 'trader@fulcrum.local';
const held = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'AAPL', 'EUR/USD', 'XAUUSD'];
const usdtPerPosition = 500;
const webRoot = fileURLToPath(new URL('../apps/web/dist/index.html', import.meta.url));

const pages = ['trading', 'dashboard', 'cold'] as const;

interface WebOptions {
  readonly page: (typeof pages)[number];
  readonly minutes: number;
}

function parseWebOptions(): WebOptions {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { minutes: { type: 'string' }, page: { type: 'string' } },
  });
  const minutes = Number(values.minutes ?? minutesDefault);
  if (!Number.isInteger(minutes) || minutes < minutesAtLeast) {
    throw new Error(`--minutes is a whole number from ${minutesAtLeast}`);
  }
  const page = pages.find((name) => name === (values.page ?? 'trading'));
  if (page === undefined) throw new Error(`--page is one of ${pages.join(', ')}`);
  return { page, minutes };
}

/** A new access token of the trader: one from before a long run has ended with it. */
async function tokenOf(api: Endpoint): Promise<string> {
  const credentials = { email: trader, password: demoPassword };
  const { access_token: token } = await post(api, '/auth/v1/token?grant_type=password', null, credentials);
  if (typeof token !== 'string') throw new Error('the demo trader is not signed in');
  return token;
}

/** What the trader has on the screen: positions on several markets, orders on the one that is shown. */
async function openTraderPositions(api: Endpoint): Promise<number> {
  const token = await tokenOf(api);
  const traded = pairs.filter(({ symbol }) => held.includes(symbol));
  for (const { symbol, typical, minQty, stepSize } of traded) {
    const exactSize = parseDecimal((usdtPerPosition / (typical?.price ?? 1)).toFixed(8));
    const onStep = exactSize - (exactSize % stepSize);
    const size = toDecimalString(onStep > minQty ? onStep : minQty);
    const order = { p_symbol: symbol, p_side: 'BUY', p_size: size, p_leverage: 5 };
    await post(api, '/rest/v1/rpc/open_position', token, order);
  }
  const waiting = { symbol: 'BTCUSDT', type: 'LIMIT', side: 'BUY', size: 0.001, leverage: 5 };
  await post(api, '/rest/v1/orders', token, [
    { ...waiting, price: 50_000 },
    { ...waiting, price: 51_000 },
  ]);
  return traded.length;
}

async function logIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('Email').fill(trader);
  await page.getByRole('textbox', { name: 'Password' }).fill(demoPassword);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.waitForURL((at) => !at.pathname.startsWith('/login'));
}

/** Price topics that the page joins, as it joins them. */
function observeTopics(page: Page): ReadonlySet<string> {
  const topics = new Set<string>();
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      const [, , topic, event] = JSON.parse(String(payload)) as unknown[];
      if (event === 'phx_join' && typeof topic === 'string' && topic.startsWith('realtime:prices')) {
        topics.add(topic);
      }
    });
  });
  return topics;
}

/** One round of what a trader does who does not trade. Returns how many interactions it was. */
async function interact(page: Page, round: number): Promise<number> {
  const amount = `0.0${1 + (round % 9)}`;
  await page.getByRole('spinbutton', { name: 'Amount' }).click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(amount, { delay: 60 });
  const tab = round % 2 === 0 ? /position history/i : /open positions/i;
  await page.getByRole('tab', { name: tab }).click();
  // The click, the selection, each key, the tab.
  return amount.length + 3;
}

interface Soak {
  readonly memory: readonly MemorySample[];
  readonly latenciesMs: readonly number[];
  readonly interactions: number;
}

async function soak(counted: CountedPage, minutes: number): Promise<Soak> {
  const memory: MemorySample[] = [await counted.memory()];
  const latenciesMs: number[] = [];
  const from = performance.now();
  let interactions = 0;
  let round = 0;
  for (let minute = 1; minute <= minutes; minute += 1) {
    // Every sample sees the tab of the first round, so that its rows are no difference between two samples.
    while (performance.now() - from < minute * minuteMs || round % 2 === 1) {
      interactions += await interact(counted.page, round);
      round += 1;
      await sleep(restMs);
    }
    latenciesMs.push(...(await counted.takeSlowInteractions()));
    const sample = await counted.memory();
    memory.push(sample);
    console.log(
      `minute ${String(minute).padStart(3)}  heap ${megabytes(sample.heap).padStart(7)} MB  ` +
        `${sample.nodes} nodes  ${sample.listeners} listeners`,
    );
  }
  return { memory, latenciesMs, interactions };
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(2);
/** Interactions without a report were faster than the shortest reported one. */
function percentile(latenciesMs: readonly number[], all: number, share: number): number {
  const quick = Math.max(0, all - latenciesMs.length);
  const sorted = latenciesMs.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * Math.max(all, latenciesMs.length)) - 1 - quick] ?? 0;
}

interface Rates {
  readonly soak: Rate;
  readonly untouched: Rate;
  readonly quiet: Rate;
  readonly bare: Rate;
}

function report(minutes: number, { memory, latenciesMs, interactions }: Soak, rates: Rates): boolean {
  const line = (name: string, { commits, busy }: Rate, isReact = true): void =>
    console.log(
      name.padEnd(34) +
        (isReact ? commits.toFixed(2) : '–').padStart(12) +
        `${(busy * 100).toFixed(1)} %`.padStart(14),
    );
  console.log(`\n${''.padEnd(34)}${'commits/s'.padStart(12)}${'main thread'.padStart(14)}`);
  line('trading screen, in use', rates.soak);
  line('trading screen, untouched', rates.untouched);
  line('trading screen, nothing ticks', rates.quiet);
  line('bare page, the same topics', rates.bare, false);
  console.log(
    `\nUntouched it costs ${(rates.untouched.busy / rates.bare.busy).toFixed(1)} times what the bare page does.\n`,
  );

  // What the first minutes load (modules, caches up to their bounds) is no leak.
  const warmUp = Math.max(leastWarmUp, Math.ceil(minutes / 6));
  const steady = memory.slice(warmUp);
  const points = steady.map(({ atMs, heap }): Point => ({ x: atMs / hourMs, y: heap / 1e6 }));
  const slope = slopeOf(points);
  const [first, last] = [steady[0], steady.at(-1)];
  if (!first || !last) throw new Error('nothing was measured');
  console.log(
    `after ${warmUp} min: heap ${megabytes(first.heap)} → ${megabytes(last.heap)} MB, nodes ${first.nodes} → ${last.nodes}, ` +
      `listeners ${first.listeners} → ${last.listeners}; ${interactions} interactions`,
  );
  const p98 = percentile(latenciesMs, interactions, 0.98);
  const { commitsPerS, heapMBPerHour, interactionMs } = limits;
  return [
    reportLimit(
      'commits/s, in use',
      rates.soak.commits.toFixed(2),
      `< ${commitsPerS}`,
      rates.soak.commits < commitsPerS,
    ),
    reportLimit('heap slope', `${slope.toFixed(2)} MB/h`, `< ${heapMBPerHour} MB/h`, slope < heapMBPerHour),
    reportLimit('p98 of interactions', `${p98.toFixed(0)} ms`, `< ${interactionMs} ms`, p98 < interactionMs),
  ].every(Boolean);
}

/** What a measurement has: the server, the feed's process, a browser, and the trader's positions. */
interface Rig {
  readonly api: Endpoint;
  readonly source: ChildProcess;
  readonly context: BrowserContext;
  readonly positions: number;
}

async function measureTrading({ api, source, context, positions }: Rig, minutes: number): Promise<boolean> {
  const page = await context.newPage();
  const counted = await CountedPage.attach(page);
  const topics = observeTopics(page);
  await logIn(page, api.url);
  await page.goto(`${api.url}/trading?symbol=BTCUSDT`);
  await page.getByRole('row').filter({ hasText: 'BTCUSDT' }).first().waitFor();
  await sleep(settleMs);
  console.log(
    `${pairs.length} pairs at ${updatesPerSecond} updates/s, ${positions} positions, ${topics.size} price topics, ${minutes} min\n`,
  );

  const untouched = await counted.rateOver(peerS);
  const from = await counted.sample();
  const soaked = await soak(counted, minutes);
  const inUse = rateBetween(from, await counted.sample());
  source.send('pause' satisfies FanoutCommand);
  await sleep(settleMs);
  const quiet = await counted.rateOver(peerS);
  await page.close();

  source.send('send' satisfies FanoutCommand);
  const bare = await CountedPage.attach(await context.newPage());
  await openBarePage(bare.page, api.url, {
    socketUrl: socketUrlOf(api),
    topics: [...topics],
    token: await tokenOf(api),
  });
  await sleep(settleMs);
  return report(minutes, soaked, { soak: inUse, untouched, quiet, bare: await bare.rateOver(peerS) });
}

export async function benchWeb(): Promise<void> {
  const { page, minutes } = parseWebOptions();
  if (!existsSync(webRoot)) throw new Error('the web app is not built: npm run build');
  console.log(machine);
  await withRig(async ({ cluster, dataDir, begin }) => {
    const browser = await launchBrowser();
    try {
      const source = begin('./feed-source.ts');
      const { url: sourceUrl } = await messageOf<FeedSourceReady>(source);
      const server = begin('./feed-server.ts');
      const databaseUrl = await cluster.createDatabase('web');
      const job: FeedServerJob = {
        kind: 'Fulcrum',
        sourceUrl,
        databaseUrl,
        dataDir,
        listeners: 8,
        demo: true,
      };
      const api = await ask<Endpoint>(server, job);
      source.send('send' satisfies FanoutCommand);
      const positions = await openTraderPositions(api);
      const signIn = (opened: Page) => logIn(opened, api.url);
      const measure = {
        cold: () => {
          source.send('pause' satisfies FanoutCommand);
          return measureCold(browser, api.url, signIn, () => source.send('send' satisfies FanoutCommand));
        },
        dashboard: async () => measureDashboard(await browser.newContext(window), source, signIn),
        trading: async () =>
          measureTrading({ api, source, context: await browser.newContext(window), positions }, minutes),
      };
      if (!(await measure[page]())) process.exitCode = 1;

      await browser.close();
      for (const child of [server, source]) await stop(child);
    } finally {
      await browser.close();
    }
  });
}
