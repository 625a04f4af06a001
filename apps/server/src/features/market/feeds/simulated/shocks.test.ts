import { dayMs, minuteMs, type Timeframe } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { createManualTimers } from '../../../../../test/harness/manual-timers.ts';
import { catalogue } from '../../catalogue/index.ts';
import type { FeedTick } from '../../feed.ts';
import { createSimulatedFeed, modelOfSeed, type PriceShock } from './index.ts';

const start = Date.UTC(2026, 10, 18, 13, 37, 42, 123);
const at = start + 20_100;

function createFeed(shocks: readonly PriceShock[], from = start) {
  const timers = createManualTimers(from);
  const feed = createSimulatedFeed({
    model: modelOfSeed('seed'),
    sessions: null,
    pairs: catalogue,
    timers,
    shocks,
    scales: new Map(),
  });
  return { timers, feed };
}

const shockOf = (symbol: string, percent: number, halfLifeMinutes: number | null = null): PriceShock => ({
  symbol,
  at,
  percent,
  halfLifeMinutes,
});

/** The factor of the shock on each symbol's price at an instant. */
function factors(shock: PriceShock, instant: number) {
  const plain = createFeed([]).feed;
  const shocked = createFeed([shock]).feed;
  return (symbol: string) => shocked.priceAt(symbol, instant)! / plain.priceAt(symbol, instant)!;
}

test('a shock multiplies the price from its instant on, at most one step of the path later', () => {
  expect(factors(shockOf('BTCUSDT', -20), at - 1)('BTCUSDT')).toBe(1);
  for (const later of [118, minuteMs, 400 * dayMs]) {
    expect(factors(shockOf('BTCUSDT', -20), at + later)('BTCUSDT')).toBeCloseTo(0.8, 10);
  }
  expect(factors(shockOf('BTCUSDT', -20), at + minuteMs)('ETHUSDT')).toBe(1);
});

test('with a half-life the shock goes back by half of its logarithm in that time', () => {
  const after = (minutes: number) => factors(shockOf('AAPL', 44, 30), at + minutes * minuteMs)('AAPL');
  expect(after(30)).toBeCloseTo(1.2, 4);
  expect(after(60)).toBeCloseTo(Math.sqrt(1.2), 4);
  expect(after(30 * 100)).toBe(1);
});

test('a forex shock moves the currency, so all its pairs move and triangles hold', () => {
  const factor = factors(shockOf('EUR/USD', -5), at + minuteMs);
  expect(factor('EUR/USD')).toBeCloseTo(0.95, 10);
  expect(factor('EUR/GBP')).toBeCloseTo(0.95, 10);
  expect(factor('EUR/JPY')).toBeCloseTo(0.95, 10);
  expect(factor('GBP/USD')).toBe(1);
  const yen = factors(shockOf('USD/JPY', 10), at + minuteMs);
  expect(yen('USD/JPY')).toBeCloseTo(1.1, 10);
  expect(yen('CHF/JPY')).toBeCloseTo(1.1, 10);
  expect(yen('EUR/USD')).toBe(1);
  expect(factors(shockOf('EUR/GBP', 3), at + minuteMs)('EUR/USD')).toBeCloseTo(1.03, 10);
});

test('both symbols of copper move, and Brent with WTI', () => {
  const copper = factors(shockOf('XCUUSD', 8), at + minuteMs);
  expect([copper('XCUUSD'), copper('HGUSD')].map((factor) => factor.toFixed(9))).toEqual([
    '1.080000000',
    '1.080000000',
  ]);
  const oil = factors(shockOf('WTIUSD', 10), at + minuteMs);
  expect(oil('BCOUSD')).toBeCloseTo(1.1 ** (0.93 * (1.9 / 2)), 8);
  const brent = factors(shockOf('BCOUSD', 10), at + minuteMs);
  expect(brent('BCOUSD')).toBeCloseTo(1.1, 8);
});

test('A106: the first tick after a shock breaks with the past, no other, and only for what it moves', async () => {
  const { timers, feed } = createFeed([]);
  const ticks: FeedTick[] = [];
  await feed.start((tick) => ticks.push(tick));
  await timers.advance(at - start - 100);
  // Recorded a moment before it takes effect.
  feed.shock(shockOf('EUR/USD', 6));
  await timers.advance(3_000);
  await feed.stop();
  const breaks = ticks.filter((tick) => tick.breaks);
  const ofEuro = catalogue
    .filter(({ baseAsset, quoteAsset }) =>
      [baseAsset, quoteAsset].some((asset) => asset === 'EUR' || asset === 'DKK'),
    )
    .map((pair) => pair.symbol);
  expect(new Set(breaks.map((tick) => tick.symbol))).toEqual(new Set(ofEuro));
  expect(breaks).toHaveLength(ofEuro.length);
  for (const { marketTime } of breaks) expect(marketTime - at).toBeLessThan(500);
  const euro = ticks.filter((tick) => tick.symbol === 'EUR/USD');
  const first = euro.findIndex((tick) => tick.breaks);
  expect(Number(euro[first]!.price) / Number(euro[first - 1]!.price)).toBeCloseTo(1.06, 3);
  expect(euro[first]!.day!.high).toBeGreaterThanOrEqual(Number(euro[first]!.price));
});

