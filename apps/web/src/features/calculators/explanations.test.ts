/** Tests that an explanation's displayed figures, recalculated by hand, give its result. */
import {
  asFeeRate,
  asMoney,
  asPercent,
  asPrice,
  asSize,
  calculatePnl,
  calculatePosition,
  calculateRisk,
  calculatorFee,
  mainRuleSetNames,
  NO_FEE,
  type PnlInputs,
  type PnlResult,
  type PositionInputs,
  type PositionResult,
  parseDecimal,
  type Size,
  sides,
  stopOutlook,
} from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { explainPnl, explainPosition, explainRisk } from './explanations.ts';
import { calculateIfComplete } from './field-parsing.ts';

const price = (text: string) => asPrice(parseDecimal(text));
const size = (text: string) => asSize(parseDecimal(text));
const steps = { tickSize: 0.01, stepSize: 0.01, baseAsset: 'ETH' };

test('CALC-03, CALC-04, CALC-05: the P/L calculator with the figures of the reference picture', () => {
  const inputs = {
    side: 'SELL',
    entryPrice: price('3642.18'),
    exitPrice: price('3480'),
    size: size('0.35'),
    leverage: 10,
  } as const;
  const { pnl, roi, positionSize } = explainPnl(
    'standard',
    'SELL',
    calculateIfComplete<PnlInputs, PnlResult>(inputs, calculatePnl),
    steps,
  );
  expect(pnl).toMatchObject({
    formula: '(Entry − exit) × size × leverage',
    figures: '(3,642.18 − 3,480.00) × 0.35 ETH × 10 = +567.63 USDT',
  });
  expect(roi.figures).toBe('+567.63 ÷ (3,642.18 × 0.35 ETH) = +44.53%');
  expect(positionSize.figures).toBe('0.35 ETH × 10 = 3.50 ETH');
  const long = { ...inputs, side: 'BUY' } as const;
  expect(
    explainPnl('standard', 'BUY', calculateIfComplete<PnlInputs, PnlResult>(long, calculatePnl), steps).pnl,
  ).toMatchObject({
    formula: '(Exit − entry) × size × leverage',
    figures: '(3,480.00 − 3,642.18) × 0.35 ETH × 10 = −567.63 USDT',
  });
});
test('CALC-01: without a result there is the formula, and no figures', () => {
  const all = [
    explainPnl('standard', 'BUY', null, steps),
    explainRisk({ rules: 'standard', feeRate: NO_FEE }, null, null, steps),
    explainPosition(
      'BUY',
      { rules: 'standard', feeRate: NO_FEE, shownFee: calculatorFee({ rules: 'standard', feeRate: NO_FEE }) },
      null,
      steps,
    ),
  ];
  for (const { formula, figures } of all.flatMap((parts) => Object.values(parts))) {
    expect(figures).toBeNull();
    expect(formula).not.toBe('');
  }
});
test('CALC-07, CALC-08, CALC-09, A06: only as-specified has the leverage in the formula of the size', () => {
  const inputs = {
    account: asMoney(parseDecimal('10000')),
    riskPercent: asPercent(parseDecimal('1')),
    entryPrice: price('100'),
    stopPrice: price('98'),
    leverage: 10,
  };
  const explained = mainRuleSetNames.map((rules) =>
    explainRisk(
      { rules, feeRate: NO_FEE },
      calculateIfComplete(inputs, (all) => calculateRisk(rules, all)),
      null,
      steps,
    ),
  );
  expect(explained.map(({ riskAmount }) => riskAmount.figures)).toEqual([
    '10,000.00 USDT × 1.0 % = 100.00 USDT',
    '10,000.00 USDT × 1.0 % = 100.00 USDT',
  ]);
  expect(explained.map(({ positionSize }) => positionSize.figures)).toEqual([
    '100.00 USDT ÷ |100.00 − 98.00| = 50.00 ETH',
    '100.00 USDT ÷ |100.00 − 98.00| × 10 = 500.00 ETH',
  ]);
  expect(explained.map(({ margin }) => margin.figures)).toEqual([
    '50.00 ETH × 100.00 ÷ 10 = 500.00 USDT',
    '500.00 ETH × 100.00 ÷ 10 = 5,000.00 USDT',
  ]);
});
test.each(sides)('CALC-11 to CALC-15, A04, A07: a %s of the Position calculator', (side) => {
  const inputs = { side, price: price('100'), size: size('1'), leverage: 10 };
  const explain = (rules: 'standard' | 'as-specified', rate: bigint) => {
    const feeRate = asFeeRate(rate);
    const shownFee = calculatorFee({ rules, feeRate });
    const known = calculateIfComplete(inputs, (all) =>
      calculatePosition({ rules, feeRate, tickSize: price('0.01') }, all),
    );
    return explainPosition(side, { rules, feeRate, shownFee }, known, steps);
  };
  const free = explain('standard', 0n);
  expect(free.value.figures).toBe('100.00 × 1.00 ETH = 100.00 USDT');
  expect(free.requiredMargin.figures).toBe('100.00 USDT ÷ 10 = 10.00 USDT');
  expect(free.maintenanceMargin.figures).toBe('5 % × 10.00 USDT = 0.50 USDT');
  expect(free.fee.figures).toBe('0.06 % × 100.00 USDT = 0.06 USDT');
  expect(free.fee.note).toContain('does not charge it');
  expect(free.liquidationPrice.figures).toBe(
    side === 'BUY' ? '100.00 × (1 − 95 % ÷ 10) = 90.50' : '100.00 × (1 + 95 % ÷ 10) = 109.50',
  );
  expect(explain('standard', 100_000n).fee.figures).toBe('0.1 % × 100.00 USDT = 0.10 USDT');
  expect(explain('as-specified', 0n).liquidationPrice.figures).toBe('0.8 × 100.00 = 80.00');
});
test.each(sides)('A113: a net %s has the maintenance of its bracket, and is liquidated there', (side) => {
  const terms = { rules: 'perpetual', feeRate: asFeeRate(60_000n) } as const;
  const shownFee = calculatorFee(terms);
  const explain = (amount: Size | null) => {
    const inputs = { side, price: price('60000'), size: amount, leverage: 20 };
    const known = calculateIfComplete<PositionInputs, PositionResult>(inputs, (all) =>
      calculatePosition({ ...terms, market: 'crypto', tickSize: price('0.01') }, all),
    );
    return explainPosition(side, { ...terms, shownFee }, known, steps);
  };
  const explained = explain(size('1'));
  expect(explained.requiredMargin.figures).toBe('60,000.00 USDT ÷ 20 = 3,000.00 USDT');
  expect(explained.maintenanceMargin.figures).toBe('60,000.00 USDT × 0.5 % − 50.00 USDT = 250.00 USDT');
  expect(explained.fee.figures).toBe('0.06 % × 60,000.00 USDT = 36.00 USDT');
  expect(explained.liquidationPrice.figures).toBe(
    side === 'BUY'
      ? '(60,000.00 USDT − 3,000.00 USDT − 50.00 USDT) ÷ (1.00 ETH × (1 − 0.5 %)) = 57,236.19'
      : '(60,000.00 USDT + 3,000.00 USDT + 50.00 USDT) ÷ (1.00 ETH × (1 + 0.5 %)) = 62,736.31',
  );
  for (const { formula, figures } of Object.values(explain(null))) {
    expect(formula).not.toMatch(/95 %|5 % ×/);
    expect(figures).toBeNull();
  }
});
test('CALC-08, A04, A07: the size states the additional fees, and when the stop would not be reached', () => {
  const noteAt = (leverage: number, rate: bigint) => {
    const inputs = {
      account: asMoney(parseDecimal('10000')),
      riskPercent: asPercent(parseDecimal('1')),
      entryPrice: price('100'),
      stopPrice: price('98'),
      leverage,
    };
    const terms = { rules: 'standard', feeRate: asFeeRate(rate), tickSize: price('0.01') } as const;
    const known = calculateIfComplete(inputs, (all) => calculateRisk('standard', all))!;
    return explainRisk(terms, known, stopOutlook(terms, known.inputs, known.result), steps).positionSize.note;
  };
  expect(noteAt(10, 0n)).toMatch(/whatever its leverage\.$/);
  // 0.06 % of 50 × 100 and of 50 × 98: 3.00 + 2.94.
  expect(noteAt(10, 60_000n)).toMatch(/The fees of opening and close come on top, 5\.94 USDT in all\.$/);
  // 100 × (1 − 0.95 / 50) = 98.10.
  expect(noteAt(50, 0n)).toContain('liquidated at 98.10, before it comes to the stop');
});
