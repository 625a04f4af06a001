import {
  asMoney,
  asPrice,
  asSize,
  calculatePnl,
  mainRuleSetNames,
  parseDecimal,
  rulesOf,
} from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { type CalculatedPosition, getPnlOrderSize, toOrderDraft } from './order-draft.ts';

const price = (text: string) => asPrice(parseDecimal(text));
const size = (text: string) => asSize(parseDecimal(text));
const pair = {
  symbol: 'BTCUSDT',
  baseAsset: 'BTC',
  limits: {
    minPrice: price('0.01'),
    maxPrice: price('1000000'),
    tickSize: price('0.01'),
    minQty: size('0.001'),
    maxQty: size('9000'),
    stepSize: size('0.001'),
  },
};
const long: CalculatedPosition = {
  side: 'BUY',
  size: size('0.128'),
  leverage: 25,
  entryPrice: price('97482.6'),
  exitPrice: price('96500'),
};
const draft = (worked: Partial<CalculatedPosition>) => toOrderDraft(pair, { ...long, ...worked });

test('an order on the steps of the pair is passed on unchanged', () => {
  expect(draft({})).toEqual({
    kind: 'order',
    rounded: null,
    draft: {
      symbol: 'BTCUSDT',
      side: 'BUY',
      amount: '0.128',
      leverage: 25,
      stopLoss: '96500.00',
      takeProfit: null,
    },
  });
});
test.each([
  ['BUY', '98000', 'takeProfit'],
  ['BUY', '97000', 'stopLoss'],
  ['SELL', '98000', 'stopLoss'],
  ['SELL', '97000', 'takeProfit'],
] as const)('a %s with the exit price %s has it as its %s', (side, exit, field) => {
  expect(draft({ side, exitPrice: price(exit) })).toMatchObject({
    draft: { stopLoss: null, takeProfit: null, [field]: `${exit}.00` },
  });
});
test('an amount is rounded down to the step, a stop to the tick towards the entry, and both roundings are reported', () => {
  const made = draft({ size: size('0.12872908'), exitPrice: price('96500.001') });
  expect(made).toMatchObject({ draft: { amount: '0.128', stopLoss: '96500.01' } });
  expect(made).toMatchObject({
    rounded:
      'Amount rounded down from 0.12872908 to 0.128 BTC, the step of BTCUSDT. Stop loss moved from 96500.001 to 96500.01, the tick of BTCUSDT.',
  });
});
test('a short’s stop is rounded down to the tick, its take profit up', () => {
  expect(draft({ side: 'SELL', exitPrice: price('98000.009') })).toMatchObject({
    draft: { stopLoss: '98000.00' },
  });
  expect(draft({ side: 'SELL', exitPrice: price('97000.001') })).toMatchObject({
    draft: { takeProfit: '97000.01' },
  });
});
test('an exit at the entry, too close to it or at an invalid price is left out', () => {
  expect(draft({ exitPrice: price('97482.6') })).toMatchObject({
    draft: { stopLoss: null, takeProfit: null },
    rounded: 'BTCUSDT cannot end at 97482.6.',
  });
  expect(draft({ exitPrice: price('97482.599') })).toMatchObject({ draft: { stopLoss: null } });
  expect(draft({ exitPrice: price('0') })).toMatchObject({ draft: { stopLoss: null } });
  expect(draft({ exitPrice: null })).toMatchObject({ draft: { stopLoss: null }, rounded: null });
});
test('an amount below the minimum of the pair gives no order', () => {
  expect(draft({ size: size('0.0009') })).toEqual({
    kind: 'too small',
    reason: '0.0009 BTC is too small for an order: BTCUSDT starts at 0.001 BTC.',
  });
});

test.each(mainRuleSetNames)('A01: in %s closing the order of a P/L result books that result', (rules) => {
  const inputs = {
    side: 'BUY',
    entryPrice: price('100'),
    exitPrice: price('101'),
    size: size('2'),
    leverage: 10,
  } as const;
  const result = calculatePnl(inputs) ?? expect.unreachable();
  const ordered = { ...inputs, size: getPnlOrderSize(rules, { inputs, result }), margin: asMoney(0n) };
  expect(rulesOf(rules).realizedPnl(ordered, inputs.exitPrice)).toBe(result.pnl);
});
