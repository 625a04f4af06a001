import { expect, test } from 'vitest';
import { countMovedBars } from './moved-bars.ts';

test('a bar counts when its high or its low is far enough from its open', () => {
  const bars = [
    { open: 100, high: 101, low: 99.5 },
    { open: 100, high: 100.2, low: 98 },
    { open: 200, high: 201, low: 199 },
  ];
  expect(countMovedBars(bars, 1)).toBe(2);
  expect(countMovedBars(bars, 0.5)).toBe(3);
  expect(countMovedBars(bars, 2.01)).toBe(0);
  expect(countMovedBars([], 1)).toBe(0);
});
