import type { Candle, Timeframe } from '@fulcrum/contract';
import { toNumber } from '@fulcrum/domain';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createManualClock } from '../../../../platform/clock/index.ts';
import { catalogue, type ListedPair } from '../../catalogue.ts';
import type { FeedTick } from '../../feed.ts';
import { barEnd, barStart, dayMs, minuteMs } from '../../timeframes.ts';
import { createDailyLayer, firstDay } from './daily.ts';
import { createSimulatedFeed } from './index.ts';
import { extremeOf, leafOf, leavesPerDay } from './intraday.ts';
import { noiseKey } from './noise.ts';
import { createSimulatedPath, firstInstant } from './path.ts';

const now = Date.UTC(2026, 10, 21, 13, 37, 42, 123);
const pairOf = (symbol: string): ListedPair => catalogue.find((pair) => pair.symbol === symbol)!;
const instant = fc.integer({ min: Date.UTC(2024, 0, 1), max: now });
const symbol = fc.constantFrom(...catalogue.map((pair) => pair.symbol));

test('the same seed gives the same price at the same instant, whatever was asked before', () => {
  const fresh = createSimulatedPath('seed', pairOf('BTCUSDT'));
  const used = createSimulatedPath('seed', pairOf('BTCUSDT'));
  used.priceAt(now + 900 * dayMs);
  used.bar([{ from: Date.UTC(2019, 4, 1), to: Date.UTC(2019, 5, 1) }]);
  for (let ago = 0; ago < 50; ago += 1) {
    const at = now - ago * 7_919_333;
    expect(used.priceAt(at)).toBe(fresh.priceAt(at));
  }
  const lastDay = [{ from: now - dayMs, to: now }];
  expect(used.bar(lastDay)).toEqual(fresh.bar(lastDay));
  expect(createSimulatedPath('other', pairOf('BTCUSDT')).priceAt(now)).not.toBe(fresh.priceAt(now));
});

test('engine 1 stays on its path: known prices of the default seed', () => {
  const priceOf = (name: string) => createSimulatedPath('fulcrum', pairOf(name)).priceAt(now);
  expect([priceOf('BTCUSDT'), priceOf('EUR/USD'), priceOf('AAPL')]).toMatchInlineSnapshot(`
    [
      152072.71,
      1.26594,
      212.11,
    ]
  `);
});

test('the extremes of a span are those of a walk over all its leaves', () => {
  const shape = createDailyLayer('seed', 'X', 'crypto', 0.03).day(firstDay + 3000);
  const day = { key: noiseKey('seed', 'X', 'day'), ...shape };
  const leaf = fc.integer({ min: 0, max: leavesPerDay - 1 });
  fc.assert(
    fc.property(leaf, fc.integer({ min: 0, max: 2_000 }), (from, length) => {
      const to = Math.min(from + length, leavesPerDay - 1);
      let highest = -Infinity;
      let lowest = Infinity;
      for (let at = from; at <= to; at += 1) {
        const { level } = leafOf(day, at);
        highest = Math.max(highest, level);
        lowest = Math.min(lowest, level);
      }
      expect(extremeOf(day, 1, from, to, -Infinity)).toBe(highest);
      expect(-extremeOf(day, -1, from, to, -Infinity)).toBe(lowest);
    }),
    { numRuns: 40 },
  );
});

test('a tick lies inside every candle that holds its instant, on the pair’s ticks', () => {
  fc.assert(
    fc.property(symbol, instant, fc.constantFrom('1m', '15m', '4h', '1d', '1w'), (name, at, timeframe) => {
      const pair = pairOf(name);
      const path = createSimulatedPath('seed', pair);
      const price = path.priceAt(at);
      const start = barStart(timeframe as Timeframe, at);
      const finished = path.bar([{ from: start, to: barEnd(timeframe as Timeframe, start) }])!;
      const current = path.bar([{ from: start, to: at + 1 }])!;
      expect(price).toBeGreaterThanOrEqual(finished.low);
      expect(price).toBeLessThanOrEqual(finished.high);
      expect(current.close).toBe(price);
      expect(current.open).toBe(finished.open);
      expect(current.high).toBeLessThanOrEqual(finished.high);
      expect(current.low).toBeGreaterThanOrEqual(finished.low);
      const tick = toNumber(pair.tickSize);
      expect(Math.abs(price / tick - Math.round(price / tick))).toBeLessThan(1e-6);
    }),
    { numRuns: 40 },
  );
});

const nesting: readonly (readonly [Timeframe, Timeframe])[] = [
  ['1m', '5m'],
  ['5m', '15m'],
  ['15m', '30m'],
  ['30m', '1h'],
  ['1h', '4h'],
  ['4h', '1d'],
  ['1d', '1w'],
  ['1d', '1M'],
];

