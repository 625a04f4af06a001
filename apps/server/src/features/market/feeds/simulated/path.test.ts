import { barSpan, barStart, dayMs, hourMs, type Timeframe, toNumber } from '@fulcrum/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catalogue, type ListedPair } from '../../catalogue/index.ts';
import { compositionOf } from './composition.ts';
import { firstDay } from './daily.ts';
import { createEngine3Noise, keyOfSeed } from './engine-3.ts';
import { extremeOf, layOutDay, levelOf } from './intraday.ts';
import { type MarketModel, modelOfEngine2, modelOfSeed } from './model.ts';
import { createSimulatedPath, firstInstant } from './path.ts';
import { leavesPerBlock, leavesPerDay, rhythmOfDay } from './rhythm.ts';
import type { Move } from './shocks.ts';

const now = Date.UTC(2026, 10, 21, 13, 37, 42, 123);
const pairOf = (symbol: string): ListedPair => catalogue.find((pair) => pair.symbol === symbol)!;
const instant = fc.integer({ min: Date.UTC(2024, 0, 1), max: now });
const symbol = fc.constantFrom(...catalogue.map((pair) => pair.symbol));
const spanOf = (timeframe: Timeframe, at: number, hours: string) =>
  barSpan(timeframe, barStart(timeframe, at, hours), hours);

/** Shared by what is computed of it: eleven years of days are not quickly had. */
const models = new Map<string, MarketModel>();
function modelNamed(seed: string): MarketModel {
  const model = models.get(seed) ?? modelOfSeed(seed);
  models.set(seed, model);
  return model;
}

function pathOf(seed: string | MarketModel, name: string, moves: readonly Move[] = []) {
  const pair = pairOf(name);
  return createSimulatedPath({
    model: typeof seed === 'string' ? modelNamed(seed) : seed,
    pair: { ...pair, typical: pair.typical! },
    composition: compositionOf(pair)!,
    scale: 1,
    moves,
  });
}

test('the same seed gives the same price at the same instant, whatever was computed before', () => {
  const fresh = pathOf(modelOfSeed('seed'), 'BTCUSDT');
  const used = pathOf(modelOfSeed('seed'), 'BTCUSDT');
  used.priceAt(now + 900 * dayMs);
  used.bar([{ from: Date.UTC(2019, 4, 1), to: Date.UTC(2019, 5, 1) }]);
  for (let ago = 0; ago < 50; ago += 1) {
    const at = now - ago * 7_919_333;
    expect(used.priceAt(at)).toBe(fresh.priceAt(at));
  }
  const lastDay = [{ from: now - dayMs, to: now }];
  expect(used.bar(lastDay)).toEqual(fresh.bar(lastDay));
  expect(pathOf('other', 'BTCUSDT').priceAt(now)).not.toBe(fresh.priceAt(now));
});

test('A109: engine 2 keeps its path, for the past of older data folders: known prices of its default seed', () => {
  const prices = ['BTCUSDT', 'DOGEUSDT', 'AAPL', 'EUR/USD', 'EUR/GBP', 'BCOUSD', 'SPX'].map((name) =>
    pathOf(modelOfEngine2('fulcrum'), name).priceAt(now),
  );
  expect(prices).toMatchInlineSnapshot(`
    [
      58244.68,
      0.12909,
      259.57,
      1.22566,
      0.93947,
      60.23,
      6577.83,
    ]
  `);
});

