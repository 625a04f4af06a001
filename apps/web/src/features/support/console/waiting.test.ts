import { expect, test } from 'vitest';
import { getWait } from './waiting.ts';

const since = '2026-11-21T10:00:00.000Z';
const after = (seconds: number) => getWait(since, Date.parse(since) + seconds * 1_000);

test.each([
  [-20, '0:00', 'calm', 0],
  [41, '0:41', 'calm', 41 / 300],
  [119, '1:59', 'calm', 119 / 300],
  [120, '2:00', 'long', 0.4],
  [299, '4:59', 'long', 299 / 300],
  [300, '5:00', 'late', 1],
  [468, '7:48', 'late', 1],
  [11_640, '3 h 14 min', 'late', 1],
])('after %d s it shows %s', (seconds, text, level, share) => {
  expect(after(seconds)).toMatchObject({ text, level, share });
});
test('its level is part of the accessible text', () => {
  expect(after(41).label).toBe('Unanswered for 41 s');
  expect(after(468).label).toBe('Unanswered for 7 min 48 s, over the target');
});
