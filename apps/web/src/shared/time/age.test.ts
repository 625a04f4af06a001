import { expect, test } from 'vitest';
import { formatAge } from './age.ts';

test('ages use the fitting unit', () => {
  expect([400, 42_000, 240_000, 7_200_000, 400_000_000].map(formatAge)).toEqual([
    '0.4 s',
    '42 s',
    '4 min',
    '2 h',
    '5 d',
  ]);
});
