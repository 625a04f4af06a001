import { expect, test } from 'vitest';
import { mergeLines } from './merged-lines.ts';
import type { PriceLine } from './price-line.ts';

const position = (id: number, price: number, size: number, pnl: number): PriceLine[] => {
  const common = { side: 'LONG', head: '', name: '', parts: () => [] } as const;
  const entry = { kind: 'entry', handles: [], dismissal: null } as const;
  const formatPrice = (at: number) => at.toFixed(2);
  return [
    { ...common, ...entry, id: `${id}e`, price, priceText: '', size, pnl: () => pnl, formatPrice },
    { ...common, id: `${id}l`, kind: 'liquidation', price: price - 10, priceText: '' },
  ];
};
const positions = [position(1, 100, 1, 5), position(2, 110, 1, -2), position(3, 120, 1, 0)];

test('three positions of a side keep their lines', () => {
  expect(mergeLines(positions.flat())).toEqual(positions.flat());
});

test('more become one at the size-weighted entry, with the first liquidation and the sum of results', () => {
  const [entry, liquidation, ...more] = mergeLines([...positions.flat(), ...position(4, 140, 3, 1.5)]);
  expect(more).toEqual([]);
  expect(entry).toMatchObject({ head: 'LONG 4 positions', price: 125, priceText: '125.00' });
  expect(entry?.parts()).toEqual([{ text: '+4.50', tone: 'up' }]);
  expect(liquidation?.price).toBe(130);
});
