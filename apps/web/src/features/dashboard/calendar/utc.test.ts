import { expect, test } from 'vitest';
import { formatUtcFull, formatUtcTime } from './utc.ts';

const now = Date.UTC(2026, 10, 19, 15, 42);

test('an event of today shows its time, one of another day also its weekday', () => {
  expect(formatUtcTime(Date.UTC(2026, 10, 19, 23, 30), now)).toBe('23:30');
  expect(formatUtcTime(Date.UTC(2026, 10, 20, 0, 1), now)).toBe('Fri 00:01');
  expect(formatUtcTime(Date.UTC(2026, 10, 18, 13, 30), now)).toBe('Wed 13:30');
  expect(formatUtcFull(Date.UTC(2026, 10, 20, 7, 0))).toBe('Friday, November 20, 2026, 07:00 UTC');
});
