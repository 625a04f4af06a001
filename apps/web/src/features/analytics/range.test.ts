import { expect, test } from 'vitest';
import { beginOf, ranges, readRange, writeRange } from './range.ts';

const [week, month, , all] = ranges;

test('the range stands in the URL; what cannot be read there is 30 days', () => {
  expect(readRange(new URLSearchParams('range=7d'))).toBe(week);
  expect(readRange(new URLSearchParams('range=all&tag=x'))).toBe(all);
  expect(readRange(new URLSearchParams('range=8d'))).toBe(month);
  expect(`${writeRange(new URLSearchParams('tag=x'), 'all')}`).toBe('tag=x&range=all');
  expect(`${writeRange(new URLSearchParams('tag=x&range=all'), '30d')}`).toBe('tag=x');
});

test('A78: seven days are today and the six before it, from midnight on the reader’s clock', () => {
  const noon = new Date(2026, 10, 21, 12, 34, 56).getTime();
  expect(beginOf(week, noon)).toBe(new Date(2026, 10, 15).toISOString());
  expect(beginOf(week, new Date(2026, 10, 21, 23, 59).getTime())).toBe(beginOf(week, noon));
  expect(beginOf(month, noon)).toBe(new Date(2026, 9, 23).toISOString());
  expect(beginOf(all, noon)).toBeNull();
});
