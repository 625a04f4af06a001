import { expect, test } from 'vitest';
import { widenRange } from './line-range.ts';

const bars = { from: 57_700, to: 59_300 };

test('the axis extends to a take profit and a stop loss just outside the bars', () => {
  expect(widenRange(bars, [60_000, 57_500])).toEqual({ from: 57_500, to: 60_000 });
});

test('the axis is unchanged if no line is outside of the bars, or none is close', () => {
  expect(widenRange(bars, [])).toBe(bars);
  expect(widenRange(bars, [58_000, 59_300])).toBe(bars);
  expect(widenRange(bars, [2_913, 113_000])).toBe(bars);
});

test('the nearest lines come first, and the bars take most of the height', () => {
  expect(widenRange(bars, [60_500, 59_400, 57_000])).toEqual({ from: 57_000, to: 59_400 });
});
