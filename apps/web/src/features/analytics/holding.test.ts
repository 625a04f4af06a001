import { expect, test } from 'vitest';
import { holdingOf } from './holding.ts';

test('the two largest units, without a zero', () => {
  expect([0, 45, 60, 125, 3_600, 11_640, 86_400, 187_200, 187_259].map(holdingOf)).toEqual([
    '0 s',
    '45 s',
    '1 min',
    '2 min 5 s',
    '1 h',
    '3 h 14 min',
    '1 d',
    '2 d 4 h',
    '2 d 4 h',
  ]);
  expect(holdingOf(null)).toBeNull();
});
