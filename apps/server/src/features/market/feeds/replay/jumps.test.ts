/** Jumps and gaps of a recording: what the replay emits where the recording has no candles or an implausible move. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayMs, hourMs, minuteMs } from '@fulcrum/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createManualTimers } from '../../../../../test/harness/manual-timers.ts';
import { createLog } from '../../../../platform/log/index.ts';
import { catalogue } from '../../catalogue/index.ts';
import type { FeedTick } from '../../feed.ts';
import { createReplayFeed, type ReplayFeedOptions } from './index.ts';
import { readRecordings } from './recording.ts';
import { createReplayRun, type ReplayRunOptions } from './run.ts';

const log = createLog({ logLevel: 'silent' });
const at = (text: string) => Date.parse(`${text}Z`);
const day = at('2014-06-09T00:00');
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fulcrum-jumps-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function record(symbol: string, candles: readonly string[]) {
  const lines = candles.map((candle) => `${symbol},${candle},1`);
  const text = ['symbol,open_time,open,high,low,close,volume', ...lines, ''].join('\n');
  await writeFile(
    join(folder, `${symbol.replace('/', '')}-${candles.length}-${candles[0]?.slice(0, 13)}.csv`),
    text,
  );
}
/** Apple before and after its split of 2014, and a quiet market beside it. */
async function recordSplit() {
  const minute = (n: number) => day + 8 * hourMs + n * minuteMs;
  await record('AAPL', [`${minute(0)},645.57,646,92.23,92.42`, `${minute(1)},92.42,92.6,92.4,92.5`]);
  await record(
    'SPX',
    [0, 1].map((n) => `${minute(n)},1950,1951,1949,1950.5`),
  );
}
async function runOf(options: ReplayRunOptions = { loop: false }) {
  return createReplayRun(await readRecordings(folder, catalogue, log), options);
}
async function play(options: Partial<ReplayFeedOptions> = {}) {
  const timers = createManualTimers(Date.UTC(2026, 10, 22, 9));
  const feed = createReplayFeed({
    ...{ folder, speed: 60, loop: false, onJump: 'pause', historyMinutes: 0 },
    ...{ pairs: catalogue, timers, log, ...options },
  });
  const ticks: FeedTick[] = [];
  await feed.start((tick) => ticks.push(tick));
  return { feed, timers, drain: () => ticks.splice(0) };
}
const of = (symbol: string, ticks: readonly FeedTick[]) => ticks.filter((tick) => tick.symbol === symbol);
const distinct = (ticks: readonly FeedTick[]) => [...new Set(ticks.map(({ price }) => price))];

test('ENG-5: at a split the clock stops and the market is closed; no price between the two is emitted', async () => {
  await recordSplit();
  const { feed, timers, drain } = await play();
  await timers.advance(10_000);
  const emitted = of('AAPL', drain());
  expect(distinct(emitted).every((price) => Number(price) >= 645.57)).toBe(true);
  expect(emitted.at(-1)).toMatchObject({ price: 646, marketOpen: false });
  expect(feed.controls()).toMatchObject({
    ...{ paused: false, speed: 60, actual_speed: 0 },
    jump: {
      ...{ symbol: 'AAPL', last_price: 646, price: 92.23, at: '2014-06-09T08:00:40.000Z' },
      text: 'AAPL moves \u221286 % at 08:00: a split?',
    },
  });
  const { position_s } = feed.controls();
  await timers.advance(60_000);
  expect(feed.controls().position_s).toBe(position_s);
  // Every other symbol stands still but stays fresh and open.
  expect(of('SPX', drain()).at(-1)).toMatchObject({ marketOpen: true });

  feed.set({ atJump: 'gap' });
  await timers.advance(1_000);
  const after = of('AAPL', drain());
  expect(after.filter(({ price }) => Number(price) > 100).every(({ marketOpen }) => !marketOpen)).toBe(true);
  expect(after.find(({ price }) => price === 92.23)).toMatchObject({ breaks: true });
  expect(
    Math.max(...after.filter(({ marketOpen }) => marketOpen !== false).map(({ price }) => Number(price))),
  ).toBeLessThan(93);
  expect(feed.controls().jump).toBeNull();
  await feed.stop();
});

