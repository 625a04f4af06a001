import { expect, test } from 'vitest';
import { slopeOf } from './slope.ts';

test('the slope of a line is found, through noise that cancels too', () => {
  const line = Array.from({ length: 10 }, (_, x) => ({ x, y: 3 + 2 * x }));
  expect(slopeOf(line)).toBeCloseTo(2);
  expect(slopeOf([0, 1, 2, 3].map((x) => ({ x, y: x % 3 === 0 ? 1 : -1 })))).toBeCloseTo(0);
  expect(slopeOf([{ x: 1, y: 5 }])).toBeNaN();
});
