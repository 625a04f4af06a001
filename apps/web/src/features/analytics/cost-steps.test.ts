import { expect, test } from 'vitest';
import { costSteps } from './cost-steps.ts';

const costs = { fills: 4, gross: 20, spread: 3, impact: 2, latency: -1, fees: 6, funding: -12, net: -2 };

test('A113, A114: each step begins where the one before ends, from the gross result to the net one', () => {
  const steps = costSteps(costs);
  expect(steps.map(({ name, from, to }) => [name, from, to])).toEqual([
    ['Gross', 0, 20],
    ['Spread', 20, 17],
    ['Depth', 17, 15],
    ['Latency', 15, 16],
    ['Fees', 16, 10],
    ['Funding', 10, -2],
    ['Net', 0, -2],
  ]);
  expect(steps.map(({ tone }) => tone)).toEqual(['accent', 'down', 'down', 'up', 'down', 'down', 'down']);
  expect(steps.map(({ amount }) => amount)).toEqual([20, -3, -2, 1, -6, -12, -2]);
});
