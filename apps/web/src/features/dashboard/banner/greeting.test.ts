import { expect, test } from 'vitest';
import { greetingAt, instantInUtc } from './greeting.ts';

test('A86: the greeting follows the hour', () => {
  const words = Array.from({ length: 24 }, (_, hour) => greetingAt(hour));
  expect(words.lastIndexOf('Good morning')).toBe(11);
  expect(words.indexOf('Good morning')).toBe(5);
  expect([words.indexOf('Good afternoon'), words.lastIndexOf('Good afternoon')]).toEqual([12, 17]);
  expect([words[0], words[4], words[18], words[23]]).toEqual(Array(4).fill('Good evening'));
});

test('the day is named in UTC, wherever the reader is', () => {
  expect(instantInUtc(Date.UTC(2026, 10, 19, 15, 42))).toBe('Thursday 19 November, 15:42 UTC');
  expect(instantInUtc(Date.UTC(2026, 10, 21, 23, 59, 59))).toBe('Saturday 21 November, 23:59 UTC');
});
