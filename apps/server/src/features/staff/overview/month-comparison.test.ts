import { expect, test } from 'vitest';
import { compareLevel, compareTotal, daysShown } from './month-comparison.ts';

const quiet = (days: number): number[] => Array.from({ length: days }, () => 0);

test('ADMIN-08: compares the present level with that of thirty days ago', () => {
  // 100 before, 10 more sixty days ago, 22 more today.
  const compared = compareLevel(100, [10, ...quiet(58), 22]);
  expect(compared).toMatchObject({ value: 132, change_pct: 20 });
  expect(compared.days).toHaveLength(daysShown);
  expect(compared.days.at(-2)).toBe(110);
  expect(compared.days.at(-1)).toBe(132);
});

test('A74: the month that happened is compared with the one before', () => {
  const compared = compareTotal(999, [...quiet(10), 50, ...quiet(29), 25, ...quiet(19)]);
  expect(compared).toMatchObject({ value: 999, change_pct: -50 });
  expect(compared.days).toHaveLength(daysShown);
});

test('A74: without anything before there is no change, and no invented one', () => {
  expect(compareLevel(0, [...quiet(59), 5])).toMatchObject({ value: 5, change_pct: null });
  expect(compareTotal(5, [...quiet(59), 5])).toMatchObject({ change_pct: null });
});

test('a decrease is a negative change', () => {
  expect(compareLevel(200, [...quiet(59), -50])).toMatchObject({ value: 150, change_pct: -25 });
});
