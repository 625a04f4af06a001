import { asPrice, dayMs, minuteMs, type Timeframe } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { createManualTimers } from '../../../../../test/harness/manual-timers.ts';
import { catalogue, type ListedPair } from '../../catalogue/index.ts';
import {
  type CachedDay,
  createSimulatedFeed,
  type DayCache,
  modelOfSeed,
  type SimulatedFeedOptions,
} from './index.ts';

const now = Date.UTC(2026, 10, 18, 13, 37, 42, 123);
const model = modelOfSeed('seed');
const pairOf = (symbol: string): ListedPair => catalogue.find((pair) => pair.symbol === symbol)!;
/** Computing days takes the time, so every run looks at three forms of a pair, and `npm run test:long` at two more. */
const isLong = process.env.TEST_VOLUME === 'long';
const symbols = ['BTCUSDT', 'EUR/GBP', 'AAPL', ...(isLong ? ['EUR/USD', 'XAUUSD'] : [])];
const longTimeframes = ['1d', '1w', '1M'] as const satisfies readonly Timeframe[];

/** Stores days in memory, and counts. */
function createStore() {
  const rows = new Map<string, Map<number, CachedDay>>();
  const counts = { reads: 0, stored: 0 };
  const daysOf = (symbol: string) => [...(rows.get(symbol)?.values() ?? [])];
  const dayCache: DayCache = {
    async read(symbol, first, last) {
      counts.reads += 1;
      return daysOf(symbol).filter(({ day }) => day >= first && day <= last);
    },
    async store(symbol, days) {
      counts.stored += days.length;
      const ofSymbol = rows.get(symbol) ?? new Map<number, CachedDay>();
      for (const day of days) ofSymbol.set(day.day, day);
      rows.set(symbol, ofSymbol);
      return true;
    },
  };
  return { dayCache, counts, daysOf };
}

const createFeed = (options: Partial<SimulatedFeedOptions>, at = now) =>
  createSimulatedFeed({
    model,
    sessions: null,
    pairs: catalogue,
    timers: createManualTimers(at),
    shocks: [],
    scales: new Map(),
    ...options,
  });

/** 300 days, whose weeks and months are fewer; over both changes of the clocks. */
const limits = { '1d': 300, '1w': 43, '1M': 10 } as const;
const chart = (feed: ReturnType<typeof createFeed>, symbol: string, timeframe: keyof typeof limits) =>
  feed.candles(symbol, timeframe, { limit: limits[timeframe], before: null });

const shocks = [
  { symbol: 'BTCUSDT', at: now - 40 * dayMs, percent: -20, halfLifeMinutes: null },
  { symbol: 'EUR/USD', at: now - 100 * dayMs, percent: 7, halfLifeMinutes: 30_000 },
  { symbol: 'EUR/GBP', at: now - 7 * dayMs, percent: -4, halfLifeMinutes: 60 },
];
const scales = new Map([
  ['BTCUSDT', 1.37],
  ['AAPL', 0.81],
]);

test.each<[string, Partial<SimulatedFeedOptions>]>([
  ['round the clock', {}],
  ['hours honoured', { sessions: 'honour' }],
  ['shocked and scaled', { shocks, scales }],
  ['shocked, scaled and hours honoured', { shocks, scales, sessions: 'honour' }],
])('stored days equal the computed ones, also after a restart: %s', async (_, options) => {
  const { dayCache, counts } = createStore();
  const computing = createFeed(options);
  const first = createFeed({ ...options, dayCache });
  for (const symbol of symbols) {
    const expected = [];
    for (const timeframe of longTimeframes) expected.push(await chart(computing, symbol, timeframe));
    const shown = [];
    for (const timeframe of longTimeframes) shown.push(await chart(first, symbol, timeframe));
    expect(shown).toEqual(expected);
    await first.stop();

    const before = { ...counts };
    for (const [index, timeframe] of longTimeframes.entries()) {
      const restarted = createFeed({ ...options, dayCache });
      expect(await chart(restarted, symbol, timeframe)).toEqual(expected[index]);
      await restarted.stop();
    }
    expect(counts).toEqual({ reads: before.reads + 3, stored: before.stored });
  }
});

test('a chart takes its stored days in one read, and does not read them again', async () => {
  const { dayCache, counts } = createStore();
  const feed = createFeed({ dayCache, sessions: 'honour' });
  await chart(feed, 'AAPL', '1d');
  expect(counts.reads).toBe(1);
  await chart(feed, 'AAPL', '1d');
  await chart(feed, 'AAPL', '1h' as '1d');
  await feed.candles('AAPL', '1d', { limit: 20, before: now - 200 * dayMs });
  expect(counts.reads).toBe(1);
});

test('the running day is not stored', async () => {
  const { dayCache, daysOf } = createStore();
  const feed = createFeed({ dayCache });
  await feed.candles('EUR/USD', '1d', { limit: 3, before: null });
  await feed.stop();
  // The trading day of the 18th ends at 22:00 UTC.
  expect(daysOf('EUR/USD').map(({ day }) => new Date(day).toISOString().slice(0, 10))).toEqual([
    '2026-11-17',
    '2026-11-16',
  ]);
});

