import { asPrice, asSize, exposureBySymbol, parseDecimal } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { toSlices } from './slices.ts';

const held = (amounts: readonly number[]) =>
  exposureBySymbol(
    amounts.map((amount, index) => ({
      symbol: `S${index}`,
      side: 'BUY' as const,
      size: asSize(parseDecimal('1')),
      entryPrice: asPrice(parseDecimal(amount)),
      markPrice: null,
    })),
  );

test('DASH-27: ten colours in rotation, kept while the ranking changes', () => {
  const twelve = toSlices(held([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]));
  expect(twelve.map(({ colour }) => colour)).toEqual(
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 2].map((n) => `var(--holding-${n})`),
  );
  const colourOf = (amounts: readonly number[]) =>
    Object.fromEntries(toSlices(held(amounts)).map(({ symbol, colour }) => [symbol, colour]));
  expect(colourOf([1, 2, 3])).toEqual(colourOf([3, 2, 1]));
});

test('the arcs follow one another from the top, the largest first', () => {
  expect(toSlices(held([25, 75]))).toMatchObject([
    { symbol: 'S1', from: 0, length: 74.3 },
    { symbol: 'S0', from: 75, length: 24.3 },
  ]);
  expect(toSlices(held([40]))).toMatchObject([{ from: 0, length: 100 }]);
  expect(toSlices(held([]))).toEqual([]);
});

test('a very small holding still has an arc', () => {
  expect(toSlices(held([100_000, 1]))[1]?.length).toBeGreaterThan(0);
});