test('the extremes of a span are those of a walk over all its leaves, shocks included', () => {
  const noise = createEngine3Noise(keyOfSeed('extremes'));
  const oneLeg = { amplitude: 0.03, shared: [], own: { draws: noise.path('own', 1), loading: 1 } };
  const other = {
    amplitude: -0.02,
    shared: [{ draws: noise.factor('shared', 1), loading: 0.8 }],
    own: { draws: noise.path('other', 1), loading: 0.6 },
  };
  const shock = { from: 400_000, size: 0.01, halfLife: 3_000 };
  const terms = {
    displacement: noise.displacement,
    rhythm: rhythmOfDay('forex', firstDay, false),
    clock: noise.clock('clock', 1),
    volume: noise.volume('volume', 'clock', 1),
    open: 0.1,
    close: 0.12,
  };
  const days = [
    layOutDay({ ...terms, swings: [oneLeg], moves: [] }),
    layOutDay({ ...terms, swings: [oneLeg, other], moves: [] }),
    layOutDay({
      ...terms,
      swings: [oneLeg, other],
      moves: [shock, { ...shock, size: -0.02, halfLife: Infinity }],
    }),
  ];
  const leaf = fc.oneof(
    fc.integer({ min: 0, max: leavesPerDay - 1 }),
    fc.integer({ min: shock.from, max: shock.from + 5_000 }),
    fc.integer({ min: 0, max: 287 }).map((block) => block * leavesPerBlock),
  );
  fc.assert(
    fc.property(fc.constantFrom(...days), leaf, fc.integer({ min: 0, max: 6_000 }), (day, from, length) => {
      const end = Math.min(from + length, leavesPerDay - 1);
      // No move may begin inside the span: the caller cuts it there.
      const to = day.moves.length > 0 && from < shock.from ? Math.min(end, shock.from - 1) : end;
      let highest = -Infinity;
      let lowest = Infinity;
      for (let at = from; at <= to; at += 1) {
        const level = levelOf(day, at);
        highest = Math.max(highest, level);
        lowest = Math.min(lowest, level);
      }
      expect(extremeOf(day, 1, from, to, -Infinity)).toBe(highest);
      expect(-extremeOf(day, -1, from, to, -Infinity)).toBe(lowest);
    }),
    { numRuns: 60 },
  );
});

