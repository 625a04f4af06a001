import { expect, test } from 'vitest';
import { splitRuns, toAreaPath, toLinePath } from './line-path.ts';

const at = (x: number, y: number) => ({ x, y });

test('a missing point breaks the line, a single one is a path of its own', () => {
  expect(splitRuns([null, at(0, 1), at(1, 2), null, at(3, 4), null])).toEqual([
    [at(0, 1), at(1, 2)],
    [at(3, 4)],
  ]);
  expect(splitRuns([null, null])).toEqual([]);
});

test('a straight line stays straight', () => {
  expect(toLinePath([at(0, 0), at(3, 3), at(6, 6)])).toBe('M0 0C1 1 2 2 3 3C4 4 5 5 6 6');
  expect(toLinePath([at(2, 5)])).toBe('M2 5');
  expect(toLinePath([])).toBe('');
});

test('the curve is flat at an extreme and exceeds no point', () => {
  // Up to 3 and down again: leaves (3, 3) with slope 0.
  expect(toLinePath([at(0, 0), at(3, 3), at(6, 0)])).toBe('M0 0C1 1 2 3 3 3C4 3 5 1 6 0');
  // Slopes 1 and 3: their harmonic mean is 1.5.
  expect(toLinePath([at(0, 0), at(3, 3), at(6, 12)])).toBe('M0 0C1 1 2 1.5 3 3C4 4.5 5 9 6 12');
});

test('the area closes on its base', () => {
  expect(toAreaPath([at(0, 0), at(3, 3)], 10)).toBe('M0 0C1 1 2 2 3 3L3 10L0 10Z');
});
