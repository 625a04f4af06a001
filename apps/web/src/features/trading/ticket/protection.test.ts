import { asMoney, asPrice, asSize, parseDecimal, rulesOf, toDecimalString } from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import { getOutcome, inferSide } from './protection.ts';

const price = (text: string) => asPrice(parseDecimal(text));
const terms = {
  side: 'BUY',
  entryPrice: price('97482.60'),
  size: asSize(parseDecimal('0.15')),
  leverage: 25,
  margin: asMoney(parseDecimal('584.8956')),
} as const;
const outcome = (rules: 'standard' | 'as-specified', at: string) => {
  const { pnl = 0n, roe = 0n } = getOutcome(rulesOf(rules), terms, price(at)) ?? {};
  return [toDecimalString(pnl), toDecimalString(roe)];
};

describe('A21: the results of take profit and stop loss', () => {
  test('the figures of the reference picture', () => {
    expect(outcome('standard', '99500')).toEqual(['302.61', '51.74']);
    expect(outcome('standard', '96500')).toEqual(['-147.39', '-25.2']);
  });
  test('A01, RULE-07: as specified, a close books the leverage times as much', () => {
    expect(outcome('as-specified', '97582.60')[0]).toBe('375');
  });
  test('A03: no more than the margin is lost', () => {
    expect(outcome('standard', '1')[0]).toBe('-584.8956');
  });
  test('without a price there is no result', () => {
    expect(getOutcome(rulesOf('standard'), terms, null)).toBeNull();
    expect(getOutcome(rulesOf('standard'), null, price('1'))).toBeNull();
  });
});

test('the prices determine the side they are meant for', () => {
  const reference = price('100');
  const meant = (takeProfit: string | null, stopLoss: string | null) =>
    inferSide(reference, {
      takeProfitPrice: takeProfit === null ? null : price(takeProfit),
      stopLossPrice: stopLoss === null ? null : price(stopLoss),
    });
  expect([meant('110', null), meant('90', null), meant(null, '90'), meant(null, '110')]).toEqual([
    'BUY',
    'SELL',
    'BUY',
    'SELL',
  ]);
});
