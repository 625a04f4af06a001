import { expect, test } from 'vitest';
import { nextSort, sortPairs } from './sort-pairs.ts';

const pair = (
  symbol: string,
  price: number | null,
  priceChangePercent: number | null,
  quoteVolume: number,
) => ({
  symbol,
  price,
  priceChangePercent,
  quoteVolume,
});
const pairs = [pair('B', 2, -1, 30), pair('A', 9, 4, 10), pair('C', null, null, 20)];
const order = (...sort: Parameters<typeof sortPairs>[1][]) =>
  sort.map((one) =>
    sortPairs(pairs, one)
      .map(({ symbol }) => symbol)
      .join(''),
  );

test('market list: pairs are ordered by a column in both directions, those without a figure last', () => {
  expect(order(null)).toEqual(['BAC']);
  expect(order({ by: 'symbol', descending: false }, { by: 'symbol', descending: true })).toEqual([
    'ABC',
    'CBA',
  ]);
  expect(order({ by: 'price', descending: true }, { by: 'price', descending: false })).toEqual([
    'ABC',
    'BAC',
  ]);
  expect(order({ by: 'change', descending: false })).toEqual(['BAC']);
  expect(order({ by: 'volume', descending: true })).toEqual(['BCA']);
});

test('market list: a header gives its order, then the other direction, then the catalogue’s', () => {
  const largest = nextSort(null, 'volume');
  expect(largest).toEqual({ by: 'volume', descending: true });
  const smallest = nextSort(largest, 'volume');
  expect(smallest).toEqual({ by: 'volume', descending: false });
  expect(nextSort(smallest, 'volume')).toBeNull();
  expect(nextSort(largest, 'symbol')).toEqual({ by: 'symbol', descending: false });
});
