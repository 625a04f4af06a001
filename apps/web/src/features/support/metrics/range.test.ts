import { expect, test } from 'vitest';
import { getRangeBounds, ranges, rangeUrlState } from './range.ts';

const { parse, write } = rangeUrlState;

test('the URL contains the range beside the tab, except for today', () => {
  const search = new URLSearchParams('tab=support');
  const [today, week] = ranges;
  expect(parse(search).range).toBe(today);
  expect(parse(new URLSearchParams('range=90d')).range).toBe(today);
  const written = write(search, { range: week });
  expect(`${written}`).toBe('tab=support&range=7d');
  expect(parse(written).range).toBe(week);
  expect(`${write(written, { range: today })}`).toBe('tab=support');
});

test('whole local days, including all of today', () => {
  const noon = new Date(2026, 10, 21, 12, 30).getTime();
  const local = (month: number, day: number) => new Date(2026, month, day).toISOString();
  expect(getRangeBounds({ days: 1 }, noon)).toEqual({ from: local(10, 21), to: local(10, 22) });
  expect(getRangeBounds({ days: 7 }, noon)).toEqual({ from: local(10, 15), to: local(10, 22) });
  expect(getRangeBounds({ days: 30 }, noon)).toEqual({ from: local(9, 23), to: local(10, 22) });
});
