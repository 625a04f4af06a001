import { expect, test } from 'vitest';
import { dayOrNull, midnightOf } from './day-range.ts';

test('A78: a day begins at midnight here, and the one after the last of a month is the first of the next', () => {
  expect(midnightOf('2026-11-06')).toBe(new Date(2026, 10, 6).getTime());
  expect(midnightOf('2026-10-31', 1)).toBe(new Date(2026, 10, 1).getTime());
});

test('what is no day is none', () => {
  expect(['2026-02-31', '2026-13-45', 'yesterday', '', null].map(dayOrNull)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);
});
