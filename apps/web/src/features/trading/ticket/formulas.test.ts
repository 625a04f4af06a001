import {
  asFeeRate,
  asMoney,
  asPercent,
  asPrice,
  asSize,
  type FeeRate,
  type MainRuleSetName,
  NO_FEE,
  parseDecimal,
  rulesOf,
  sides,
} from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import { explainLiquidation, explainMargin, explainRewardToRisk, getRewardToRisk } from './formulas.ts';
import { summarizeOrder } from './summary.ts';

const steps = { tickSize: 0.01, stepSize: 0.001, baseAsset: 'BTC' };
const limits = {
  minPrice: asPrice(1n),
  maxPrice: asPrice(10n ** 20n),
  tickSize: asPrice(parseDecimal('0.01')),
  minQty: asSize(parseDecimal('0.001')),
  maxQty: asSize(parseDecimal('9000')),
  stepSize: asSize(parseDecimal('0.001')),
};
const termsOf = (rules: MainRuleSetName, feeRate: FeeRate, leverage = 25) => ({
  limits,
  rules: rulesOf(rules),
  feeRate,
  price: asPrice(parseDecimal('97482.6')),
  size: asSize(parseDecimal('0.15')),
  leverage,
});

test('RULE-01: the margin with the figures of the reference picture', () => {
  const terms = termsOf('standard', NO_FEE);
  expect(explainMargin(terms, summarizeOrder(terms), steps)).toMatchObject({
    formula: 'Amount × price ÷ leverage',
    figures: '0.150 BTC × 97,482.60 ÷ 25 = 584.90 USDT',
  });
  const empty = { ...terms, size: null };
  expect(explainMargin(empty, summarizeOrder(empty), steps).figures).toBeNull();
  const charged = termsOf('standard', asFeeRate(60_000n));
  expect(explainMargin(charged, summarizeOrder(charged), steps).note).toContain(
    'With the fee of 8.77 USDT, 593.67 USDT must be available.',
  );
});

/** Computes the result of a formula from its displayed figures. */
function byHand(figures: string): number {
  const [formula = ''] = figures.split(' = ');
  const script = formula
    .replaceAll(',', '')
    .replace(/(\d+)²/g, '($1*$1)')
    .replace(/([\d.]+) %/g, '($1/100)')
    .replaceAll('×', '*')
    .replaceAll('÷', '/')
    .replaceAll('−', '-');
  return Number(new Function(`return ${script}`)());
}

describe('A01, A04, A07: the liquidation price', () => {
  test('in the formula of each rule set', () => {
    const shown = (rules: MainRuleSetName, feeRate = NO_FEE) => {
      const terms = termsOf(rules, feeRate);
      return sides.map((side) => explainLiquidation(side, terms, summarizeOrder(terms), steps).formula);
    };
    expect(shown('standard')).toEqual(['Entry × (1 − 95 % ÷ leverage)', 'Entry × (1 + 95 % ÷ leverage)']);
    expect(shown('as-specified')[0]).toBe('Entry × (1 − 95 % ÷ leverage²)');
    expect(shown('standard', asFeeRate(60_000n))[1]).toBe('Entry × (1 + 95 % ÷ leverage) ÷ (1 + fee)');
  });
  test('calculated from the displayed figures equals the price of the engine, to the tick', () => {
    for (const rules of ['standard', 'as-specified'] as const) {
      for (const feeRate of [NO_FEE, asFeeRate(60_000n)]) {
        for (const leverage of [1, 25, 125]) {
          for (const side of sides) {
            const terms = termsOf(rules, feeRate, leverage);
            const { figures } = explainLiquidation(side, terms, summarizeOrder(terms), steps);
            const stated = Number((figures ?? '').split(' = ')[1]?.replaceAll(',', ''));
            expect(Math.abs(byHand(figures ?? '') - stated), figures ?? '').toBeLessThanOrEqual(0.01);
          }
        }
      }
    }
  });
});

test('the reward to risk needs a gain at the one and a loss at the other', () => {
  const outcome = (pnl: string) => ({ pnl: asMoney(parseDecimal(pnl)), roe: asPercent(0n) });
  expect(explainRewardToRisk(outcome('302.61'), outcome('-147.39')).figures).toBe('302.61 ÷ 147.39 = 2.05');
  expect(getRewardToRisk(outcome('5'), null)).toBeNull();
  expect(getRewardToRisk(outcome('5'), outcome('0'))).toBeNull();
  expect(getRewardToRisk(outcome('-5'), outcome('-1'))).toBeNull();
});
