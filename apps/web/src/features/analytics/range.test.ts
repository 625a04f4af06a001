import { expect, test } from 'vitest';
import { analyticsUrlState, getRangeStart, ranges } from './range.ts';

const [week, month, , all] = ranges;
const parseRange = (text: string) => analyticsUrlState.parse(new URLSearchParams(text)).range;

test('the URL contains the range; an unreadable value counts as 30 days', () => {
  expect(parseRange('range=7d')).toBe(week);
  expect(parseRange('range=all&tag=x')).toBe(all);
  expect(parseRange('range=8d')).toBe(month);
  expect(`${analyticsUrlState.write(new URLSearchParams('tag=x'), { range: all })}`).toBe('tag=x&range=all');
  expect(`${analyticsUrlState.write(new URLSearchParams('tag=x&range=all'), { range: month })}`).toBe(
    'tag=x',
  );
});

test('A78: seven days are today and the six before it, from local midnight', () => {
  const noon = new Date(2026, 10, 21, 12, 34, 56).getTime();
  expect(getRangeStart(week, noon)).toBe(new Date(2026, 10, 15).toISOString());
  expect(getRangeStart(week, new Date(2026, 10, 21, 23, 59).getTime())).toBe(getRangeStart(week, noon));
  expect(getRangeStart(month, noon)).toBe(new Date(2026, 9, 23).toISOString());
  expect(getRangeStart(all, noon)).toBeNull();
});
