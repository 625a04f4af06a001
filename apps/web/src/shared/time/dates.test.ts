import { expect, test } from 'vitest';
import {
  formatClock,
  formatClockWithSeconds,
  formatDatedClock,
  formatDatedClockWithSeconds,
  formatDay,
  formatDayAndMonth,
  formatLongInstant,
  formatShortDay,
  formatWeekdayAndClock,
} from './dates.ts';

test('X-15: a date reads MMM dd, yyyy', () => {
  expect(formatDay('2026-11-06T12:00:00Z')).toBe('Nov 06, 2026');
  expect(formatClock('2026-11-06T12:05:00Z')).toMatch(/^\d\d:05$/);
});
test('ERR-70: a missing date is Never', () => {
  expect(formatDay(null)).toBe('Never');
});
test('ERR-71, MGR-04: an unparsable date is Invalid date', () => {
  expect(formatDay('soon')).toBe('Invalid date');
});
test('X-16: an instant is written in the named zone, from text or from ms', () => {
  const at = Date.UTC(2026, 10, 6, 0, 5, 9);
  expect([formatDay(at, 'UTC'), formatClock(at, 'UTC')]).toEqual(['Nov 06, 2026', '00:05']);
  expect(formatClockWithSeconds(new Date(at).toISOString(), 'UTC')).toBe('00:05:09');
  expect(formatDatedClockWithSeconds(at, 'UTC')).toBe('Fri, 06 Nov 2026, 00:05:09');
  expect([formatShortDay(at, 'UTC'), formatDayAndMonth(at, 'UTC')]).toEqual(['Nov 6', '6 Nov']);
  expect(formatWeekdayAndClock(at, 'America/New_York')).toBe('Thu 5 Nov, 19:05');
  expect(formatDatedClock(at, 'UTC')).toBe('6 Nov 2026, 00:05');
  expect(formatLongInstant(at, 'UTC')).toBe('Friday 6 November at 00:05 UTC');
});
