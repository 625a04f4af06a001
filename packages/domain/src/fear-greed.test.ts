import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type DayBar,
  FEAR_GREED_DAYS,
  fearAndGreed,
  fearAndGreedBands,
  getFearAndGreedLabel,
  type MarketSnapshot,
  measureMarkets,
} from './fear-greed.ts';

const usualDay: DayBar = { close: 100, high: 100 * Math.exp(0.04), low: 100 };
const days = Array.from({ length: FEAR_GREED_DAYS }, () => usualDay);
/** Its usual day has a range of 0.04 and a close of 100. */
const market = (more: Partial<MarketSnapshot> = {}): MarketSnapshot => ({
  price: 100,
  dayAgo: 100,
  high: 100 * Math.exp(0.04),
  low: 100,
  days,
  ...more,
});
const unknown = market({ price: null, dayAgo: null, high: null, low: null, days: [] });
/** Close to a figure; null is close to none, which `toBeCloseTo` would take for zero. */
const about = (figure: number) => expect.closeTo(figure, 9) as number;
const nothing = { volatility: null, momentum: null, breadth: null, long_short: null };

describe('what is measured on the market, by hand', () => {
  test('a market as it usually is', () => {
    expect(measureMarkets([market()])).toEqual({ volatility: about(0), momentum: about(0), breadth: 0.5 });
  });
  test('volatility: the range of the day over the mean range of the days before, in per cent', () => {
    const wild = market({ high: 100 * Math.exp(0.05) });
    const calm = market({ high: 100 * Math.exp(0.01) });
    expect(measureMarkets([wild]).volatility).toEqual(about(25));
    expect(measureMarkets([calm]).volatility).toEqual(about(-75));
    // The middle one of three, the mean of the middle two of four.
    expect(measureMarkets([wild, calm, market()]).volatility).toEqual(about(0));
    expect(measureMarkets([wild, wild, calm, market()]).volatility).toEqual(about(12.5));
  });
  test('momentum: the price over the mean close', () => {
    const mixed = days.map((day, index) => ({ ...day, close: index < 15 ? 90 : 130 }));
    expect(measureMarkets([market({ price: 121, days: mixed })]).momentum).toEqual(about(10));
    expect(measureMarkets([market({ price: 99, days: mixed })]).momentum).toEqual(about(-10));
  });
  test('breadth: the share of markets above their own price of 24 hours ago', () => {
    const risen = market({ dayAgo: 99 });
    const fallen = market({ dayAgo: 101 });
    expect(measureMarkets([risen, risen, risen, fallen]).breadth).toBe(0.75);
    expect(measureMarkets([risen, fallen, market(), fallen]).breadth).toBe(0.375);
  });
  test('a flat market is as usual; its first move has no measure', () => {
    const flat = days.map(() => ({ close: 100, high: 100, low: 100 }));
    expect(measureMarkets([market({ high: 100, days: flat })]).volatility).toBe(0);
    expect(measureMarkets([market({ high: 101, days: flat })]).volatility).toBeNull();
  });
  test('a market of fewer than twenty days, and half of them unknown, give nothing', () => {
    expect(measureMarkets([market({ days: days.slice(0, 19) })])).toEqual({
      volatility: null,
      momentum: null,
      breadth: 0.5,
    });
    expect(measureMarkets([market({ days: days.slice(0, 20) })]).momentum).toEqual(about(0));
    expect(measureMarkets([])).toEqual({ volatility: null, momentum: null, breadth: null });
    expect(measureMarkets([market(), unknown]).breadth).toBe(0.5);
    expect(measureMarkets([market(), unknown, unknown]).breadth).toBeNull();
  });
});

