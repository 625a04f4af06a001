import { asMoney, asPrice, asSize, parseDecimal, rulesOf, toDecimalString } from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import { readAmount } from './amount.ts';
import { summaryOf } from './summary.ts';
import { firstFailedRule, type PriceStatus } from './validators.ts';

const limits = {
  minPrice: asPrice(1n),
  maxPrice: asPrice(10n ** 20n),
  tickSize: asPrice(parseDecimal('0.01')),
  minQty: asSize(parseDecimal('0.001')),
  maxQty: asSize(parseDecimal('9000')),
  stepSize: asSize(parseDecimal('0.001')),
};

interface Given {
  amount?: string;
  price?: string;
  leverage?: number;
  available?: string | null;
  priceStatus?: PriceStatus;
}
function check({
  amount = '0.15',
  price = '97482.6',
  leverage = 25,
  available = '8164.32',
  priceStatus = 'fresh',
}: Given) {
  const typed = readAmount(amount);
  const size = typed.kind === 'amount' ? typed.size : null;
  const terms = { limits, rules: rulesOf('standard'), price: asPrice(parseDecimal(price)), size, leverage };
  const summary = summaryOf(terms);
  const money = available === null ? null : asMoney(parseDecimal(available));
  return firstFailedRule({ symbol: 'BTCUSDT', priceStatus, amount: typed, terms, summary, available: money })
    ?.text;
}

test('the figures of the reference picture', () => {
  const terms = {
    limits,
    rules: rulesOf('standard'),
    price: asPrice(parseDecimal('97482.6')),
    size: asSize(parseDecimal('0.15')),
    leverage: 25,
  };
  const { orderValue, requiredMargin, liquidationLong, liquidationShort } = summaryOf(terms);
  const shown = [orderValue, requiredMargin, liquidationLong, liquidationShort].map((x) =>
    toDecimalString(x ?? 0n),
  );
  expect(shown).toEqual(['14622.39', '584.8956', '93778.27', '101186.93']);
});

test('an amount above the largest has neither value nor margin', () => {
  const size = asSize(limits.maxQty + 1n);
  const price = asPrice(parseDecimal('97482.6'));
  const { orderValue, requiredMargin } = summaryOf({
    limits,
    rules: rulesOf('standard'),
    price,
    size,
    leverage: 25,
  });
  expect([orderValue, requiredMargin]).toEqual([null, null]);
});

test('an order that keeps every rule may go', () => {
  expect(check({})).toBeUndefined();
});

describe('the first rule that fails is told', () => {
  test('TRADE-41: no order without a price', () => {
    expect(check({ priceStatus: 'loading' })).toBe('Waiting for the first price.');
    expect(check({ priceStatus: 'missing' })).toBe('No current price for BTCUSDT.');
    expect(check({ priceStatus: 'failed' })).toBe('Failed to fetch price');
  });
  test('A37: a stale price and a closed market trade nothing', () => {
    expect(check({ priceStatus: 'stale' })).toBe('Price is stale. Trading resumes with the next price.');
    expect(check({ priceStatus: 'closed' })).toBe('Market is closed.');
  });
  test('TRADE-39, TRADE-40: an amount is required', () => {
    expect(check({ amount: '' })).toBe('Enter an amount.');
  });
  test('TRADE-42: the amount keeps to min, max and step', () => {
    const range = 'Amount must be between 0.001 and 9000 in steps of 0.001.';
    expect(check({ amount: '0.0005' })).toBe(range);
    expect(check({ amount: '0.1505' })).toBe(range);
    expect(check({ amount: '9000.001' })).toBe(range);
    expect(check({ amount: '0' })).toBe(range);
    expect(check({ amount: '-1' })).toBe(range);
  });
  test('TRADE-44: refuses an order whose margin exceeds the available balance, with two decimals', () => {
    expect(check({ amount: '0.5', leverage: 5 })).toBe(
      'Insufficient available balance. Required: 9748.26 USDT, Available: 8164.32 USDT',
    );
  });
  test('RULE-02: equal is enough, and exact figures are compared', () => {
    expect(check({ amount: '1', price: '100', leverage: 1, available: '100' })).toBeUndefined();
    expect(check({ amount: '1', price: '100', leverage: 1, available: '99.999' })).toBe(
      'Insufficient available balance. Required: 100.00 USDT, Available: 100.00 USDT',
    );
  });
  test('an unknown balance is left to the server', () => {
    expect(check({ amount: '9000', available: null })).toBeUndefined();
  });
});
