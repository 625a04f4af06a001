import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, type Tick } from '@fulcrum/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  createMarket,
  type InjectedFeed,
  type Market,
  type MarketDependencies,
} from '../../src/features/market/index.ts';
import { writeLastPrices } from '../../src/features/market/store.ts';
import { createBus } from '../../src/platform/bus/index.ts';
import { loadConfig } from '../../src/platform/config/index.ts';
import { createManualFeed, createTestDatabase, type TestDatabase, testLog } from '../harness/index.ts';
import { createManualTimers, type ManualTimers } from '../harness/manual-timers.ts';

const start = Date.UTC(2026, 10, 21, 12, 0);
const simulated = loadConfig({});
const marketKey = Buffer.alloc(32, 'market');
let timers: ManualTimers;
const now = () => timers.now();
let db: TestDatabase;
const running: Market[] = [];

beforeEach(async () => {
  timers = createManualTimers(start);
  db = await createTestDatabase();
});
afterEach(async () => {
  for (const market of running.splice(0)) await market.stop();
  await db.close();
});

async function open(
  feed?: InjectedFeed,
  config: MarketDependencies['config'] = simulated,
): Promise<{ market: Market; ticks: Tick[] }> {
  const bus = createBus(testLog);
  const ticks: Tick[] = [];
  bus.subscribe('market.tick', (tick) => ticks.push(tick));
  const market = createMarket({ db, config, marketKey, timers, bus, log: testLog, ...(feed && { feed }) });
  await market.start();
  running.push(market);
  return { market, ticks };
}
async function close(market: Market) {
  running.splice(running.indexOf(market), 1);
  await market.stop();
}
const candlesOf = (market: Market, args: Parameters<Market['procedures']['get_candles']>[1]) =>
  market.procedures.get_candles({ role: 'anon' }, args);
const rows = async (text: string) => (await db.query(text)).rows;

test('writes the catalogue at start, unlists what is not in it and deletes nothing', async () => {
  await db.asOwner(`insert into app.trading_pairs
    values ('OLD', 'Gone', null, 'stock', 'OLD', 'USD', 0.01, 100, 0.01, 0.01, 100, 0.01, 'UTC|Mon-Sun 00:00-24:00', 0, true),
           ('AAPL', 'Wrong', null, 'stock', 'AAPL', 'USD', 0.01, 100, 0.01, 0.01, 100, 0.01, 'UTC|Mon-Sun 00:00-24:00', 0, false)`);
  const { market } = await open(createManualFeed(now));
  expect(await rows(`select listed from app.trading_pairs where symbol = 'OLD'`)).toEqual([
    { listed: false },
  ]);
  expect(
    await rows(`select name, max_price, listed, sort_order from app.trading_pairs where symbol = 'AAPL'`),
  ).toEqual([
    {
      name: 'Apple Inc.',
      max_price: '100000.00000000',
      listed: true,
      sort_order: market.pair('AAPL')?.sortOrder,
    },
  ]);
  expect(await rows('select count(*)::int as count from api.trading_pairs')).toEqual([
    { count: market.pairs().length },
  ]);
});

test('a restart shows the last prices with their age until the feed speaks', async () => {
  const feed = createManualFeed(now);
  feed.setPrice('BTCUSDT', '100.25', {
    day: { priceChangePercent: -1.5, volume: 3, quoteVolume: 300, high: 110, low: 99.5 },
  });
  const first = await open(feed);
  expect(await rows('select symbol, price, market_open from app.last_prices')).toEqual([
    { symbol: 'BTCUSDT', price: '100.25000000', market_open: true },
  ]);
  feed.setPrice('BTCUSDT', '100.75');
  await close(first.market);
  expect(await rows('select price from app.last_prices')).toEqual([{ price: '100.75000000' }]);

  await timers.advance(20_000);
  const { market, ticks } = await open(createManualFeed(now));
  expect(market.price('BTCUSDT')).toMatchObject({
    price: 100_75000000n,
    pricedAt: start,
    priceChangePercent: -1.5,
    volume: 3,
    high24h: 110,
    low24h: 99.5,
    source: 'simulated',
  });
  expect(market.isStale('BTCUSDT', now())).toBe(true);
  expect(market.state()).toMatchObject({ live: false, lastTickAt: null, symbols: { priced: 1 } });
  expect(ticks).toEqual([]);
});

test('prices of another source mark nothing: they are dropped at start', async () => {
  const feed = createManualFeed(now);
  feed.setPrice('BTCUSDT', '100');
  await close((await open(feed)).market);
  const { market } = await open({ ...createManualFeed(now), sourceOf: () => 'replay' });
  expect(market.price('BTCUSDT')).toBeUndefined();
  expect(await rows('select symbol from app.last_prices')).toEqual([]);
});

test('ENT-25: the simulated feed fills every row of the table API at start', async () => {
  const { market, ticks } = await open();
  const pairs = await rows(
    `select count(*)::int as count from api.trading_pairs
     where price > 0 and volume > 0 and priced_at is not null and market_open and source = 'simulated'`,
  );
  expect(pairs).toEqual([{ count: market.pairs().length }]);
  expect(new Set(ticks.map((tick) => tick.symbol)).size).toBe(market.pairs().length);
  for (const tick of ticks) {
    expect(tick).toMatchObject({
      symbol: expect.any(String),
      price: expect.any(Number),
      price_change_percent: expect.any(Number),
      volume: expect.any(Number),
    });
  }
  const [tick] = ticks;
  expect(
    await rows(
      `select symbol, price::float8, price_change_percent::float8, volume::float8 from api.trading_pairs
       where symbol = '${tick?.symbol}'`,
    ),
  ).toEqual([
    {
      symbol: tick?.symbol,
      price: tick?.price,
      price_change_percent: expect.closeTo(tick?.price_change_percent ?? Number.NaN, 6),
      volume: expect.closeTo(tick?.volume ?? Number.NaN, 6),
    },
  ]);
  expect(market.state()).toMatchObject({ source: 'simulated', live: true });
  const candles = await candlesOf(market, { p_symbol: 'BTCUSDT', p_timeframe: '15m' });
  expect(candles).toHaveLength(300);
  expect(candles.at(-1)!.close).toBe(market.ticks().find((tick) => tick.symbol === 'BTCUSDT')!.price);
});

