import { expect, test } from 'vitest';
import { formatClock, formatDay } from './dates.ts';

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
