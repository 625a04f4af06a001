import { expect, test } from 'vitest';
import { describeSparkline, toSparkline } from './sparkline.ts';

test('the curve spans the first day to the last within its box', () => {
  expect(toSparkline([1, 3, 2])).toEqual({
    line: 'M0 92L50 8L100 50',
    area: 'M0 92L50 8L100 50V100H0Z',
    endY: 50,
  });
  expect(toSparkline([5, 5])).toMatchObject({ line: 'M0 50L100 50' });
});

test('without history there is no curve', () => {
  expect(toSparkline([0, 0, 0])).toBeNull();
  expect(toSparkline([4])).toBeNull();
});

test('the description names range, lowest and highest value', () => {
  expect(describeSparkline([10, 2500, 1200], ' USDT')).toBe(
    'Last 3 days: from 10 USDT to 1.2K USDT, lowest 10 USDT, highest 2.5K USDT.',
  );
});