test('ENG-5: the replay can also continue without the symbol, whose market has ended', async () => {
  await recordSplit();
  const { feed, timers, drain } = await play();
  await timers.advance(10_000);
  feed.set({ atJump: 'without' });
  drain();
  await timers.advance(60_000);
  const after = drain();
  expect(of('AAPL', after).every(({ price, marketOpen }) => price === 646 && marketOpen === false)).toBe(
    true,
  );
  expect(of('SPX', after).length).toBeGreaterThan(100);
  expect(feed.controls()).toMatchObject({ jump: null, position_s: feed.controls().end_s });
  expect(await feed.candles('AAPL', '1m', { limit: 5, before: null })).toMatchObject([
    { low: 645.57, close: 646 },
  ]);
  await feed.stop();
});

test.each(['gap', 'without'] as const)(
  'ENG-5: two markets that jump at one instant both stay closed until their own jump is emitted (the first goes on: %s)',
  async (first) => {
    const minute = (n: number, price: number) => `${day + n * minuteMs},${price},${price},${price},${price}`;
    for (const symbol of ['BTCUSDT', 'ETHUSDT'])
      await record(symbol, [minute(0, 10_000), minute(1, 656_006)]);
    await record('SPX', [minute(0, 1_950), minute(1, 1_950)]);
    const { feed, timers, drain } = await play();
    const after = async (ms: number) => {
      drain();
      await timers.advance(ms);
      const last = new Map(drain().map(({ symbol, price, marketOpen }) => [symbol, [price, marketOpen]]));
      return { first: last.get('BTCUSDT'), second: last.get('ETHUSDT'), quiet: last.get('SPX') };
    };
    const shut = [10_000, false];
    const waiting = { first: shut, second: shut, quiet: [1_950, true] };
    expect(await after(3_000)).toEqual(waiting);
    expect(feed.controls().jump).toMatchObject({ symbol: 'BTCUSDT' });
    // Decided while staff have paused it, so that it does not come to the second one yet.
    feed.set({ paused: true, atJump: first });
    expect(await after(1_000)).toEqual(waiting);
    feed.set({ paused: false });
    expect(await after(1_000)).toEqual(waiting);
    expect(feed.controls().jump).toMatchObject({ symbol: 'ETHUSDT' });
    feed.set({ atJump: 'gap' });
    await timers.advance(250);
    expect(await after(250)).toEqual({
      first: first === 'gap' ? [656_006, true] : shut,
      second: [656_006, true],
      quiet: [1_950, true],
    });
    await feed.stop();
  },
);

test('ENG-5: on_jump=gap does not wait: the price jumps by itself, with no price in between', async () => {
  await recordSplit();
  const { feed, timers, drain } = await play({ onJump: 'gap' });
  await timers.advance(10_000);
  const emitted = of('AAPL', drain());
  expect(emitted.some(({ price }) => Number(price) > 93 && Number(price) < 645)).toBe(false);
  expect(emitted.find(({ price }) => price === 92.23)).toMatchObject({ breaks: true });
  expect(feed.controls()).toMatchObject({ jump: null, position_s: feed.controls().end_s });
  await feed.stop();
});

test('ENG-5: the move between two candles counts too, also overnight; a loop does not wait again', async () => {
  const [friday, monday] = [day - 3 * dayMs + 20 * hourMs, day + 13.5 * hourMs];
  await record('AAPL', [`${friday},645,646,644,645.5`, `${monday},92.5,92.9,92.1,92.7`]);
  const run = await runOf({ loop: true });
  run.advance(hourMs);
  expect(run.jump()).toMatchObject({ symbol: 'AAPL', from: 645.5, to: 92.5, at: monday });
  run.decide('gap');
  run.advance(hourMs);
  expect(run.position()).toBe(run.end);
  run.advance(1);
  run.advance(hourMs);
  expect(run.jump()).toBeNull();
});

test('ENG-5: a crash within the bound of its market is played as it was', async () => {
  await record('BTCUSDT', [`${day},10000,10000,7100,7200`]);
  const run = await runOf();
  const emitted = run.advance(minuteMs);
  expect(run.jump()).toBeNull();
  expect(distinct(emitted).length).toBeGreaterThan(20);
});

