import { asPrice, asSize, type FeeRate, parseDecimal } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import type { Order } from '../../../shared/supabase/index.ts';
import type { PriceStream } from '../../market/index.ts';
import { orderLines } from './order-lines.ts';

const pair = {
  symbol: 'BTCUSDT',
  tickSize: 0.1,
  stepSize: 0.001,
  limits: {
    minPrice: asPrice(parseDecimal('0.1')),
    maxPrice: asPrice(parseDecimal('1000000')),
    tickSize: asPrice(parseDecimal('0.1')),
    minQty: asSize(parseDecimal('0.1')),
    maxQty: asSize(parseDecimal('1000')),
    stepSize: asSize(parseDecimal('0.001')),
  },
};
const price = { price: 100_000, market_open: true, state: 'live' };
const stream = { latest: () => price } as unknown as PriceStream;

/** A limit buy of 1 BTC at 90,000 with 10×, which has reserved its cost. */
const order = {
  ...{ id: 'o', symbol: 'BTCUSDT', type: 'LIMIT', side: 'BUY', rules: 'standard', status: 'NEW' },
  ...{ size: 1, filledSize: 0, price: 90_000, leverage: 10, reserved: 9_000, reduceOnly: false },
  ...{ triggerPrice: null, triggeredAt: null, trailRate: null, peakPrice: null },
  ...{ takeProfitPrice: null, stopLossPrice: null, boundPositionId: null },
} as Order;
const net = { ...order, rules: 'perpetual' } as Order;

/** Where the order's line would be dropped, with 10 USDT available. */
function dropAt(of: Order, to: number) {
  const feeRate = parseDecimal('0') as FeeRate;
  const [line] = orderLines([of], { stream, pair, feeRate, available: () => 10, amend: async () => {} });
  if (!line) throw new Error('The order has no line');
  return line.movement.at(to);
}

test('A113: an order that closes the whole position, which has no size, moves to another price', () => {
  const closing = {
    ...{ ...net, type: 'STOP_MARKET', side: 'SELL', size: 0, price: null, triggerPrice: 95_000 },
    ...{ reduceOnly: true, reserved: 0 },
  } as Order;
  expect(dropAt(closing, 94_000)).toMatchObject({
    fault: null,
    name: expect.stringMatching(/whole position.* 0\.00$/),
  });
});

test('A113: an order of which less than the least amount still waits moves, and reserves what is left', () => {
  const partly = { ...net, filledSize: 0.95, status: 'PARTIALLY_FILLED' } as Order;
  expect(dropAt(partly, 80_000)).toMatchObject({
    fault: null,
    name: expect.stringMatching(/0\.050.*400\.00$/),
  });
});

test('an order that closes a part of its position reserves nothing, so it moves without a balance', () => {
  const part = {
    ...order,
    side: 'SELL',
    price: 110_000,
    reduceOnly: true,
    reserved: 0,
    boundPositionId: 'p',
  };
  expect(dropAt(part as Order, 120_000)).toMatchObject({
    fault: null,
    name: expect.stringMatching(/ 0\.00$/),
  });
});

test('a cost that the balance does not cover and a stop that is reached remain faults', () => {
  expect(dropAt(order, 90_050).fault).toBeNull();
  expect(dropAt(order, 91_000).fault).toMatch(/Insufficient/);
  const stop = { ...order, type: 'STOP', price: 110_000, reserved: 11_000 } as Order;
  expect(dropAt(stop, 105_000).fault).toBeNull();
  expect(dropAt(stop, 95_000).fault).toMatch(/stop/i);
});

test('a price beyond the range of the pair becomes its end, which is judged', () => {
  expect(dropAt(order, 2_000_000)).toMatchObject({
    price: 1_000_000,
    fault: expect.stringMatching(/Insuff/),
  });
});
