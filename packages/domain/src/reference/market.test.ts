/**
 * Compares the market's figures and the exposure with plain rankings and sums, and checks their bounds for any input.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimal, ratio, rounded, sumOf, through, times } from '../../test/rational.ts';
import { exposureBySymbol } from '../exposure.ts';
import { fearAndGreed, measureMarkets } from '../fear-greed.ts';
import { asPrice, asSize } from '../money.ts';
import { heatmapTiles, topMovers } from '../movers.ts';
import { marketSentiment, SENTIMENT_LOOKBACK_HOURS } from '../sentiment.ts';

const wild = fc.oneof(
  fc.double(),
  fc.constantFrom(null, 0, -0, -1, 1, Number.NaN, Infinity, -Infinity, 5e-324, 1.7e308),
);
const price = fc.oneof(
  { weight: 9, arbitrary: fc.double({ min: 1e-6, max: 1e6, noNaN: true }) },
  { weight: 1, arbitrary: wild },
);
const walk = fc
  .array(fc.double({ min: -0.05, max: 0.05, noNaN: true }), {
    minLength: SENTIMENT_LOOKBACK_HOURS,
    maxLength: SENTIMENT_LOOKBACK_HOURS,
  })
  .map((steps) => {
    // Of a market that never moved any move is a whole one, by definition; this one did.
    let at = 101;
    return [100, ...steps.map((step) => (at *= 1 + step))];
  });

test('A41 DASH-14: sentiment keeps within its bounds for any figures, and is the mean of its two halves', () => {
  let readings = 0;
  fc.assert(
    fc.property(fc.array(fc.array(price, { minLength: 10, maxLength: 76 }), { maxLength: 4 }), (markets) => {
      const calculated = marketSentiment(markets);
      if (calculated === null) return;
      readings += 1;
      for (const half of [calculated.breadth, calculated.momentum])
        expect(Math.abs(half)).toBeLessThanOrEqual(1);
      expect(Math.abs(calculated.value)).toBeLessThanOrEqual(50);
      expect(calculated.value).toBeCloseTo((50 * calculated.breadth + 50 * calculated.momentum) / 2, 9);
    }),
    { numRuns: 300 },
  );
  // Not all figures make a reading.
  expect(readings).toBeGreaterThan(100);
});

test('A41: a market turned upside down has the opposite sentiment, and a hair more of a price moves it by no more than a hair', () => {
  fc.assert(
    fc.property(fc.array(walk, { minLength: 1, maxLength: 3 }), (markets) => {
      const calculated = marketSentiment(markets)!;
      const mirrored = marketSentiment(markets.map((closes) => closes.map((close) => 1 / close)))!;
      expect(mirrored.value).toBeCloseTo(-calculated.value, 6);
      const lifted = marketSentiment(
        markets.map((closes) =>
          closes.map((close, index) => (index === closes.length - 1 ? close * (1 + 1e-12) : close)),
        ),
      )!;
      expect(lifted.breadth).toBeGreaterThanOrEqual(calculated.breadth);
      expect(lifted.momentum - calculated.momentum).toBeGreaterThanOrEqual(0);
      expect(lifted.momentum - calculated.momentum).toBeLessThan(1e-6);
    }),
    { numRuns: 200 },
  );
});

test('A41 DASH-20 to DASH-24: fear and greed is the weighted mean of what is known, from 0 to 100, and moves by no more than its inputs', () => {
  const figures = fc.record({ volatility: wild, momentum: wild, breadth: wild, long_short: wild });
  fc.assert(
    fc.property(figures, (known) => {
      const { value, inputs } = fearAndGreed(known);
      const scored = inputs.filter(({ score }) => score !== null);
      for (const { score } of scored)
        expect(score! >= 0 && score! <= 100 && Number.isInteger(score)).toBe(true);
      const whole = inputs.reduce((sum, { weight }) => sum + weight, 0);
      expect(whole).toBeCloseTo(scored.length === 0 ? 0 : 1, 12);
      if (value === null) return;
      expect(value >= 0 && value <= 100 && Number.isInteger(value)).toBe(true);
      const mean = scored.reduce((sum, { score, weight }) => sum + score! * weight, 0);
      expect(Math.abs(value - mean)).toBeLessThanOrEqual(0.5 + 1e-9);
    }),
    { numRuns: 1000 },
  );
  const steps = Array.from({ length: 401 }, (_, index) => -100 + index / 2);
  const values = steps.map(
    (momentum) => fearAndGreed({ volatility: 3, momentum, breadth: 0.4, long_short: null }).value!,
  );
  // Half a per cent of momentum is at most two points of its score, 40 % of the index.
  expect(values.every((value, index) => index === 0 || [0, 1].includes(value - values[index - 1]!))).toBe(
    true,
  );
});

test('A41: measures of markets are finite or unknown, for any bars', () => {
  const day = fc.record({ close: price, high: price, low: price });
  const market = fc.record({
    price,
    dayAgo: price,
    high: price,
    low: price,
    days: fc.array(day, { maxLength: 30, size: 'max' }),
  });
  fc.assert(
    fc.property(fc.array(market, { minLength: 1, maxLength: 4 }), (markets) => {
      const { value } = fearAndGreed({ ...measureMarkets(markets as never), long_short: null });
      expect(value === null || (value >= 0 && value <= 100)).toBe(true);
    }),
    { numRuns: 150 },
  );
});

const listed = fc.uniqueArray(
  fc.record({
    symbol: fc.stringMatching(/^[A-Z]{1,3}USDT$/),
    price: fc.oneof(wild, fc.integer({ min: 0, max: 4 })),
    priceChangePercent: fc.oneof(wild, fc.integer({ min: -3, max: 3 })),
    quoteVolume: fc.oneof(wild, fc.integer({ min: 0, max: 4 })),
  }),
  { selector: ({ symbol }) => symbol, maxLength: 40 },
);
const isNumber = (value: number | null): value is number => value !== null && Number.isFinite(value);

test('DASH-15 DASH-17 A40: movers and tiles are the first of the plain ranking, for any order of the markets', () => {
  fc.assert(
    fc.property(listed, (markets) => {
      const rank = (weightOf: (market: (typeof markets)[number]) => number | null, count: number) =>
        markets
          .map((market) => ({ symbol: market.symbol, weight: weightOf(market) }))
          .filter(({ weight }) => isNumber(weight))
          .sort((a, b) => (a.weight === b.weight ? (a.symbol < b.symbol ? -1 : 1) : b.weight! - a.weight!))
          .slice(0, count)
          .map(({ symbol }) => symbol);
      const shuffled = [...markets].reverse();
      const movers = rank(({ priceChangePercent: moved }) => (isNumber(moved) ? Math.abs(moved) : null), 5);
      expect(topMovers(shuffled).map(({ symbol }) => symbol)).toEqual(movers);
      const heaviest = rank(({ quoteVolume, price: last }) => {
        if (!isNumber(quoteVolume) || !isNumber(last)) return null;
        return quoteVolume * last > 0 ? quoteVolume * last : null;
      }, 16);
      const tiles = heatmapTiles(shuffled);
      expect(tiles.map(({ market }) => market.symbol)).toEqual(heaviest);
      const shares = tiles.map(({ share }) => share);
      if (shares.length > 0) expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
      expect(shares.every((share, index) => index === 0 || share <= shares[index - 1]!)).toBe(true);
      expect(shares[0] ?? 0).toBeLessThanOrEqual(9.000001 * (shares.at(-1) ?? 0));
    }),
    { numRuns: 500 },
  );
});

test('DASH-25 DASH-26 A91: exposure is the sum by symbol of size × mark or entry, and its shares are of the whole', () => {
  const units = fc.bigInt({ min: 1n, max: 10n ** 15n });
  const positions = fc.array(
    fc.record({
      symbol: fc.constantFrom('A', 'B', 'C', 'D'),
      side: fc.constantFrom('BUY' as const, 'SELL' as const),
      size: units.map(asSize),
      entryPrice: units.map(asPrice),
      markPrice: fc.option(units.map(asPrice)),
    }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(positions, (held) => {
      const { total, symbols } = exposureBySymbol(held);
      const worth = held.map(({ size, entryPrice, markPrice }) =>
        rounded(times(decimal(size), decimal(markPrice ?? entryPrice))),
      );
      expect(total).toBe(worth.reduce((sum, amount) => sum + amount, 0n));
      expect(symbols.reduce((sum, { amount }) => sum + amount, 0n)).toBe(total);
      for (const { symbol, amount, share, sides } of symbols) {
        const own = held.flatMap((position, index) =>
          position.symbol === symbol ? [{ ...position, worth: worth[index]! }] : [],
        );
        expect(amount).toBe(rounded(sumOf(own.map((position) => decimal(position.worth)))));
        expect(share).toBe(rounded(times(through(decimal(amount), decimal(total)), ratio(100n))));
        expect([...sides].sort()).toEqual([...new Set(own.map(({ side }) => side))].sort());
      }
      expect(symbols.every(({ amount }, index) => index === 0 || amount <= symbols[index - 1]!.amount)).toBe(
        true,
      );
    }),
    { numRuns: 300 },
  );
});
