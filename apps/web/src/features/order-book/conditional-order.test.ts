import { expect, test } from 'vitest';
import { endOf, toTrailRate } from './conditional-order.ts';

test('A113: a trailing distance is from 0.1 to 20 in steps of 0.1', () => {
  const isRate = (text: string) => toTrailRate(text) !== null;
  expect(['0.1', '1,5', '20', '2.5%'].filter((text) => !isRate(text))).toEqual([]);
  expect(['', '0', '0.05', '1.25', '20.1', '100', 'x'].filter(isRate)).toEqual([]);
});

test('A113: an order ends after the chosen time, or has no end', () => {
  expect(endOf('')).toEqual({});
  expect(endOf('hour', 0)).toEqual({ time_in_force: 'GTD', expires_at: '1970-01-01T01:00:00.000Z' });
});
