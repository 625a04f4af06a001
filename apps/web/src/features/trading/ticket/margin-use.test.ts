import { asMoney, asPrice, asSize, NO_FEE, parseDecimal, rulesOf, toDecimalString } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { afterOrder, marginUse } from './margin-use.ts';
import { summaryOf } from './summary.ts';

const exact = parseDecimal;

test('positions and reserved are what the wallet has less available than its balance', () => {
  const use = marginUse(exact('12648.92'), exact('8164.32'), exact('3510.6'));
  expect(Object.values(use).map(toDecimalString)).toEqual(['3510.6', '974', '4484.6']);
  // The position is announced before the wallet that it is paid from.
  expect(marginUse(exact('100'), exact('100'), exact('40'))).toEqual({
    positions: 0n,
    reserved: 0n,
    inUse: 0n,
  });
});

test('an order takes its margin into use and leaves the rest, unless it cannot be paid', () => {
  const terms = {
    limits: {
      minPrice: asPrice(1n),
      maxPrice: asPrice(exact('1000000')),
      tickSize: asPrice(exact('0.01')),
      minQty: asSize(exact('0.001')),
      maxQty: asSize(exact('9000')),
      stepSize: asSize(exact('0.001')),
    },
    rules: rulesOf('standard'),
    feeRate: NO_FEE,
    price: asPrice(exact('97482.6')),
    size: asSize(exact('0.15')),
    leverage: 25,
  };
  const facts = {
    symbol: 'BTCUSDT',
    type: 'MARKET',
    restricted: false,
    priceStatus: 'fresh',
    market: terms.price,
    amount: { kind: 'amount', size: terms.size },
    price: { kind: 'empty' },
    protection: { takeProfit: { kind: 'empty' }, stopLoss: { kind: 'empty' } },
    terms,
    summary: summaryOf(terms),
    available: asMoney(exact('8164.32')),
  } as const;
  expect(afterOrder(facts)).toEqual({ available: exact('7579.4244'), taken: exact('584.8956') });
  expect(afterOrder({ ...facts, available: asMoney(exact('584')) })).toBeNull();
  expect(afterOrder({ ...facts, summary: summaryOf({ ...terms, size: null }) })).toBeNull();
});
