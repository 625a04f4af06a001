import { expect, test } from 'vitest';
import { formatDuration } from './duration.ts';

test.each([
  [-1, '0 s'],
  [0, '0 s'],
  [45.9, '45 s'],
  [60, '1 min'],
  [125, '2 min 5 s'],
  [3_600, '1 h'],
  [11_640, '3 h 14 min'],
  [86_400, '1 d'],
  [187_259, '2 d 4 h'],
  [176_340, '2 d'],
])('%d s are %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});
