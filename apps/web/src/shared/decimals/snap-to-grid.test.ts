import { asPrice, parseDecimal, toDecimalString } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { snapToGrid } from './snap-to-grid.ts';

const price = (decimal: string) => asPrice(parseDecimal(decimal));
const grid = { minPrice: price('0.05'), maxPrice: price('100000'), tickSize: price('0.05') };
const snapped = (at: number) => toDecimalString(snapToGrid(at, grid));

test('a price is snapped to the nearest one of the grid, exactly', () => {
  expect(snapped(96_840.123_456)).toBe('96840.1');
  expect(snapped(0.1 + 0.2)).toBe('0.3');
  expect(snapped(96_840.025_1)).toBe('96840.05');
});

test('and never beyond the bounds of the pair', () => {
  expect(snapped(-12)).toBe('0.05');
  expect(snapped(1e300)).toBe('100000');
  expect(snapped(Number.NaN)).toBe('0.05');
});
