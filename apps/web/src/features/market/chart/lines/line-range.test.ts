import { expect, test } from 'vitest';
import { rangeWithLines } from './line-range.ts';

const bars = { from: 57_700, to: 59_300 };

test('the axis opens for a take profit and a stop loss just outside the bars', () => {
  expect(rangeWithLines(bars, [60_000, 57_500])).toEqual({ from: 57_500, to: 60_000 });
});

test('the axis stays with the bars where no line is outside of them, or none is near', () => {
  expect(rangeWithLines(bars, [])).toBe(bars);
  expect(rangeWithLines(bars, [58_000, 59_300])).toBe(bars);
  expect(rangeWithLines(bars, [2_913, 113_000])).toBe(bars);
});

test('the nearest lines come first, and the bars keep most of the height', () => {
  expect(rangeWithLines(bars, [60_500, 59_400, 57_000])).toEqual({ from: 57_000, to: 59_400 });
});
