import { expect, test } from 'vitest';
import { parseTimeframe } from './timeframes.ts';

test.each([
  ['15', '15m'],
  ['60', '1h'],
  ['240m', '4h'],
  ['4H', '4h'],
  ['1D', '1d'],
  ['7d', '1w'],
  ['1m', '1m'],
  ['1M', '1M'],
  [' 5 m ', '5m'],
  ['7', null],
  ['3M', null],
  ['1y', null],
  ['h', null],
  ['', null],
])('charts: typing %j chooses the timeframe %j', (text, expected) => {
  expect(parseTimeframe(text)).toBe(expected);
});
