import { hourMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { createBalanceAxis, getTimeLabels } from './create-axis.ts';
import { createScale } from './scale.ts';

const labelsOf = (values: readonly number[]) => createBalanceAxis(values).ticks.map(({ label }) => label);

test('a scale is linear, and a single value is in the middle', () => {
  expect([0, 5, 10].map(createScale([0, 10], [100, 0]))).toEqual([100, 50, 0]);
  expect(createScale([3, 3], [0, 10])(3)).toBe(5);
});

test('a constant balance has a tight axis', () => {
  expect(labelsOf([10_000])).toEqual(['9,800', '9,900', '10,000', '10,100']);
});

test('an empty account has an axis from zero upwards', () => {
  expect(labelsOf([0, 0])).toEqual(['0.00', '0.50', '1.00', '1.50']);
});

test.each([
  [9999, 10_299],
  [0, 10_000],
  [9499.5, 10_773.54],
  [-50, 20],
  [0.01, 1_000_000],
])('from %d to %d the outer lines enclose the curve', (lowest, highest) => {
  const { low, high, ticks } = createBalanceAxis([highest, lowest]);
  expect(low).toBeLessThanOrEqual(lowest);
  expect(high).toBeGreaterThanOrEqual(highest);
  expect([ticks[0]?.value, ticks.at(-1)?.value]).toEqual([low, high]);
});

test('days are labelled by date, hours by time, and no label occurs twice', () => {
  const from = new Date(2026, 10, 1).getTime();
  const hours = (count: number) => getTimeLabels([from, from + count * hourMs]).map(({ label }) => label);
  expect(hours(240)).toEqual(['Nov 2', 'Nov 4', 'Nov 7', 'Nov 9']);
  expect(hours(4)).toEqual(['00:30', '01:30', '02:30', '03:30']);
  expect(hours(0)).toEqual(['00:00']);
});
