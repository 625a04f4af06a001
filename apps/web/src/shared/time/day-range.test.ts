import { expect, test } from 'vitest';
import { allDays, getLocalMidnight, isWithinDays, parseDay, toLocalDay } from './day-range.ts';

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

test('A78: a range has both of its days, and one day is a range', () => {
  const days = { from: '2026-11-06', to: '2026-11-07' };
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString();
  expect([at(5, 23), at(6, 0), at(7, 23), at(8, 0)].map((iso) => isWithinDays(iso, days))).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(isWithinDays(at(6, 12), { from: '2026-11-06', to: '2026-11-06' })).toBe(true);
  expect(isWithinDays(at(6, 12), { from: '2026-11-07', to: '2026-11-05' })).toBe(false);
  expect([isWithinDays(null, days), isWithinDays(null, allDays)]).toEqual([false, true]);
});

test('A78: the local day, by the calendar', () => {
  const night = new Date(2026, 10, 1, 0, 30);
  expect([toLocalDay(night), toLocalDay(night, -1), toLocalDay(night, -30)]).toEqual([
    '2026-11-01',
    '2026-10-31',
    '2026-10-02',
  ]);
});