test('candles of each timeframe add up to those of the next one, volume included', () => {
  fc.assert(
    fc.property(symbol, instant, fc.constantFrom(...nesting), (name, at, [short, long]) => {
      const path = createSimulatedPath('seed', pairOf(name));
      const start = barStart(long, at);
      const end = barEnd(long, start);
      const whole = path.bar([{ from: start, to: end }])!;
      const parts = [];
      for (let from = start; from < end; from = barEnd(short, from)) {
        parts.push(path.bar([{ from, to: barEnd(short, from) }])!);
      }
      expect(whole.open).toBe(parts[0]!.open);
      expect(whole.close).toBe(parts.at(-1)!.close);
      expect(whole.high).toBe(Math.max(...parts.map((part) => part.high)));
      expect(whole.low).toBe(Math.min(...parts.map((part) => part.low)));
      const volume = parts.reduce((sum, part) => sum + part.volume, 0);
      expect(Math.abs(whole.volume - volume)).toBeLessThanOrEqual(1e-9 * whole.volume);
    }),
    { numRuns: 40 },
  );
});

const deviation = (values: readonly number[]): number => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
};

test('twelve simulated years look like a market: volatility on target, fat tails, clusters, no drift away', () => {
  for (const name of ['BTCUSDT', 'EUR/USD', 'SPX', 'TSLA']) {
    const { type, typical } = pairOf(name);
    const layer = createDailyLayer('seed', name, type, typical.dailyVolatilityPct / 100);
    const days = Array.from({ length: 4380 }, (_, day) => layer.day(firstDay + day));
    const returns = days.map(({ open, close }) => close - open);
    const sd = deviation(returns);
    expect(sd / (typical.dailyVolatilityPct / 100)).toBeGreaterThan(0.85);
    expect(sd / (typical.dailyVolatilityPct / 100)).toBeLessThan(1.2);
    const kurtosis = returns.reduce((sum, value) => sum + (value / sd) ** 4, 0) / returns.length - 3;
    expect(kurtosis).toBeGreaterThan(1);
    expect(Math.abs(correlation(returns.slice(1), returns.slice(0, -1)))).toBeLessThan(0.1);
    const sizes = returns.map(Math.abs);
    expect(correlation(sizes.slice(1), sizes.slice(0, -1))).toBeGreaterThan(0.03);
    for (const { open } of days) expect(Math.abs(open)).toBeLessThan(2.5);
  }
});

test('inside a day prices move as much as the day’s volatility says, and more in the afternoon than at night', () => {
  const path = createSimulatedPath('seed', pairOf('BTCUSDT'));
  const byHour = Array.from({ length: 24 }, (): number[] => []);
  for (let hour = 0; hour < 24 * 200; hour += 1) {
    const at = firstInstant + 3000 * dayMs + hour * 3_600_000;
    byHour[hour % 24]!.push(Math.log(path.priceAt(at + 3_600_000) / path.priceAt(at)));
  }
  const spread = byHour.map(deviation);
  expect(spread[14]! / spread[3]!).toBeGreaterThan(1.4);
  const daily = Math.sqrt(spread.reduce((sum, value) => sum + value ** 2, 0));
  expect(daily).toBeGreaterThan(0.012);
  expect(daily).toBeLessThan(0.048);
});

function correlation(xs: readonly number[], ys: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(xs), mean(ys)];
  const covariance = xs.reduce((sum, x, at) => sum + (x - mx) * (ys[at]! - my), 0) / xs.length;
  return covariance / (deviation(xs) * deviation(ys));
}

test('ENT-25: the feed starts with every symbol’s price and day figures, and its last candle closes at that price', async () => {
  const clock = createManualClock(now);
  const feed = createSimulatedFeed({ seed: 'seed', sessions: '24x7', pairs: catalogue, clock });
  const ticks: FeedTick[] = [];
  await feed.start((tick) => ticks.push(tick));
  await feed.stop();

  expect(ticks.map((tick) => tick.symbol)).toEqual(catalogue.map((pair) => pair.symbol));
  for (const tick of ticks) {
    const [candle] = await feed.candles(tick.symbol, '15m', { limit: 1, before: null });
    expect(candle!.close).toBe(tick.price);
    expect(tick.day!.high).toBeGreaterThanOrEqual(candle!.high);
    expect(tick.day!.low).toBeLessThanOrEqual(candle!.low);
    expect(tick.day!.volume).toBeGreaterThan(0);
  }
});