test('a tick lies inside every candle that holds its instant, on the pair’s ticks', () => {
  fc.assert(
    fc.property(symbol, instant, fc.constantFrom('1m', '15m', '4h', '1d', '1w'), (name, at, timeframe) => {
      const pair = pairOf(name);
      const path = pathOf('seed', name);
      const price = path.priceAt(at);
      const { from, to } = spanOf(timeframe as Timeframe, at, pair.tradingHours);
      const finished = path.bar([{ from, to }])!;
      const current = path.bar([{ from, to: at + 1 }])!;
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
  ['1h', '1d'],
  ['1d', '1w'],
  ['1d', '1M'],
];
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

test('candles of each timeframe add up to those of the next one, both volumes included', () => {
  fc.assert(
    fc.property(symbol, instant, fc.constantFrom(...nesting), (name, at, [short, long]) => {
      const path = pathOf('seed', name);
      const hours = pairOf(name).tradingHours;
      const { from, to } = spanOf(long, at, hours);
      const whole = path.bar([{ from, to }])!;
      const parts = [];
      for (let next = from; next < to; next = spanOf(short, next, hours).to) {
        parts.push(path.bar([{ from: next, to: spanOf(short, next, hours).to }])!);
      }
      expect(whole.open).toBe(parts[0]!.open);
      expect(whole.close).toBe(parts.at(-1)!.close);
      expect(whole.high).toBe(Math.max(...parts.map((part) => part.high)));
      expect(whole.low).toBe(Math.min(...parts.map((part) => part.low)));
      // The sums are those of whole steps and hundredths; adding doubles up adds their last bits.
      const volume = sumOf(parts.map((part) => part.volume));
      expect(Math.abs(whole.volume - volume)).toBeLessThanOrEqual(1e-12 * whole.volume);
      const quoteVolume = sumOf(parts.map((part) => part.quote_volume));
      expect(Math.abs(whole.quote_volume - quoteVolume)).toBeLessThanOrEqual(1e-12 * whole.quote_volume);
    }),
    { numRuns: 60 },
  );
});

test('a bar of five minutes or more turned over its volume at a price within it', () => {
  const timeframe = fc.constantFrom<Timeframe>('5m', '30m', '4h', '1d', '1w');
  fc.assert(
    fc.property(symbol, instant, timeframe, (name, at, length) => {
      const bar = pathOf('seed', name).bar([spanOf(length, at, pairOf(name).tradingHours)])!;
      // Half a hundredth of the quote is what rounding can move.
      expect(bar.quote_volume).toBeGreaterThanOrEqual(bar.low * bar.volume * (1 - 1e-12) - 1);
      expect(bar.quote_volume).toBeLessThanOrEqual(bar.high * bar.volume * (1 + 1e-12) + 1);
    }),
    { numRuns: 60 },
  );
});

test('each minute of a block has a volume of its own', () => {
  const path = pathOf('seed', 'BTCUSDT');
  const hour = Math.floor(now / hourMs) * hourMs;
  const minutes = Array.from({ length: 60 }, (_, minute) => {
    const from = hour - hourMs + minute * 60_000;
    return path.bar([{ from, to: from + 60_000 }])!.volume;
  });
  expect(Math.min(...minutes)).toBeGreaterThan(0);
  for (let block = 0; block < 60; block += 5) {
    const five = minutes.slice(block, block + 5);
    expect(new Set(five).size).toBe(5);
    expect(Math.max(...five) / Math.min(...five)).toBeLessThan(4.1);
  }
});

test('midnight is an instant like any other: the price goes on from there', () => {
  for (const name of ['BTCUSDT', 'EUR/GBP', 'BCOUSD']) {
    const { layers } = modelNamed('seed');
    const { legs } = compositionOf(pairOf(name))!;
    for (let day = firstDay + 4_000; day < firstDay + 4_050; day += 1) {
      for (const { path } of legs)
        expect(layers.of(path).day(day).close).toBe(layers.of(path).day(day + 1).open);
    }
    const path = pathOf('seed', name);
    const midnight = Date.UTC(2026, 5, 1);
    const step = Math.abs(path.exactPriceAt(midnight) / path.exactPriceAt(midnight - 1) - 1);
    expect(step).toBeLessThan(0.0005);
  }
});

test('three pairs of three currencies agree at every instant, but for the rounding to their ticks', () => {
  const triangles = [
    ['EUR/GBP', 'EUR/USD', 'GBP/USD'],
    ['EUR/JPY', 'EUR/CHF', 'CHF/JPY'],
    ['USD/DKK', 'EUR/USD', 'GBP/NZD', 'NZD/USD'],
  ];
  const paths = new Map(triangles.flat().map((name) => [name, pathOf('seed', name)]));
  const exact = (name: string, at: number) => paths.get(name)!.exactPriceAt(at);
  fc.assert(
    fc.property(instant, (at) => {
      expect(exact('EUR/GBP', at) / (exact('EUR/USD', at) / exact('GBP/USD', at))).toBeCloseTo(1, 11);
      expect(exact('GBP/NZD', at) / (exact('GBP/USD', at) / exact('NZD/USD', at))).toBeCloseTo(1, 11);
      expect(exact('EUR/JPY', at) / (exact('EUR/CHF', at) * exact('CHF/JPY', at))).toBeCloseTo(1, 11);
      // A peg: the rate stays.
      expect(exact('EUR/USD', at) * exact('USD/DKK', at)).toBeCloseTo(1.166 * 6.405, 8);
      const cross = paths.get('EUR/GBP')!.priceAt(at);
      const derived = paths.get('EUR/USD')!.priceAt(at) / paths.get('GBP/USD')!.priceAt(at);
      expect(Math.abs(cross - derived)).toBeLessThan(2e-5);
    }),
    { numRuns: 200 },
  );
});

test('both copper symbols have one price, and Brent stays near WTI', () => {
  const [xcu, hg, wti, brent] = ['XCUUSD', 'HGUSD', 'WTIUSD', 'BCOUSD'].map((name) => pathOf('seed', name));
  for (let at = firstInstant; at < now; at += 41 * hourMs) {
    expect(xcu!.priceAt(at)).toBe(hg!.priceAt(at));
    const premium = (brent!.exactPriceAt(at) / wti!.exactPriceAt(at)) * (61.7 / 65.5);
    expect(Math.abs(Math.log(premium))).toBeLessThan(0.25);
  }
});