describe('the index, by hand', () => {
  test('scores, weights and the mean of all four', () => {
    // 50 - 10 = 40, 50 + 4 × 2.5 = 60, 70, 55; 0.24 × 40 + 0.32 × 60 + 0.24 × 70 + 0.2 × 55 = 56.6.
    expect(fearAndGreed({ volatility: 10, momentum: 4, breadth: 0.7, long_short: 0.55 })).toEqual({
      value: 57,
      inputs: [
        { name: 'volatility', score: 40, weight: 0.24, figure: 10 },
        { name: 'momentum', score: 60, weight: 0.32, figure: 4 },
        { name: 'breadth', score: 70, weight: 0.24, figure: 0.7 },
        { name: 'long_short', score: 55, weight: 0.2, figure: 0.55 },
      ],
    });
  });
  test('without the accounts the market weighs 30, 40 and 30 per cent', () => {
    const { value, inputs } = fearAndGreed({ volatility: 10, momentum: 4, breadth: 0.7, long_short: null });
    expect(inputs.map(({ weight }) => Math.round(weight * 1e6) / 1e6)).toEqual([0.3, 0.4, 0.3, 0]);
    // 0.3 × 40 + 0.4 × 60 + 0.3 × 70.
    expect(value).toBe(57);
    expect(inputs[3]).toEqual({ name: 'long_short', score: null, weight: 0, figure: null });
  });
  test('a half is rounded up, also where it is a hair less in binary', () => {
    // 0.3 × 45 + 0.4 × 50 + 0.3 × 60 = 51.5.
    expect(fearAndGreed({ volatility: 5, momentum: 0, breadth: 0.6, long_short: null }).value).toBe(52);
    // 0.3 × 0 + 0.4 × 1 + 0.3 × 57 = 17.5, as floats 17.499999999999996.
    expect(fearAndGreed({ volatility: 50, momentum: -19.6, breadth: 0.57, long_short: null }).value).toBe(18);
  });
  test('20 per cent off the mean price are the whole scale of momentum', () => {
    const scores = [20, 19.4, 10, -10, -19.4, -20].map(
      (momentum) => fearAndGreed({ ...nothing, momentum }).inputs[1]?.score,
    );
    // 50 + 2.5 × each: 100, 98.5, 75, 25, 1.5, 0.
    expect(scores).toEqual([100, 99, 75, 25, 2, 0]);
  });
  test('scores stop at 0 and 100', () => {
    const greedy = { volatility: -80, momentum: 35, breadth: 1, long_short: 1 };
    expect(fearAndGreed(greedy).value).toBe(100);
    expect(fearAndGreed({ volatility: 300, momentum: -60, breadth: 0, long_short: 0 }).value).toBe(0);
  });
  test('two of the market’s own inputs have to be known', () => {
    expect(fearAndGreed(nothing).value).toBeNull();
    expect(fearAndGreed({ ...nothing, breadth: 0.9, long_short: 0.9 }).value).toBeNull();
    // 0.24 × 40 + 0.32 × 60 over 0.56 = 51.43.
    expect(fearAndGreed({ ...nothing, volatility: 10, momentum: 4 }).value).toBe(51);
  });
  test('a figure that is no number is not known', () => {
    expect(fearAndGreed({ ...nothing, momentum: Number.NaN, breadth: Infinity }).inputs).toEqual(
      fearAndGreed(nothing).inputs,
    );
  });
});

describe('the labels', () => {
  test.each([
    [100, 'Extreme Greed'],
    [75, 'Extreme Greed'],
    [74, 'Greed'],
    [60, 'Greed'],
    [59, 'Neutral'],
    [40, 'Neutral'],
    [39, 'Fear'],
    [25, 'Fear'],
    [24, 'Extreme Fear'],
    [0, 'Extreme Fear'],
  ])('DASH-20, DASH-21, DASH-22, DASH-23, DASH-24: %i is %s', (value, label) => {
    expect(getFearAndGreedLabel(value)).toBe(label);
  });
  test('the bands follow each other down to 0', () => {
    expect(fearAndGreedBands.map(({ from }) => from)).toEqual([75, 60, 40, 25, 0]);
  });
});

const figure = fc.option(fc.oneof(fc.double(), fc.double({ min: -100, max: 100, noNaN: true })));
const figures = fc.record({ volatility: figure, momentum: figure, breadth: figure, long_short: figure });

describe('the index of anything', () => {
  test('keeps its bounds, is whole and never NaN, and its known weights add up to 1', () => {
    fc.assert(
      fc.property(figures, (any) => {
        const { value, inputs } = fearAndGreed(any);
        for (const { score } of inputs) if (score !== null) expect(score >= 0 && score <= 100).toBe(true);
        const known = inputs.filter(({ score }) => score !== null);
        const sum = inputs.reduce((total, { weight }) => total + weight, 0);
        expect(sum).toEqual(about(known.length > 0 ? 1 : 0));
        if (value !== null) expect(Number.isInteger(value) && value >= 0 && value <= 100).toBe(true);
      }),
    );
  });
  test('rises with momentum, breadth and long/short, falls with volatility', () => {
    const known = fc.double({ min: -150, max: 150, noNaN: true });
    const all = fc.record({ volatility: known, momentum: known, breadth: known, long_short: known });
    const more = fc.double({ min: 0, max: 100, noNaN: true });
    const part = fc.constantFrom('volatility', 'momentum', 'breadth', 'long_short');
    fc.assert(
      fc.property(all, part, more, (before, which, by) => {
        const change = which === 'volatility' ? -by : by;
        const after = fearAndGreed({ ...before, [which]: before[which] + change }).value ?? Number.NaN;
        expect(after).toBeGreaterThanOrEqual(fearAndGreed(before).value ?? Number.NaN);
      }),
    );
  });
  test('what is measured is a number or nothing', () => {
    const price = fc.option(fc.double());
    const bar = fc.record({ close: fc.double(), high: fc.double(), low: fc.double() });
    const instant = fc.record({
      price,
      dayAgo: price,
      high: price,
      low: price,
      days: fc.array(bar, { minLength: 20, maxLength: 30 }),
    });
    fc.assert(
      fc.property(fc.array(instant, { maxLength: 4 }), (markets) => {
        for (const measured of Object.values(measureMarkets(markets)))
          expect(measured === null || !Number.isNaN(measured)).toBe(true);
      }),
    );
  });
});
