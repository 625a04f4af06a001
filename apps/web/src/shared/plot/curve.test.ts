import { expect, test } from 'vitest';
import { describeCurve, findPoint, toCurvePath } from './curve.ts';

const points = [
  { at: 0, value: 10 },
  { at: 10, value: 20 },
  { at: 30, value: 5 },
];
const asIs = { x: (at: number) => at, y: (value: number) => value };

test('steps find the point in effect, a line finds the nearest point', () => {
  expect([-5, 0, 9, 10, 29, 30, 99].map((at) => findPoint(points, at, 'steps'))).toEqual([
    0, 0, 0, 1, 1, 2, 2,
  ]);
  expect([-5, 4, 6, 19, 21, 99].map((at) => findPoint(points, at, 'line'))).toEqual([0, 0, 1, 1, 2, 2]);
});

test('a balance is drawn in steps, equity as a line', () => {
  expect(toCurvePath(points, asIs, 'steps')).toBe('M0 10H10V20H30V5');
  expect(toCurvePath(points, asIs, 'line')).toBe('M0 10L10 20L30 5');
});

test('the curve has a text description', () => {
  expect(describeCurve('Equity', points)).toMatch(
    /^Equity was 10\.00 USDT on .+ and is 5\.00 USDT on .+; lowest 5\.00, highest 20\.00\.$/,
  );
  expect(describeCurve('Equity', [])).toBe('');
});
