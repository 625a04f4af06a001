/** Which wicks of a provider's bars are faults, and which were traded. */
import type { BarPrices, MarketType, Timeframe } from '@fulcrum/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { removeAbsurdWicks } from './wicks.ts';

const bar = (open: number, high: number, low: number, close: number): BarPrices => ({
  open,
  high,
  low,
  close,
});
const calm = bar(100, 101, 99, 100);

test.each<[string, MarketType, Timeframe, BarPrices, BarPrices]>([
  ['a high of ten times its minute', 'crypto', '1m', bar(100, 1_000.5, 99, 100), bar(100, 100, 99, 100)],
  ['a high of ten times its day', 'crypto', '1d', bar(100, 1_000.5, 99, 100), bar(100, 100, 99, 100)],
  ['a high of ten times its month', 'stock', '1M', bar(100, 1_000, 99, 102), bar(100, 102, 99, 102)],
  ['a low of a tenth', 'forex', '1h', bar(1.08, 1.09, 0.108, 1.085), bar(1.08, 1.09, 1.08, 1.085)],
  ['both at once', 'index', '5m', bar(5_000, 50_000, 500, 5_010), bar(5_000, 5_010, 5_000, 5_010)],
])('ENG-11: %s is cut off, and the bar ends at its body there', (_, type, timeframe, given, left) => {
  expect(removeAbsurdWicks([given], type, timeframe)).toEqual([left]);
});

test.each<[string, MarketType, Timeframe, BarPrices]>([
  ['a flash crash of 60 % within a minute', 'crypto', '1m', bar(2.8, 2.82, 1.12, 2.5)],
  ['Bitcoin in March 2020', 'crypto', '1M', bar(8_523, 9_188, 3_782, 6_410)],
  ['Bitcoin on 19 May 2021', 'crypto', '1d', bar(42_849, 43_584, 30_000, 36_690)],
  ['EUR/CHF on 15 January 2015', 'forex', '1h', bar(1.201, 1.201, 0.85, 1.04)],
  ['a squeezed share on 28 January 2021', 'stock', '1d', bar(265, 483, 112.25, 193.6)],
  ['a flash crash of a share by 40 %', 'stock', '1m', bar(40, 40, 24, 39)],
])('ENG-11: %s stays as it was', (_, type, timeframe, given) => {
  expect(removeAbsurdWicks([given], type, timeframe)).toEqual([given]);
});

test('ENG-11: what a neighbour opened or closed at is no fault: a split, a market that went there', () => {
  const [before, split, after] = [
    bar(645, 646, 644, 645.57),
    bar(645.57, 645.57, 92.23, 92.42),
    bar(92, 93, 91, 92),
  ];
  expect(removeAbsurdWicks([before, split, after], 'stock', '1m')).toEqual([before, split, after]);
  const pump = [calm, bar(100, 900, 99, 101), bar(880, 905, 700, 720)];
  expect(removeAbsurdWicks(pump, 'crypto', '1m')).toEqual(pump);
  expect(removeAbsurdWicks([calm, bar(100, 900, 99, 101), calm], 'crypto', '1m')[1]?.high).toBe(101);
});

test('ENG-11: what is left is a bar, and what was one is untouched', () => {
  const price = fc.double({ min: 0.01, max: 1e6, noNaN: true });
  const bars = fc.array(
    fc
      .tuple(price, price, price, price)
      .map(([open, close, up, down]) =>
        bar(open, Math.max(open, close, up), Math.min(open, close, down), close),
      ),
    { maxLength: 5 },
  );
  fc.assert(
    fc.property(bars, fc.constantFrom<Timeframe>('1m', '1d'), (given, timeframe) => {
      const left = removeAbsurdWicks(given, 'crypto', timeframe);
      for (const [index, { open, high, low, close }] of left.entries()) {
        const was = given[index];
        expect([open, close]).toEqual([was?.open, was?.close]);
        expect(low <= Math.min(open, close) && high >= Math.max(open, close)).toBe(true);
        expect([was?.high, Math.max(open, close)]).toContain(high);
        expect([was?.low, Math.min(open, close)]).toContain(low);
      }
    }),
  );
});