test('get_candles checks its symbol, its limit and its bound', async () => {
  const { market } = await open();
  const refused = candlesOf(market, { p_symbol: 'NOPE', p_timeframe: '1m' });
  await expect(refused).rejects.toThrow(new AppError('unknown_symbol', 'Unknown symbol: NOPE'));
  const bars = await candlesOf(market, {
    p_symbol: 'EUR/USD',
    p_timeframe: '1d',
    p_limit: 3,
    p_before: '2026-11-10T00:00:00+00:00',
  });
  expect(bars.map((bar) => bar.open_time.slice(0, 10))).toEqual(['2026-11-07', '2026-11-08', '2026-11-09']);
});

test('while PostgreSQL is away the newest prices wait and one warning is logged; then they are stored', async () => {
  const feed = createManualFeed(now);
  const query = vi.fn(db.query);
  const log = { ...testLog, error: vi.fn(), info: vi.fn() } as unknown as typeof testLog;
  const bus = createBus(testLog);
  const market = createMarket({
    db: { ...db, query: (...of) => query(...of) as never },
    config: simulated,
    marketKey,
    timers,
    bus,
    log,
    feed,
  });
  await market.start();
  running.push(market);

  query.mockRejectedValue(new Error('away'));
  for (const price of ['100', '101', '102']) {
    feed.setPrice('BTCUSDT', price);
    await timers.advance(1_000);
  }
  expect(log.error).toHaveBeenCalledTimes(1);
  query.mockImplementation(db.query);
  await timers.advance(1_000);
  await market.stop();
  expect(log.info).toHaveBeenCalledTimes(1);
  expect(await rows('select symbol, price from app.last_prices')).toEqual([
    { symbol: 'BTCUSDT', price: '102.00000000' },
  ]);
});

test('storing prices does not wait for the disk', async () => {
  const { market } = await open();
  const price = market.price('BTCUSDT')!;
  const settings = await db.transaction(async (tx) => {
    const setting = async () =>
      (await tx.query(`select current_setting('synchronous_commit') as setting`)).rows[0]!.setting;
    await tx.query('set local synchronous_commit = on');
    const before = await setting();
    await writeLastPrices(tx, [price]);
    return [before, await setting()];
  });
  expect(settings).toEqual(['on', 'off']);
});

test('a replay shows what it has recorded, and no price for any other pair', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fulcrum-market-'));
  try {
    await writeFile(
      join(folder, 'btc.csv'),
      `symbol,open_time,open,high,low,close,volume\nBTCUSDT,${Date.UTC(2022, 11, 13)},17208.86,17212.99,17205,17205,1.5\n`,
    );
    const { market } = await open(undefined, {
      ...simulated,
      priceFeed: { kind: 'replay', folder, speed: 60, loop: false, onJump: 'pause', historyMinutes: 0 },
    });
    expect(await rows('select symbol, price, source from api.trading_pairs where price is not null')).toEqual(
      [{ symbol: 'BTCUSDT', price: '17208.86000000', source: 'replay' }],
    );
    expect(market.price('ETHUSDT')).toBeUndefined();
    expect(market.isStale('ETHUSDT', now())).toBe(true);
    expect(await candlesOf(market, { p_symbol: 'ETHUSDT', p_timeframe: '1m' })).toEqual([]);
    expect(market.ticks()).toMatchObject([
      { priced_at: '2026-11-21T12:00:00.000Z', market_time: '2022-12-13T00:00:00.000Z' },
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('CALL-49: update_position_mark_prices stores the newest prices at once, together in one write', async () => {
  const feed = createManualFeed(now);
  const { market } = await open(feed);
  feed.setPrice('BTCUSDT', '101');
  feed.setPrice('ETHUSDT', '51');
  const answers = await Promise.all([
    market.procedures.update_position_mark_prices(),
    market.procedures.update_position_mark_prices(),
  ]);
  expect(answers).toEqual([{ prices_updated: 2 }, { prices_updated: 2 }]);
  expect(
    await rows(
      `select symbol, price from app.last_prices where symbol in ('BTCUSDT', 'ETHUSDT') order by symbol`,
    ),
  ).toEqual([
    { symbol: 'BTCUSDT', price: '101.00000000' },
    { symbol: 'ETHUSDT', price: '51.00000000' },
  ]);
  expect(await market.procedures.update_position_mark_prices()).toEqual({ prices_updated: 0 });
});

test('RULE-25, CALL-49: a mark that cannot be stored returns a retryable answer, and nothing is lost', async () => {
  const feed = createManualFeed(now);
  const { market } = await open(feed);
  await db.asOwner('alter table app.last_prices rename to last_prices_away');
  feed.setPrice('BTCUSDT', '103');
  await expect(market.procedures.update_position_mark_prices()).rejects.toMatchObject({ code: 'busy' });
  await db.asOwner('alter table app.last_prices_away rename to last_prices');
  await market.procedures.update_position_mark_prices();
  expect(await rows(`select price from app.last_prices where symbol = 'BTCUSDT'`)).toEqual([
    { price: '103.00000000' },
  ]);
});
