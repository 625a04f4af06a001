import { expect, test } from 'vitest';
import { createBalanceAxis } from './axis.ts';

test('a constant balance has a tight axis', () => {
  expect(createBalanceAxis(10_000, 10_000, 4)).toEqual({ from: 9800, step: 100 });
});

test('an empty account has an axis from zero upwards', () => {
  expect(createBalanceAxis(0, 0, 4)).toEqual({ from: 0, step: 0.5 });
});

test.each([
  [9999, 10_299],
  [0, 10_000],
  [9499.5, 10_773.54],
  [-50, 20],
  [0.01, 1_000_000],
])('from %d to %d the outer lines enclose the curve', (low, high) => {
  const { from, step } = createBalanceAxis(low, high, 4);
  expect(from).toBeLessThanOrEqual(low);
  expect(from + 3 * step).toBeGreaterThanOrEqual(high);
});
