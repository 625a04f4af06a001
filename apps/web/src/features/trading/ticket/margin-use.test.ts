import { asMoney, asPrice, asSize, NO_FEE, parseDecimal, rulesOf, toDecimalString } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { getAfterOrder, getMarginUse } from './margin-use.ts';
import { forBothSides, noProtection } from './protection-units.ts';
import { summarizeOrder } from './summary.ts';

const exact = parseDecimal;

test('positions and reserves equal the balance minus the available amount', () => {
  const use = getMarginUse(exact('12648.92'), exact('8164.32'), exact('3510.6'));
  expect(Object.values(use).map(toDecimalString)).toEqual(['3510.6', '974', '4484.6']);
  // The position's update arrives before that of the wallet that pays for it.
  expect(getMarginUse(exact('100'), exact('100'), exact('40'))).toEqual({
    positions: 0n,
    reserved: 0n,
    inUse: 0n,
  });
});

test('an order adds its margin to the use and leaves the rest, unless it is unaffordable', () => {
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
    archived: false,
    priceStatus: 'fresh',
    market: terms.price,
    amount: { kind: 'amount', size: terms.size },
    price: { kind: 'empty' },
    sizedByRisk: false,
    protection: forBothSides(noProtection),
    protectionUnit: 'price',
    terms,
    summary: summarizeOrder(terms),
    available: asMoney(exact('8164.32')),
  } as const;
  expect(getAfterOrder(facts)).toEqual({ available: exact('7579.4244'), taken: exact('584.8956') });
  expect(getAfterOrder({ ...facts, available: asMoney(exact('584')) })).toBeNull();
  expect(getAfterOrder({ ...facts, summary: summarizeOrder({ ...terms, size: null }) })).toBeNull();
});
