import { expect, test } from 'vitest';
import { getLeverageBars, getLiquidationFormula } from './leverage-bars.ts';

const distances = (...terms: Parameters<typeof getLeverageBars>) =>
  getLeverageBars(...terms).map(({ leverage, distancePercent }) => [leverage, distancePercent]);

/** Evaluates the displayed formula for an entry of 100. */
function worked(formula: string, leverage: number): number {
  const sum = formula
    .replace('leverage²', `(${leverage} * ${leverage})`)
    .replaceAll('leverage', String(leverage))
    .replace('entry', '100')
    .replaceAll('×', '*')
    .replaceAll('÷', '/')
    .replaceAll('−', '-');
  return Number(new Function(`return ${sum}`)());
}

test('A04: 95 % of the margin is the distance to the liquidation', () => {
  expect(distances('standard', 0)).toEqual([
    [5, 19],
    [10, 9.5],
    [25, 3.8],
    [50, 1.9],
    [125, 0.76],
  ]);
  const shares = [1, 0.5, 0.2, 0.1, 0.04].map((share) => expect.closeTo(share, 6));
  expect(getLeverageBars('standard', 0).map(({ share }) => share)).toEqual(shares);
});
test('A01: under the rules as specified the distance is divided by the leverage once more', () => {
  expect(distances('as-specified', 0).slice(0, 2)).toEqual([
    [5, 3.8],
    [10, 0.95],
  ]);
});
test.each([
  ['standard', 0],
  ['standard', 0.0006],
  ['as-specified', 0],
  ['as-specified', 0.0006],
] as const)('the displayed formula is the one of the bars (%s, fee %s)', (rules, feeRate) => {
  const formula = getLiquidationFormula('BUY', rules, feeRate);
  for (const [leverage = 0, distance = 0] of distances(rules, feeRate)) {
    expect(100 - worked(formula, leverage)).toBeCloseTo(distance, 6);
  }
});
test('a short has the signs reversed', () => {
  expect(getLiquidationFormula('BUY', 'standard', 0)).toBe('entry × (1 − 0.95 ÷ leverage)');
  expect(getLiquidationFormula('SELL', 'standard', 0)).toBe('entry × (1 + 0.95 ÷ leverage)');
  expect(getLiquidationFormula('SELL', 'standard', 0.0006)).toBe(
    'entry × (1 + 0.95 ÷ leverage) ÷ (1 + 0.0006)',
  );
});
