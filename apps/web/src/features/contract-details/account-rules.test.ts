import {
  asFeeRate,
  asPrice,
  asSize,
  type FeeRate,
  fillTerms,
  initialMargin,
  NO_FEE,
  netLiquidationPrice,
  orderValue,
  parseDecimal,
  type RuleSetName,
  sides,
  toNumber,
} from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import { formatPrice } from '../../shared/numbers/index.ts';
import {
  type AccountRules,
  describeLiquidation,
  describeLiquidationExample,
  describeRules,
} from './account-rules.ts';

const price = (text: string) => asPrice(parseDecimal(text));
const size = (text: string) => asSize(parseDecimal(text));
const feeRate = asFeeRate(60_000n);
const bitcoin = {
  type: 'crypto',
  baseAsset: 'BTC',
  tickSize: 0.01,
  stepSize: 0.001,
  limits: {
    minPrice: price('0.01'),
    maxPrice: price('1000000'),
    tickSize: price('0.01'),
    minQty: size('0.001'),
    maxQty: size('9000'),
    stepSize: size('0.001'),
  },
} as const;
const main = (rules: RuleSetName, rate: FeeRate = feeRate): AccountRules => ({
  rules,
  feeRate: rate,
  profile: null,
});
const net: AccountRules = {
  rules: 'perpetual',
  feeRate: fillTerms.retail.takerFee,
  profile: 'retail',
};

describe('the rules of a main account', () => {
  test.each([
    ['standard', 'Price movement × amount, at most the margin is lost'],
    ['as-specified', 'Price movement × amount × leverage, at most the margin is lost'],
  ] as const)('A01, A04, A07: of %s', (rules, closingPnl) => {
    expect(describeRules(main(rules), bitcoin)).toEqual({
      maintenanceMargin: '5 % of the required margin',
      closingPnl,
      fee: '0.06 % of the value, at the opening and at the close',
    });
    expect(describeRules(main(rules, NO_FEE), bitcoin).fee).toBe('None');
  });
  test('A04, A07: a liquidation price is a formula with its figures', () => {
    expect(describeLiquidation('BUY', main('standard', NO_FEE))).toBe('Entry × (1 − 95 % ÷ leverage)');
    // 100 × (1 − 0.95 / 25).
    expect(describeLiquidationExample('BUY', main('standard', NO_FEE), bitcoin, price('100'))).toBe(
      '100.00 × (1 − 95 % ÷ 25) = 96.20',
    );
    // 100 × (1 + 0.95 / 625) = 100.152, down to the tick.
    expect(describeLiquidationExample('SELL', main('as-specified', NO_FEE), bitcoin, price('100'))).toBe(
      '100.00 × (1 + 95 % ÷ 25²) = 100.15',
    );
  });
});

describe('A113: the rules of an account with net positions', () => {
  test('a close has no leverage, maintenance is that of the first bracket, and both fees are stated', () => {
    expect(describeRules(net, bitcoin)).toEqual({
      maintenanceMargin: '0.4 % of the value of a position of up to 50,000 USDT, more for a larger one',
      closingPnl: 'Price movement × amount, at most the margin is lost',
      fee: '0.06 % of the value as a taker, 0.04 % as a maker, at the opening and at the close',
    });
    expect(describeRules(net, { type: 'forex' }).maintenanceMargin).toMatch(/^0\.3 % .* 250,000 USDT/);
    expect(describeRules({ ...net, feeRate: NO_FEE, profile: 'ideal' }, bitcoin).fee).toBe('None');
  });
  test.each(sides)('the liquidation price of a %s of the smallest amount is the engine’s', (side) => {
    const [entry, amount] = [price('97482.6'), bitcoin.limits.minQty];
    const entryValue = orderValue(entry, amount);
    const terms = { side, size: amount, entryValue, margin: initialMargin(entryValue, 25) };
    const liquidation = netLiquidationPrice(terms, 'crypto', bitcoin.limits.tickSize);
    expect(describeLiquidation(side, net)).toBe('Where margin plus PnL equals the maintenance margin');
    expect(describeLiquidationExample(side, net, bitcoin, entry)).toBe(
      `0.001 BTC at 97,482.60 with 25×: ${formatPrice(toNumber(liquidation), 0.01)}`,
    );
  });
  test('a long at 97,482.60 with 25× is liquidated at 93,959.14', () => {
    // (1 − 1 / 25) / (1 − 0.4 %) × 97,482.60 = 93,959.132…, up to the tick.
    expect(describeLiquidationExample('BUY', net, bitcoin, price('97482.6'))).toMatch(/: 93,959\.14$/);
  });
});
