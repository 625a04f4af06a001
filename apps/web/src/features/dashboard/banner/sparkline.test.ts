import { dayMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { describeCurve, formatCurveTitle, toSparkline } from './sparkline.ts';

// Noon of the reader, whose days the title names.
const start = new Date(2026, 9, 24, 12).getTime();
const points = [
  { at: start, result: 0 },
  { at: start + 7 * dayMs, result: -100 },
  { at: start + 28 * dayMs, result: 300 },
];

test('the curve fills its box in time and from its lowest to its highest value', () => {
  // 6 + (300 − r) / 400 × 88: 0 is at 72, −100 at 94, 300 at 6.
  expect(toSparkline(points)).toEqual({
    line: 'M0 72L25 94L100 6',
    area: 'M0 72L25 94L100 6V100H0Z',
    startY: 72,
    endY: 6,
  });
});

test('a constant result is a line in the middle, and one point is no curve', () => {
  expect(toSparkline(points.map(({ at }) => ({ at, result: 5 })))?.line).toBe('M0 50L25 50L100 50');
  expect(toSparkline(points.slice(0, 1))).toBeNull();
});

test('its title names the range and its text alternative describes the shape', () => {
  expect(formatCurveTitle(points, start + 28 * dayMs)).toBe('Equity, 28 days');
  expect(formatCurveTitle(points.slice(1), start + 28 * dayMs)).toBe('Equity since 31 Oct');
  expect(describeCurve(points)).toBe(
    'Equity net of deposits from 24 Oct to 21 Nov: +300.00 USDT, at the lowest −100.00, at the highest +300.00.',
  );
});
