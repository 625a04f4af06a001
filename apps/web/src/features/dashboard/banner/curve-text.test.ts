import { dayMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { describeResult, formatCurveTitle } from './curve-text.ts';

const day = dayMs;
// Noon of the reader, whose days the title names.
const start = new Date(2026, 9, 24, 12).getTime();
const points = [
  { at: start, value: 0 },
  { at: start + 7 * day, value: -100 },
  { at: start + 28 * day, value: 300 },
];

test('its title names the range and its text alternative describes the shape', () => {
  expect(formatCurveTitle(points, start + 28 * day)).toBe('Equity, 28 days');
  expect(formatCurveTitle(points.slice(1), start + 28 * day)).toBe('Equity since 31 Oct');
  expect(describeResult(points)).toBe(
    'Equity net of deposits from 24 Oct to 21 Nov: +300.00 USDT, at the lowest −100.00, at the highest +300.00.',
  );
});
