import { expect, test } from 'vitest';
import { formatUtcInstant, getGreeting } from './greeting.ts';

test('A86: the greeting follows the hour', () => {
  const greetings = Array.from({ length: 24 }, (_, hour) => getGreeting(hour));
  expect(greetings.lastIndexOf('Good morning')).toBe(11);
  expect(greetings.indexOf('Good morning')).toBe(5);
  expect([greetings.indexOf('Good afternoon'), greetings.lastIndexOf('Good afternoon')]).toEqual([12, 17]);
  expect([greetings[0], greetings[4], greetings[18], greetings[23]]).toEqual(Array(4).fill('Good evening'));
});

test('the day is shown in UTC, whatever the local time zone', () => {
  expect(formatUtcInstant(Date.UTC(2026, 10, 19, 15, 42))).toBe('Thursday 19 November, 15:42 UTC');
  expect(formatUtcInstant(Date.UTC(2026, 10, 21, 23, 59, 59))).toBe('Saturday 21 November, 23:59 UTC');
});
