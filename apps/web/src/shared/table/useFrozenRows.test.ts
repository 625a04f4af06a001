import { expect, test } from 'vitest';
import { countDifferences, isExtended, refreshRows } from './useFrozenRows.ts';

const row = (id: number, balance = 0) => ({ id, balance });

test('frozen rows keep their order and update figures; none appears or disappears', () => {
  const shown = refreshRows([row(3, 1), row(2, 1), row(1, 1)], [row(4, 9), row(1, 7), row(3, 8)]);
  expect(shown).toEqual([row(3, 8), row(2, 1), row(1, 7)]);
});

test('added and removed rows are counted, a new order is not', () => {
  expect(countDifferences([row(1), row(2)], [row(2), row(1)])).toBe(0);
  expect(countDifferences([row(1), row(2)], [row(2), row(3), row(4)])).toBe(3);
});

test('rows added only beneath extend a list; a row that is inserted, removed or moved does not', () => {
  const shown = [row(1), row(2)];
  expect(isExtended(shown, [row(1, 5), row(2), row(3)])).toBe(true);
  expect(isExtended([], [row(1)])).toBe(true);
  for (const after of [[row(1), row(2)], [row(1)], [row(3), row(1), row(2)], [row(2), row(1), row(3)]]) {
    expect(isExtended(shown, after)).toBe(false);
  }
});
