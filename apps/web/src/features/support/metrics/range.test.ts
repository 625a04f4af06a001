import { expect, test } from 'vitest';
import { getRangeBounds, parseRange, withRange } from './range.ts';

test('the URL contains the range beside the tab, except for today', () => {
  const search = new URLSearchParams('tab=support');
  expect(parseRange(search).value).toBe('today');
  expect(parseRange(new URLSearchParams('range=90d')).value).toBe('today');
  const week = withRange(search, '7d');
  expect(`${week}`).toBe('tab=support&range=7d');
  expect(parseRange(week).value).toBe('7d');
  expect(`${withRange(week, 'today')}`).toBe('tab=support');
});

test('whole local days, including all of today', () => {
  const noon = new Date(2026, 10, 21, 12, 30).getTime();
  const local = (month: number, day: number) => new Date(2026, month, day).toISOString();
  expect(getRangeBounds({ days: 1 }, noon)).toEqual({ from: local(10, 21), to: local(10, 22) });
  expect(getRangeBounds({ days: 7 }, noon)).toEqual({ from: local(10, 15), to: local(10, 22) });
  expect(getRangeBounds({ days: 30 }, noon)).toEqual({ from: local(9, 23), to: local(10, 22) });
});
