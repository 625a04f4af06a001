import { expect, test } from 'vitest';
import { compareValues, toNextOrder } from './sorting.ts';

test('sorting: a header sorts, reverses, and returns to the own order', () => {
  const once = toNextOrder(null, 'PnL', 'descending');
  const twice = toNextOrder(once, 'PnL', 'descending');
  expect([once?.order, twice?.order]).toEqual(['descending', 'ascending']);
  expect(toNextOrder(twice, 'PnL', 'descending')).toBeNull();
  expect(toNextOrder(twice, 'Symbol', 'ascending')).toEqual({ sort: 'Symbol', order: 'ascending' });
});

test.each([
  ['ascending', [-3, 2, 10, null]],
  ['descending', [10, 2, -3, null]],
] as const)('sorting: figures %s, missing ones last', (order, expected) => {
  const values = [null, 2, 10, -3];
  expect(values.sort((a, b) => compareValues(a, b, order))).toEqual(expected);
});

test('sorting: names by their letters, and equal values keep their order', () => {
  const rows = [
    ['B', 1],
    ['A', 2],
    ['B', 3],
  ] as const;
  const sorted = [...rows].sort(([a], [b]) => compareValues(a, b, 'descending'));
  expect(sorted.map(([, nth]) => nth)).toEqual([1, 3, 2]);
});
