import { expect, test } from 'vitest';
import { boundsOf, readRange, writeRange } from './range.ts';

test('the range stands in the URL beside the tab; today does not need to', () => {
  const search = new URLSearchParams('tab=support');
  expect(readRange(search).value).toBe('today');
  expect(readRange(new URLSearchParams('range=90d')).value).toBe('today');
  const week = writeRange(search, '7d');
  expect(`${week}`).toBe('tab=support&range=7d');
  expect(readRange(week).value).toBe('7d');
  expect(`${writeRange(week, 'today')}`).toBe('tab=support');
});

test('whole days on the reader’s clock, today included and to its end', () => {
  const noon = new Date(2026, 10, 21, 12, 30).getTime();
  const local = (month: number, day: number) => new Date(2026, month, day).toISOString();
  expect(boundsOf({ days: 1 }, noon)).toEqual({ from: local(10, 21), to: local(10, 22) });
  expect(boundsOf({ days: 7 }, noon)).toEqual({ from: local(10, 15), to: local(10, 22) });
  expect(boundsOf({ days: 30 }, noon)).toEqual({ from: local(9, 23), to: local(10, 22) });
});
