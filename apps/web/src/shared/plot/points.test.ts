import { expect, test } from 'vitest';
import { describeCurve, findPoint, splitRuns, toAreaPath, toLinePath } from './points.ts';

const at = (x: number, y: number) => ({ x, y });

test('steps find the point in effect, a line finds the nearest point', () => {
  const times = [0, 10, 30];
  expect([-5, 0, 9, 10, 29, 30, 99].map((time) => findPoint(times, time, 'steps'))).toEqual([
    0, 0, 0, 1, 1, 2, 2,
  ]);
  expect([-5, 4, 6, 19, 21, 99].map((time) => findPoint(times, time, 'line'))).toEqual([0, 0, 1, 1, 2, 2]);
});

test('a missing point breaks the line, a single one is a path of its own', () => {
  expect(splitRuns([null, at(0, 1), at(1, 2), null, at(3, 4), null])).toEqual([
    [at(0, 1), at(1, 2)],
    [at(3, 4)],
  ]);
  expect(splitRuns([null, null])).toEqual([]);
});

test('a balance is drawn in steps, equity as a line', () => {
  const points = [at(0, 10), at(10, 20), at(30, 5)];
  expect(toLinePath(points, 'steps')).toBe('M0 10H10V20H30V5');
  expect(toLinePath(points, 'line')).toBe('M0 10L10 20L30 5');
  expect(toLinePath([], 'line')).toBe('');
});

test('a smooth line through a straight one stays straight', () => {
  expect(toLinePath([at(0, 0), at(3, 3), at(6, 6)], 'smooth')).toBe('M0 0C1 1 2 2 3 3C4 4 5 5 6 6');
  expect(toLinePath([at(2, 5)], 'smooth')).toBe('M2 5');
});

test('a smooth line is flat at an extreme and exceeds no point', () => {
  // Up to 3 and down again: leaves (3, 3) with slope 0.
  expect(toLinePath([at(0, 0), at(3, 3), at(6, 0)], 'smooth')).toBe('M0 0C1 1 2 3 3 3C4 3 5 1 6 0');
  // Slopes 1 and 3: their harmonic mean is 1.5.
  expect(toLinePath([at(0, 0), at(3, 3), at(6, 12)], 'smooth')).toBe('M0 0C1 1 2 1.5 3 3C4 4.5 5 9 6 12');
});

test('the area closes on its base', () => {
  expect(toAreaPath([at(0, 0), at(3, 3)], 'smooth', 10)).toBe('M0 0C1 1 2 2 3 3V10H0Z');
  expect(toAreaPath([], 'line', 10)).toBe('');
});

test('the curve has a text description', () => {
  const points = [
    { at: 0, value: 10 },
    { at: 10, value: 20 },
    { at: 30, value: 5 },
  ];
  expect(describeCurve('Equity', points)).toMatch(
    /^Equity was 10\.00 USDT on .+ and is 5\.00 USDT on .+; lowest 5\.00, highest 20\.00\.$/,
  );
  expect(describeCurve('Equity', [])).toBe('');
});
