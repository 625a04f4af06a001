import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { marketSentiment, SENTIMENT_BOUND, SENTIMENT_LOOKBACK_HOURS } from './sentiment.ts';

/**
 * `hours` closes that alternate by a log change of 0.01 and end with 100, then `last`. The usual hour is 0.01, the
 * usual 12 h move 0.01 × √12 = 0.034641. The close 12 hours before the last one is 100 × e^0.01.
 */
const restless = (last: number | null, hours = SENTIMENT_LOOKBACK_HOURS): (number | null)[] => [
  ...Array.from({ length: hours }, (_, index) => ((hours - index) % 2 === 1 ? 100 : 100 * Math.exp(0.01))),
  last,
];
const rising = restless(100 * Math.exp(0.02));
const still = restless(100 * Math.exp(-0.0005));
const falling = restless(100 * Math.exp(-0.06));

describe('Market Sentiment by hand', () => {
  test('one market that rose: breadth 1, momentum 0.01 / 0.034641', () => {
    const { value, breadth, momentum } = marketSentiment([rising]) ?? {};
    expect(breadth).toBe(1);
    expect(momentum).toBeCloseTo(0.288675, 6);
    expect(value).toBeCloseTo(25 * 1.288675, 4);
  });
  test('a change below a tenth of the usual hour is neither a rise nor a fall', () => {
    const { value, breadth, momentum } = marketSentiment([rising, still]) ?? {};
    expect(breadth).toBe(0.5);
    // Median of 0.288675 and -0.0105 / 0.034641 = -0.303109.
    expect(momentum).toBeCloseTo(-0.007217, 6);
    expect(value).toBeCloseTo(25 * 0.492783, 4);
  });
  test('a tenth of the usual hour is the bound between a change and none', () => {
    const breadthOf = (change: number) => marketSentiment([restless(100 * Math.exp(change))])?.breadth;
    expect([0.0011, 0.0009, -0.0009, -0.0011].map(breadthOf)).toEqual([1, 0, 0, -1]);
  });
  test('the usual hour is that of the 72 before: the oldest of them counts, one before it does not', () => {
    // Closes of 100, but for the one so many hours before the last of them, which lies a log step of 1 above.
    const flatBut = (hoursBack: number) => {
      const closes = Array.from({ length: 80 }, () => 100);
      closes[closes.length - 1 - hoursBack] = 100 * Math.E;
      return marketSentiment([[...closes, 100 * Math.exp(0.1)]])?.momentum;
    };
    // At the edge of the window one of its two steps is inside: a usual hour of √(1/72), and 0.1 over √12 times that.
    expect(flatBut(72)).toBeCloseTo(0.1 / Math.sqrt(12 / 72), 9);
    // An hour later both are; an hour earlier none is, and any move of a flat market is a whole one.
    expect(flatBut(71)).toBeCloseTo(0.1 / Math.sqrt(24 / 72), 9);
    expect(flatBut(73)).toBe(1);
  });
  test('one that rose and one that fell cancel out, and the median is that of the third', () => {
    const { value, breadth, momentum } = marketSentiment([rising, still, falling]) ?? {};
    expect(breadth).toBe(0);
    expect(momentum).toBeCloseTo(-0.303109, 6);
    expect(value).toBeCloseTo(-7.577725, 4);
  });
  test('all markets far up or far down are the bounds', () => {
    const up = restless(200);
    expect(marketSentiment([up, up, up])?.value).toBe(SENTIMENT_BOUND);
    const down = restless(50);
    expect(marketSentiment([down, down])?.value).toBe(-SENTIMENT_BOUND);
  });
});

describe('Market Sentiment where little is known', () => {
  test('a flat market is 0, and its first move is a whole one', () => {
    const flat = Array.from({ length: 20 }, () => 100);
    expect(marketSentiment([flat])).toEqual({ value: 0, breadth: 0, momentum: 0 });
    expect(marketSentiment([[...flat, 101]])).toEqual({ value: 50, breadth: 1, momentum: 1 });
  });
  test('no market, or half of them unknown, is no value', () => {
    expect(marketSentiment([])).toBeNull();
    expect(marketSentiment([[]])).toBeNull();
    expect(marketSentiment([rising, [], []])).toBeNull();
    expect(marketSentiment([rising, []])).toEqual(marketSentiment([rising]));
  });
  test('a market needs the hour, the one before, the one 12 hours before and twelve changes', () => {
    const lacking = (hoursBack: number) => rising.with(-hoursBack, null);
    expect(marketSentiment([restless(null)])).toBeNull();
    expect(marketSentiment([lacking(2)])).toBeNull();
    expect(marketSentiment([lacking(13)])).toBeNull();
    expect(marketSentiment([lacking(5)])).not.toBeNull();
    expect(marketSentiment([rising.slice(-13)])).toBeNull();
    expect(marketSentiment([rising.slice(-14)])).not.toBeNull();
  });
  test('what is no price counts as unknown', () => {
    for (const broken of [Number.NaN, 0, -1, Infinity])
      expect(marketSentiment([restless(broken)])).toBeNull();
  });
});

const price = fc.double({ min: 1e-8, max: 1e7, noNaN: true });
const anything = fc.oneof({ weight: 9, arbitrary: price }, fc.constant(null), fc.double());
/** One in ten with gaps, or with what is no price; the others are whole, so that most markets together make a reading. */
const history = fc.oneof(
  { weight: 9, arbitrary: fc.array(price, { minLength: 14, maxLength: 100 }) },
  { weight: 1, arbitrary: fc.array(anything, { maxLength: 100 }) },
);

describe('Market Sentiment of anything', () => {
  test('DASH-13, A41: keeps the stated bounds and is never NaN', () => {
    let readings = 0;
    fc.assert(
      fc.property(fc.array(history, { maxLength: 8 }), (markets) => {
        const reading = marketSentiment(markets);
        if (reading === null) return;
        readings += 1;
        expect(Math.abs(reading.value)).toBeLessThanOrEqual(SENTIMENT_BOUND);
        expect(Math.abs(reading.breadth)).toBeLessThanOrEqual(1);
        expect(Math.abs(reading.momentum)).toBeLessThanOrEqual(1);
      }),
    );
    // Not any history makes a reading.
    expect(readings).toBeGreaterThan(50);
  });
  test('a higher price of any market never means a lower sentiment', () => {
    const closes = fc.array(price, { minLength: 14, maxLength: 90 });
    const raise = fc.double({ min: 1, max: 10, noNaN: true });
    fc.assert(
      fc.property(fc.array(closes, { minLength: 1, maxLength: 6 }), raise, fc.nat(), (markets, by, which) => {
        const raised = markets.map((market, index) =>
          index === which % markets.length ? market.with(-1, (market.at(-1) ?? 1) * by) : market,
        );
        const before = marketSentiment(markets)?.value ?? Number.NaN;
        expect(marketSentiment(raised)?.value).toBeGreaterThanOrEqual(before - 1e-9);
      }),
    );
  });
  test('does not depend on the order of the markets and the unit of each price', () => {
    const closes = fc.array(fc.double({ min: 1, max: 100, noNaN: true }), { minLength: 14, maxLength: 40 });
    fc.assert(
      fc.property(fc.array(closes, { minLength: 1, maxLength: 6 }), (markets) => {
        const scaled = markets.toReversed().map((market) => market.map((close) => close * 1024));
        expect(marketSentiment(scaled)?.value).toBeCloseTo(marketSentiment(markets)?.value ?? Number.NaN, 6);
      }),
    );
  });
});