test('the same candles come back however they are paged, none before the market began, none from the future', async () => {
  const clock = createManualClock(now);
  const feed = createSimulatedFeed({ seed: 'seed', sessions: '24x7', pairs: catalogue, clock });
  const query = (limit: number, before: number | null) => feed.candles('ETHUSDT', '1h', { limit, before });
  const whole = await query(100, null);
  const pages: Candle[] = [];
  while (pages.length < 100) {
    pages.unshift(...(await query(20, pages[0] ? Date.parse(pages[0].open_time) : null)));
  }
  expect(pages).toEqual(whole);
  expect(whole.at(-1)!.open_time).toBe('2026-11-21T13:00:00.000Z');
  expect(await query(5, now + 10 * dayMs)).toEqual(whole.slice(-5));
  expect(await query(5, firstInstant)).toEqual([]);
  expect(await query(5, firstInstant + 60 * minuteMs + 1)).toHaveLength(2);
  expect(await feed.candles('NOPE', '1h', { limit: 5, before: null })).toEqual([]);
});

test('visitors who ask for every long chart at once do not hold up the process', async () => {
  const clock = createManualClock(now);
  const feed = createSimulatedFeed({ seed: 'seed', sessions: '24x7', pairs: catalogue, clock });
  let rounds = 0;
  const others = setInterval(() => {
    rounds += 1;
  }, 1);
  const charts = await Promise.all(
    catalogue.slice(0, 4).map(({ symbol: name }) => feed.candles(name, '1d', { limit: 200, before: null })),
  );
  clearInterval(others);
  expect(charts.map((bars) => bars.length)).toEqual([200, 200, 200, 200]);
  expect(rounds).toBeGreaterThan(10);
});

/** A feed of one symbol whose clock and timer a test moves. */
async function startFeed(name: string, at: number) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const clock = createManualClock(at);
  const feed = createSimulatedFeed({ seed: 'seed', sessions: '24x7', pairs: [pairOf(name)], clock });
  onTestFinished(async () => {
    await feed.stop();
    vi.useRealTimers();
  });
  const ticks: FeedTick[] = [];
  await feed.start((tick) => ticks.push(tick));
  const look = (instant: number) => {
    clock.set(instant);
    vi.advanceTimersByTime(250);
  };
  return { ticks, look };
}

test('a clock that is set back takes the price with it: the feed vouches for that tick and no other', async () => {
  const { ticks, look } = await startFeed('BTCUSDT', now);
  look(now + 1_000);
  look(now - 3_600_000);
  look(now - 3_599_000);
  expect(ticks.map(({ marketTime, breaks }) => [marketTime - now, breaks ?? false])).toEqual([
    [0, false],
    [1_000, false],
    [-3_600_000, true],
    [-3_599_000, false],
  ]);
});

test('a new high of the day stays its high while the price falls back', async () => {
  const path = createSimulatedPath('seed', pairOf('BTCUSDT'));
  const highOf = (from: number, to: number) => path.bar([{ from, to }])!.high;
  let minute = barStart('1m', now);
  while (highOf(minute, minute + minuteMs) <= highOf(minute - dayMs, minute)) minute -= minuteMs;

  const { ticks, look } = await startFeed('BTCUSDT', minute);
  for (let ms = 60; ms < minuteMs; ms += 60) look(minute + ms);
  let highest = 0;
  for (const { price, day } of ticks) {
    highest = Math.max(highest, Number(price));
    expect(day!.high).toBeGreaterThanOrEqual(highest);
  }
  expect(highest).toBe(highOf(minute, minute + minuteMs));
});

test('with sessions honoured, bars cover trading hours and a shut market shows the price it shut at', async () => {
  const saturday = Date.UTC(2026, 10, 21, 13, 37);
  const clock = createManualClock(saturday);
  const feed = createSimulatedFeed({ seed: 'seed', sessions: 'honour', pairs: [pairOf('AAPL')], clock });
  const ticks: FeedTick[] = [];
  await feed.start((tick) => ticks.push(tick));
  await feed.stop();
  const bars = async (timeframe: Timeframe, limit: number) =>
    (await feed.candles('AAPL', timeframe, { limit, before: null })).map((bar) => bar.open_time.slice(0, 16));

  expect(await bars('1h', 8)).toEqual([
    '2026-11-19T20:00',
    ...Array.from({ length: 7 }, (_, hour) => `2026-11-20T${14 + hour}:00`),
  ]);
  expect(await bars('1d', 3)).toEqual(['2026-11-18T00:00', '2026-11-19T00:00', '2026-11-20T00:00']);
  const [lastMinute] = await feed.candles('AAPL', '1m', { limit: 1, before: null });
  expect(lastMinute!.open_time).toBe('2026-11-20T20:59:00.000Z');
  expect(ticks).toMatchObject([{ price: lastMinute!.close, marketTime: saturday }]);
  const day = (await feed.candles('AAPL', '1d', { limit: 1, before: null }))[0]!;
  const hours = await feed.candles('AAPL', '1h', { limit: 7, before: null });
  expect(day.high).toBe(Math.max(...hours.map((hour) => hour.high)));
  expect(day.volume).toBeCloseTo(
    hours.reduce((sum, hour) => sum + hour.volume, 0),
    2,
  );
  expect(ticks[0]!.day).toMatchObject({ high: day.high, low: day.low });
});
