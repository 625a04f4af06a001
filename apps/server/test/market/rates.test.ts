/** How often simulated prices are computed and stored: followed ones at the full rate, the others less often. */
import { toNumber } from '@fulcrum/domain';
import { expect, onTestFinished, test } from 'vitest';
import { createMarket } from '../../src/features/market/index.ts';
import { createBus } from '../../src/platform/bus/index.ts';
import { loadConfig } from '../../src/platform/config/index.ts';
import { createTestDatabase, testLog } from '../harness/index.ts';
import { createManualTimers } from '../harness/manual-timers.ts';
import { startUserServer } from '../identity/user-server.ts';

const start = Date.UTC(2026, 10, 21, 12, 0);

async function open() {
  const db = await createTestDatabase();
  const timers = createManualTimers(start);
  const bus = createBus(testLog);
  const counts = new Map<string, number>();
  bus.subscribe('market.tick', ({ symbol }) => counts.set(symbol, (counts.get(symbol) ?? 0) + 1));
  const marketKey = Buffer.alloc(32, 'market');
  const market = createMarket({ db, config: loadConfig({}), marketKey, timers, bus, log: testLog });
  onTestFinished(async () => {
    await market.stop();
    await db.close();
  });
  await market.start();
  const inUse = new Set<string>();
  market.setSymbolsInUse(() => inUse);
  return {
    market,
    timers,
    inUse,
    async ticksOf(symbol: string, ms: number) {
      counts.clear();
      await timers.advance(ms);
      return counts.get(symbol) ?? 0;
    },
    async stored(symbol: string) {
      // A beat leaves its write to itself.
      await new Promise((resolve) => setTimeout(resolve, 50));
      const { rows } = await db.query<{ price: string; priced_at: Date }>(
        'select price, priced_at from app.last_prices where symbol = $1',
        [symbol],
      );
      return { price: Number(rows[0]!.price), ageMs: timers.now() - rows[0]!.priced_at.getTime() };
    },
  };
}

test('a symbol that is not followed ticks once a second; in use or displayed, four times', async () => {
  const { market, inUse, ticksOf } = await open();
  for (const symbol of ['BTCUSDT', 'USD/HKD']) {
    const tickCount = await ticksOf(symbol, 10_000);
    expect(tickCount).toBeGreaterThanOrEqual(9);
    expect(tickCount).toBeLessThanOrEqual(11);
  }

  inUse.add('BTCUSDT');
  expect(await ticksOf('BTCUSDT', 250)).toBe(1);
  expect(await ticksOf('BTCUSDT', 10_000)).toBeGreaterThan(30);
  inUse.clear();
  expect(await ticksOf('BTCUSDT', 10_000)).toBeLessThanOrEqual(11);

  const unwatch = market.follow('BTCUSDT');
  expect(await ticksOf('BTCUSDT', 10_000)).toBeGreaterThan(30);
  unwatch();
  const unwatchAll = market.followAll();
  expect(await ticksOf('ETHUSDT', 10_000)).toBeGreaterThan(30);
  unwatchAll();
  expect(await ticksOf('ETHUSDT', 10_000)).toBeLessThanOrEqual(11);
});

test('a client that begins to display or to trade a symbol has its price of that moment', async () => {
  const { market, timers } = await open();
  await timers.advance(1_040);
  const pricedAt = (symbol: string) => market.price(symbol)!.pricedAt;
  const idle = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'BNBUSDT', 'XRPUSDT'];
  market.follow('BTCUSDT');
  expect(pricedAt('BTCUSDT')).toBe(timers.now());
  await market.ensureFresh('ETHUSDT');
  expect(pricedAt('ETHUSDT')).toBe(timers.now());
  expect(pricedAt('SOLUSDT')).toBeLessThan(timers.now());
  market.followAll();
  for (const symbol of idle) expect(pricedAt(symbol)).toBe(timers.now());
});

test('last prices: in use each second, others every ten seconds, and what is opened on is stored before', async () => {
  const { market, timers, inUse, stored } = await open();
  inUse.add('BTCUSDT');
  const ages: number[] = [];
  for (let second = 0; second < 24; second += 1) {
    await timers.advance(1_000);
    expect((await stored('BTCUSDT')).ageMs).toBeLessThanOrEqual(1_250);
    ages.push((await stored('ETHUSDT')).ageMs);
  }
  expect(Math.max(...ages)).toBeGreaterThan(5_000);
  expect(Math.max(...ages)).toBeLessThanOrEqual(12_000);

  // So that its row is some seconds old.
  while ((await stored('ETHUSDT')).ageMs < 5_000) await timers.advance(1_000);
  await market.ensureFresh('ETHUSDT');
  const row = await stored('ETHUSDT');
  expect(row.ageMs).toBe(0);
  expect(row.price).toBe(toNumber(market.price('ETHUSDT')!.price));
});

test('who reads the stored prices finds those of the moment, then those of the last second or two', async () => {
  const { market, timers, stored } = await open();
  await timers.advance(5_030);
  expect((await stored('AAPL')).ageMs).toBeGreaterThan(3_000);
  await market.syncStoredPrices();
  expect((await stored('AAPL')).ageMs).toBe(0);
  for (let second = 0; second < 8; second += 1) {
    await timers.advance(1_000);
    await market.syncStoredPrices();
    expect((await stored('AAPL')).ageMs).toBeLessThanOrEqual(2_250);
  }
});

test('trading_pairs over REST shows the present price of a symbol that is not followed', async () => {
  const timers = createManualTimers(start);
  const server = await startUserServer({ feed: null, timers });
  onTestFinished(() => server.close());
  const visitor = await server.addUser('trader');
  await timers.advance(5_030);
  const { data } = await visitor.client.from('trading_pairs').select('price, priced_at').eq('symbol', 'AAPL');
  expect(Date.parse(data?.[0]?.priced_at ?? '')).toBe(timers.now());
});
