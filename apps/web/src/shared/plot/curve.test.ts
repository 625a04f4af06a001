import { expect, test } from 'vitest';
import { pathOf, pointAt, summaryOf } from './curve.ts';

const points = [
  { at: 0, value: 10 },
  { at: 10, value: 20 },
  { at: 30, value: 5 },
];
const asIs = { x: (at: number) => at, y: (value: number) => value };

test('steps hold until the next one, a line has the nearest point', () => {
  expect([-5, 0, 9, 10, 29, 30, 99].map((at) => pointAt(points, at, 'steps'))).toEqual([0, 0, 0, 1, 1, 2, 2]);
  expect([-5, 4, 6, 19, 21, 99].map((at) => pointAt(points, at, 'line'))).toEqual([0, 0, 1, 1, 2, 2]);
});

test('money moves in steps, equity along a line', () => {
  expect(pathOf(points, asIs, 'steps')).toBe('M0 10H10V20H30V5');
  expect(pathOf(points, asIs, 'line')).toBe('M0 10L10 20L30 5');
});

test('the curve is told in words', () => {
  expect(summaryOf('Equity', points)).toMatch(
    /^Equity was 10\.00 USDT on .+ and is 5\.00 USDT on .+; lowest 5\.00, highest 20\.00\.$/,
  );
  expect(summaryOf('Equity', [])).toBe('');
});
