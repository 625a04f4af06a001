/** Stored days of simulated paths in PostgreSQL. */
import { dayMs } from '@fulcrum/domain';
import { expect, onTestFinished, test } from 'vitest';
import { catalogue } from '../../src/features/market/catalogue/index.ts';
import {
  createSimulatedFeed,
  type DayCache,
  modelOfSeed,
} from '../../src/features/market/feeds/simulated/index.ts';
import { createDayCache } from '../../src/features/market/simulated-day-store.ts';
import { writePairs } from '../../src/features/market/store.ts';
import type { Database } from '../../src/platform/database/index.ts';
import { createTestDatabase, testLog } from '../harness/index.ts';
import { createManualTimers } from '../harness/manual-timers.ts';

const now = Date.UTC(2026, 10, 18, 13, 37, 42, 123);

async function open() {
  const db = await createTestDatabase();
  onTestFinished(() => db.close());
  await writePairs(db, catalogue);
  return { db, dayCache: cacheIn(db) };
}
const cacheIn = (db: Database) => createDayCache({ db, timers: createManualTimers(now), log: testLog });
const createFeed = (dayCache?: DayCache, seed = 'seed') =>
  createSimulatedFeed({
    model: modelOfSeed(seed),
    sessions: null,
    pairs: catalogue,
    timers: createManualTimers(now),
    shocks: [],
    scales: new Map(),
    dayCache,
  });
const query = { limit: 400, before: null } as const;

test('A chart after a restart is read from PostgreSQL, equal to the last digit to the computed one', async () => {
  const { db, dayCache } = await open();
  for (const symbol of ['EUR/GBP', 'SHIBUSDT', 'BTCUSDT']) {
    const expected = await createFeed().candles(symbol, '1d', query);
    const first = createFeed(dayCache);
    expect(await first.candles(symbol, '1d', query)).toEqual(expected);
    await first.stop();
    const { rows } = await db.query(
      'select count(*)::int as days from app.simulated_days where symbol = $1',
      [symbol],
    );
    expect(rows).toEqual([{ days: 399 }]);
    expect(await createFeed(dayCache).candles(symbol, '1d', query)).toEqual(expected);
    const weeks = { limit: 50, before: null };
    expect(await createFeed(dayCache).candles(symbol, '1w', weeks)).toEqual(
      await createFeed().candles(symbol, '1w', weeks),
    );
  }
  // It is read indeed.
  await db.asOwner(
    `update app.simulated_days set high = 1e6 where symbol = 'BTCUSDT' and day = '2026-10-05'`,
  );
  const changed = await createFeed(dayCache).candles('BTCUSDT', '1d', query);
  expect(changed.find((bar) => bar.high === 1e6)?.open_time).toBe('2026-10-05T00:00:00.000Z');
});

test('days of another seed are never read, and are replaced by the requested ones', async () => {
  const { db, dayCache } = await open();
  const other = createFeed(dayCache, 'another');
  await other.candles('BTCUSDT', '1d', query);
  await other.stop();
  const feed = createFeed(dayCache);
  const expected = await createFeed().candles('BTCUSDT', '1d', query);
  expect(await feed.candles('BTCUSDT', '1d', query)).toEqual(expected);
  await feed.stop();
  const { rows } = await db.query(
    'select count(*)::int as days, count(distinct path)::int as paths from app.simulated_days',
  );
  expect(rows).toEqual([{ days: 399, paths: 1 }]);
});

test('without PostgreSQL a chart is computed, and one warning is logged', async () => {
  const { db } = await open();
  const broken: Database = {
    ...db,
    query: async () => {
      throw new Error('gone');
    },
  };
  const feed = createFeed(cacheIn(broken));
  expect(await feed.candles('BTCUSDT', '1M', query)).toEqual(
    await createFeed().candles('BTCUSDT', '1M', query),
  );
  await feed.stop();
  const days = await cacheIn(broken).store('BTCUSDT', []);
  expect(days).toBe(false);
});

test('a PostgreSQL that does not answer holds a chart up for a quarter of a second', async () => {
  const { db } = await open();
  const timers = createManualTimers(now);
  const dayCache = createDayCache({
    db: { ...db, query: () => new Promise(() => {}) },
    timers,
    log: testLog,
  });
  const read = dayCache.read('BTCUSDT', now - (now % dayMs) - 3 * dayMs, now - (now % dayMs));
  await timers.advance(250);
  expect(await read).toEqual([]);
});

test('a day of a symbol that is not listed is not stored', async () => {
  const { db, dayCache } = await open();
  const bar = { open: 1, high: 2, low: 1, close: 2, volume: 0, quote_volume: 0 };
  expect(await dayCache.store('NOPE', [{ ...bar, day: 0, path: '-1' }])).toBe(true);
  expect(await dayCache.store('BTCUSDT', [{ ...bar, day: 0, path: '-9223372036854775808' }])).toBe(true);
  expect(await dayCache.read('BTCUSDT', 0, 0)).toEqual([{ ...bar, day: 0, path: '-9223372036854775808' }]);
  const { rows } = await db.query('select count(*)::int as days from app.simulated_days');
  expect(rows).toEqual([{ days: 1 }]);
});