test('bars across a shock hold both sides of it, and ticks lie inside them', async () => {
  for (const shock of [
    shockOf('EUR/GBP', 12, 2),
    shockOf('EUR/GBP', -12, 2),
    shockOf('BTCUSDT', 30),
    shockOf('BCOUSD', -9, 40),
  ]) {
    const { timers, feed } = createFeed([], start);
    const { symbol } = shock;
    // Read before, so that a cached bar would be the old one.
    await timers.advance(10 * minuteMs);
    await feed.candles(symbol, '1m', { limit: 30, before: null });
    feed.shock(shock);
    const prices: number[] = [];
    for (let instant = at - minuteMs; instant < at + 9 * minuteMs; instant += 117)
      prices.push(feed.priceAt(symbol, instant)!);
    for (const timeframe of ['1m', '5m', '15m', '1h', '1d', '1M'] satisfies Timeframe[]) {
      const bars = await feed.candles(symbol, timeframe, { limit: 30, before: null });
      const highest = Math.max(...bars.map((bar) => bar.high));
      const lowest = Math.min(...bars.map((bar) => bar.low));
      // Half a tick is what rounding takes.
      expect(Math.max(...prices)).toBeLessThanOrEqual(highest * 1.00001 + 0.005);
      expect(Math.min(...prices)).toBeGreaterThanOrEqual(lowest * 0.99999 - 0.005);
      for (const bar of bars) {
        expect(bar.high).toBeGreaterThanOrEqual(Math.max(bar.open, bar.close));
        expect(bar.low).toBeLessThanOrEqual(Math.min(bar.open, bar.close));
      }
    }
    const minutes = await feed.candles(symbol, '1m', { limit: 60, before: null });
    const hour = await feed.candles(symbol, '1h', { limit: 1, before: Date.UTC(2026, 10, 18, 14) });
    const inHour = minutes.filter((bar) => bar.open_time.startsWith('2026-11-18T13'));
    expect(inHour.every((bar) => bar.high <= hour[0]!.high && bar.low >= hour[0]!.low)).toBe(true);
    expect(hour[0]!.close).toBe(inHour.at(-1)!.close);
  }
});

test('after a restart with the same shocks every price and every bar is the same again', async () => {
  const shocks = [
    shockOf('EUR/USD', 4, 15),
    shockOf('EUR/CHF', -7),
    { ...shockOf('NGUSD', 50), at: at - 3 * dayMs },
  ];
  const running = createFeed([]);
  await running.timers.advance(minuteMs);
  for (const shock of shocks) running.feed.shock(shock);
  await running.timers.advance(29 * minuteMs);
  const restarted = createFeed(shocks, start + 30 * minuteMs);
  const ticks: FeedTick[] = [];
  await restarted.feed.start((tick) => ticks.push(tick));
  await restarted.feed.stop();
  expect(ticks.some((tick) => tick.breaks)).toBe(false);
  for (const name of ['EUR/USD', 'EUR/GBP', 'USD/CHF', 'NGUSD']) {
    expect(restarted.feed.priceAt(name, at + 777)).toBe(running.feed.priceAt(name, at + 777));
    for (const timeframe of ['1m', '4h', '1d'] satisfies Timeframe[]) {
      const query = { limit: 20, before: null };
      expect(await restarted.feed.candles(name, timeframe, query)).toEqual(
        await running.feed.candles(name, timeframe, query),
      );
    }
  }
});

test('a shock of an unknown symbol moves nothing', () => {
  const { feed } = createFeed([shockOf('NOPE', 10)]);
  feed.shock(shockOf('NOPE', 10));
  expect(feed.priceAt('BTCUSDT', at + 1_000)).toBe(createFeed([]).feed.priceAt('BTCUSDT', at + 1_000));
});

test('a shock never takes a price beyond the pair’s bounds', async () => {
  const shocks = Array.from({ length: 40 }, () => shockOf('SHIBUSDT', -50));
  const { timers, feed } = createFeed(shocks);
  await timers.advance(minuteMs);
  const [bar] = await feed.candles('SHIBUSDT', '1m', { limit: 1, before: null });
  expect(bar!.low).toBe(1e-8);
});