test('a shocked path never reads an unshocked day, nor the other way round', async () => {
  const { dayCache, daysOf } = createStore();
  const plain = createFeed({ dayCache });
  const unshocked = await chart(plain, 'EUR/GBP', '1d');
  await plain.stop();
  const paths = () => new Map(daysOf('EUR/GBP').map(({ day, path }) => [day, path]));
  const before = paths();

  // One of the currency, set through another pair, of which nothing is left a day later.
  const shock = { symbol: 'EUR/USD', at: now - 9 * dayMs, percent: 10, halfLifeMinutes: 5 };
  const shocked = createFeed({ dayCache, shocks: [shock] });
  const shown = await chart(shocked, 'EUR/GBP', '1d');
  await shocked.stop();
  expect(shown).toEqual(await chart(createFeed({ shocks: [shock] }), 'EUR/GBP', '1d'));
  expect(shown).not.toEqual(unshocked);
  const renamed = [...paths()].filter(([day, path]) => before.get(day) !== path).map(([day]) => day);
  const dayOfShock = Date.UTC(2026, 10, 9);
  expect(Math.min(...renamed)).toBe(dayOfShock);
  expect(renamed).toHaveLength(9);

  expect(await chart(createFeed({ dayCache }), 'EUR/GBP', '1d')).toEqual(unshocked);
});

test('a present shock leaves stored days as they are, and renames the following ones', async () => {
  const { dayCache, counts } = createStore();
  const timers = createManualTimers(now);
  const feed = createFeed({ dayCache, timers });
  await chart(feed, 'BTCUSDT', '1d');
  expect(counts.stored).toBe(299);
  const shock = { symbol: 'BTCUSDT', at: now, percent: 25, halfLifeMinutes: 600 };
  feed.shock(shock);
  await timers.advance(2 * dayMs);
  const later = await chart(feed, 'BTCUSDT', '1d');
  await feed.stop();
  expect(counts.stored).toBe(301);
  expect(later).toEqual(await chart(createFeed({ shocks: [shock] }, timers.now()), 'BTCUSDT', '1d'));
});

test.each<[string, Partial<SimulatedFeedOptions>]>([
  ['seed', { model: modelOfSeed('another') }],
  ['scale', { scales: new Map([['BTCUSDT', 2]]) }],
  ['hours', { sessions: 'honour' }],
  ['tick', { pairs: [{ ...pairOf('BTCUSDT'), tickSize: asPrice(1_00000000n) }] }],
])('a day of a path of another %s is never read', async (_, other) => {
  const { dayCache } = createStore();
  const first = createFeed({ ...other, dayCache });
  await chart(first, 'BTCUSDT', '1d');
  await first.stop();
  expect(await chart(createFeed({ dayCache }), 'BTCUSDT', '1d')).toEqual(
    await chart(createFeed({}), 'BTCUSDT', '1d'),
  );
});

test('a day of the right path is read: its stored figures are shown', async () => {
  const { dayCache, daysOf } = createStore();
  const first = createFeed({ dayCache });
  await chart(first, 'BTCUSDT', '1d');
  await first.stop();
  const day = daysOf('BTCUSDT').find((candidate) => candidate.day === Date.UTC(2026, 9, 5))!;
  await dayCache.store('BTCUSDT', [{ ...day, high: 9e6 }]);
  const months = await chart(createFeed({ dayCache }), 'BTCUSDT', '1M');
  expect(months.find((bar) => bar.open_time.startsWith('2026-10'))?.high).toBe(9e6);
});

/** 60 days after the beginning of all paths, so that everything is soon computed. */
const early = Date.UTC(2015, 2, 2, 12);
const settle = () => new Promise<void>((resolve) => setTimeout(resolve, 1));
function createFilling(dayCache: DayCache) {
  const timers = createManualTimers(early, settle);
  const pairs = ['BTCUSDT', 'EUR/GBP', 'AAPL'].map(pairOf);
  const feed = createFeed({ dayCache, backfillDays: true, timers, pairs });
  return { timers, feed };
}

test('the background computes and stores the past once, from a minute after the start, requested symbols first', async () => {
  const { dayCache, counts, daysOf } = createStore();
  const { timers, feed } = createFilling(dayCache);
  await feed.start(() => {});
  await timers.advance(minuteMs);
  expect(counts).toEqual({ reads: 0, stored: 0 });
  await feed.candles('EUR/GBP', '1h', { limit: 1, before: null });
  while (daysOf('EUR/GBP').length === 0) await timers.advance(100);
  expect([daysOf('BTCUSDT'), daysOf('AAPL')]).toEqual([[], []]);
  await timers.advance(20_000);
  expect(['BTCUSDT', 'EUR/GBP', 'AAPL'].map((symbol) => daysOf(symbol).length)).toEqual([60, 59, 60]);
  const { stored } = counts;
  await timers.advance(minuteMs);
  await feed.stop();
  expect(counts).toEqual({ reads: 3, stored });

  const restarted = createFilling(dayCache);
  await restarted.feed.start(() => {});
  await restarted.timers.advance(2 * minuteMs);
  await restarted.feed.stop();
  expect(counts.stored).toBe(stored);
});

test('a failed write is retried a minute later', async () => {
  const { dayCache, daysOf } = createStore();
  let keep: DayCache['store'] = async () => false;
  const { timers, feed } = createFilling({
    ...dayCache,
    store: (symbol, days) => keep(symbol, days),
  });
  await feed.start(() => {});
  await timers.advance(minuteMs + 20_000);
  expect(daysOf('BTCUSDT')).toEqual([]);
  keep = dayCache.store;
  await timers.advance(minuteMs + 20_000);
  await feed.stop();
  expect(['BTCUSDT', 'EUR/GBP', 'AAPL'].map((symbol) => daysOf(symbol).length)).toEqual([60, 59, 60]);
});
