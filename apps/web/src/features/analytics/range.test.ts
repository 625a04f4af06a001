import { expect, test } from 'vitest';
import { getRangeStart, parseRange, ranges, withRange } from './range.ts';

const [week, month, , all] = ranges;

test('the URL contains the range; an unreadable value counts as 30 days', () => {
  expect(parseRange(new URLSearchParams('range=7d'))).toBe(week);
  expect(parseRange(new URLSearchParams('range=all&tag=x'))).toBe(all);
  expect(parseRange(new URLSearchParams('range=8d'))).toBe(month);
  expect(`${withRange(new URLSearchParams('tag=x'), 'all')}`).toBe('tag=x&range=all');
  expect(`${withRange(new URLSearchParams('tag=x&range=all'), '30d')}`).toBe('tag=x');
});

test('A78: seven days are today and the six before it, from local midnight', () => {
  const noon = new Date(2026, 10, 21, 12, 34, 56).getTime();
  expect(getRangeStart(week, noon)).toBe(new Date(2026, 10, 15).toISOString());
  expect(getRangeStart(week, new Date(2026, 10, 21, 23, 59).getTime())).toBe(getRangeStart(week, noon));
  expect(getRangeStart(month, noon)).toBe(new Date(2026, 9, 23).toISOString());
  expect(getRangeStart(all, noon)).toBeNull();
});