test('ENG-8: two days of one symbol in a folder follow one another; between them the market is shut, for one minute', async () => {
  const minutes = (from: number, price: number) =>
    Array.from(
      { length: 30 },
      (_, n) => `${from + n * minuteMs},${price},${price + 1},${price - 1},${price}`,
    );
  await record('BTCUSDT', minutes(at('2017-12-17T12:00'), 19_000));
  await record('BTCUSDT', minutes(at('2018-04-06T08:00'), 15_000));
  const run = await runOf();
  expect(run.end - run.begin).toBe((30 + 1 + 30) * minuteMs);
  const states: string[] = [];
  for (let emitted = run.advance(1); run.position() < run.end; emitted = run.advance(10_000)) {
    const tick = emitted.at(-1)!;
    states.push(
      `${new Date(tick.marketTime).toISOString().slice(0, 10)} ${tick.marketOpen} ${Number(tick.price) > 17_000}`,
    );
  }
  expect([...new Set(states)]).toEqual([
    '2017-12-17 true true',
    '2017-12-17 false true',
    '2018-04-06 true false',
  ]);
  // At its close the first day is emitted as closed, so that the next price is the first one after a close.
  expect(states.filter((state) => state.includes('false true'))).toHaveLength(6);
  const bars = run.candles('BTCUSDT', '1d', { limit: 5, before: null });
  expect(bars.map(({ open_time }) => open_time.slice(0, 10))).toEqual(['2017-12-17', '2018-04-06']);
});

test('ENG-8: a hole shuts a crypto market after 15 minutes and others after 30; another market beside it plays on', async () => {
  const silent = (minutes: number) => [
    `${day},100,100,100,100`,
    `${day + (minutes + 1) * minuteMs},101,101,101,101`,
  ];
  await record('BTCUSDT', silent(15));
  await record('ETHUSDT', silent(16));
  await record('XAUUSD', silent(30));
  await record('XAGUSD', silent(31));
  const run = await runOf();
  const emitted = run.advance(10 * minuteMs).slice(-4);
  expect(emitted.map(({ symbol, marketOpen }) => [symbol, marketOpen])).toEqual([
    ['BTCUSDT', true],
    ['ETHUSDT', false],
    ['XAGUSD', false],
    ['XAUUSD', true],
  ]);
  const reopened = of('ETHUSDT', run.advance(7 * minuteMs + 1));
  expect(reopened.at(-1)).toMatchObject({ price: 101, marketOpen: true });
});

test('UX-10: charts have 50 minutes before the recording begins to play, and less of a short one', async () => {
  const minutes = (count: number) =>
    Array.from({ length: count }, (_, n) => `${day + n * minuteMs},100,101,99,100`);
  await record('BTCUSDT', minutes(180));
  const { feed } = await play({ historyMinutes: 50 });
  const { begin_s, position_s, end_s } = feed.controls();
  expect({ begin_s, position_s, end_s }).toEqual({ begin_s: 3_000, position_s: 3_000, end_s: 10_800 });
  const shown = await feed.candles('BTCUSDT', '1m', { limit: 300, before: null });
  expect(shown).toHaveLength(51);
  await feed.stop();
  await rm(join(folder, `BTCUSDT-180-${day}.csv`));
  await record('BTCUSDT', minutes(60));
  const short = await play({ historyMinutes: 50 });
  expect(short.feed.controls()).toMatchObject({ begin_s: 25 * 60, end_s: 3_600 });
  await short.feed.stop();
});

test('ENG-4: a run that waits for settlement plays slower, emits everything, and reports its real speed', async () => {
  const candles = Array.from({ length: 60 }, (_, n) => `${day + n * minuteMs},100,102,98,101`);
  await record('BTCUSDT', candles);
  const crossings = new Set(['one that is being written']);
  const waiting: (() => void)[] = [];
  const settled = () => (crossings.size === 0 ? null : new Promise<void>((resolve) => waiting.push(resolve)));
  const { feed, timers, drain } = await play({ speed: 600, pendingSettlement: settled });
  await timers.advance(5_000);
  // It waits at the very first instant, while its price stays fresh.
  expect(feed.controls().position_s).toBeLessThan(60);
  expect(drain().length).toBeGreaterThan(10);
  expect(feed.controls().actual_speed).toBeLessThan(30);
  crossings.clear();
  for (const goOn of waiting) goOn();
  await timers.advance(12_000);
  expect(feed.controls()).toMatchObject({ position_s: 3_600, speed: 600 });
  const times = of('BTCUSDT', drain()).map(({ marketTime }) => marketTime);
  expect(times).toEqual(times.toSorted((left, right) => left - right));
  // All four turning points of every minute, though time passed while it waited.
  const turningPointTimes = new Set(
    times.filter((time) => [20_000, 40_000, 59_999].includes(time % minuteMs)),
  );
  expect(turningPointTimes.size).toBe(3 * 60);
  await feed.stop();
});
