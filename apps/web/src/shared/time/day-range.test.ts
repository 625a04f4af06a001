import { expect, test } from 'vitest';
import { getLocalMidnight, parseDay } from './day-range.ts';

test('A78: a day starts at local midnight, and the last day of a month is followed by the first of the next', () => {
  expect(getLocalMidnight('2026-11-06')).toBe(new Date(2026, 10, 6).getTime());
  expect(getLocalMidnight('2026-10-31', 1)).toBe(new Date(2026, 10, 1).getTime());
});

test('an invalid day is null', () => {
  expect(['2026-02-31', '2026-13-45', 'yesterday', '', null].map(parseDay)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);
});
