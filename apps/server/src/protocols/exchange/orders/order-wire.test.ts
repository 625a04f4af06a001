import { expect, test } from 'vitest';
import {
  legsOf,
  numberOfName,
  orderOfTrade,
  type StoredLegs,
  type StoredOrder,
  type StoredTrade,
  toWireAlgoOrder,
  toWireOrder,
  toWireTrade,
} from './order-wire.ts';

const at = (ms: number) => new Date(ms);
const limit: StoredOrder = {
  id: 'a',
  number: '1000',
  symbol: 'EUR/USD',
  type: 'LIMIT',
  side: 'BUY',
  price: '1.10000000',
  size: '3.00000000',
  status: 'PARTIALLY_FILLED',
  reason: null,
  client_id: 'mine',
  time_in_force: 'GTC',
  reduce_only: false,
  filled_size: '1.50000000',
  filled_value: '1.60000001',
  trigger_price: null,
  trail_rate: null,
  close_position: false,
  triggered_at: null,
  expires_at: null,
  due_at: null,
  created_at: at(1),
  updated_at: at(2),
};

test('an order: its average price is the exact value by the size, rounded once to 1e-8', () => {
  expect(toWireOrder(limit, 'EURUSDUSDT')).toMatchObject({
    ...{ orderId: 1000, clientOrderId: 'mine', symbol: 'EURUSDUSDT', status: 'PARTIALLY_FILLED' },
    ...{ price: '1.1', origQty: '3', executedQty: '1.5', cumQuote: '1.60000001', avgPrice: '1.06666667' },
    ...{ type: 'LIMIT', origType: 'LIMIT', time: 1, updateTime: 2, goodTillDate: 0, stopPrice: '0' },
  });
});

const stop: StoredOrder = {
  ...limit,
  type: 'STOP',
  status: 'NEW',
  client_id: null,
  filled_size: '0.00000000',
  filled_value: '0.00000000',
  trigger_price: '1.20000000',
};
const triggered: StoredOrder = { ...stop, triggered_at: at(3) };

test('a conditional order is shown under its number, and as the order that it became under the next one', () => {
  expect(toWireAlgoOrder(stop, 'X')).toMatchObject({
    ...{ algoId: 1000, clientAlgoId: 'web_1000', orderType: 'STOP', algoStatus: 'NEW', actualOrderId: '' },
    ...{ triggerPrice: '1.2', price: '1.1', quantity: '3', triggerTime: 0 },
  });
  expect(toWireOrder(stop, 'X')).toMatchObject({ orderId: 1000, type: 'STOP', stopPrice: '1.2', time: 1 });
  expect(toWireAlgoOrder(triggered, 'X')).toMatchObject({
    algoStatus: 'TRIGGERED',
    actualOrderId: '1001',
    triggerTime: 3,
  });
  expect(toWireOrder(triggered, 'X')).toMatchObject({
    ...{ orderId: 1001, type: 'LIMIT', origType: 'STOP', status: 'NEW', time: 3 },
  });
});

test.each([
  [{ ...stop, status: 'CANCELED' }, 'CANCELED', ''],
  [{ ...stop, status: 'EXPIRED' }, 'EXPIRED', ''],
  [{ ...triggered, status: 'FILLED' }, 'FINISHED', '1001'],
  [{ ...triggered, status: 'CANCELED' }, 'FINISHED', '1001'],
  [{ ...triggered, status: 'REJECTED', reason: 'No money' }, 'REJECTED', ''],
] as const)('the state of a conditional order that ended: %#', (row, algoStatus, actualOrderId) => {
  const reason = algoStatus === 'REJECTED' ? 'No money' : '';
  expect(toWireAlgoOrder(row, 'X')).toMatchObject({ algoStatus, actualOrderId, reason });
});

const trade: StoredTrade = {
  id: 'e',
  number: '2000',
  symbol: 'BTCUSDT',
  side: 'SELL',
  size: '0.10000000',
  value: '6400.00000000',
  price: '64000.00000000',
  fee: '3.20000000',
  realized_pnl: '-0.00000001',
  liquidity: 'maker',
  created_at: at(5),
  flips: false,
  order_number: null,
  order_type: null,
  close_reason: 'liquidation',
};

test('a trade names its order: its own number without one, the second number of a conditional one', () => {
  expect(toWireTrade(trade, 'BTCUSDT')).toEqual({
    ...{ symbol: 'BTCUSDT', id: 2000, orderId: 2000, side: 'SELL', positionSide: 'BOTH', price: '64000' },
    ...{ qty: '0.1', quoteQty: '6400', realizedPnl: '-0.00000001', commission: '3.2' },
    ...{ commissionAsset: 'USDT', buyer: false, maker: true, time: 5 },
  });
  const ofOrder = (type: 'LIMIT' | 'STOP') => ({ ...trade, order_number: '1000', order_type: type });
  expect(toWireTrade(ofOrder('LIMIT'), 'X').orderId).toBe(1000);
  expect(toWireTrade(ofOrder('STOP'), 'X').orderId).toBe(1001);
});

test('what was traded without an order is shown as a filled market order; a liquidation is in its name', () => {
  expect(orderOfTrade(trade, 'BTCUSDT')).toMatchObject({
    ...{ orderId: 2000, clientOrderId: 'autoclose-2000', type: 'MARKET', status: 'FILLED' },
    ...{ avgPrice: '64000', executedQty: '0.1', cumQuote: '6400', reduceOnly: true, time: 5 },
  });
  const click = { ...trade, close_reason: null, realized_pnl: null };
  expect(orderOfTrade(click, 'X')).toMatchObject({ clientOrderId: 'web_2000', reduceOnly: false });
  expect(orderOfTrade({ ...trade, flips: true }, 'X').reduceOnly).toBe(false);
  expect(['web_2000', 'autoclose-2000', 'tp_2001', 'web_', 'mine'].map(numberOfName)).toEqual([
    ...[2000, 2000, 2001, null, null],
  ]);
});

test('take profit and stop loss of a position are two close-position orders; the one that fired names its trade', () => {
  const open: StoredLegs = {
    id: 'p',
    number: '3000',
    symbol: 'BTCUSDT',
    side: 'BUY',
    status: 'open',
    take_profit_price: '70000.00000000',
    stop_loss_price: '60000.00000000',
    close_reason: null,
    close_price: null,
    closing_number: null,
    created_at: at(1),
    updated_at: at(2),
    closed_at: null,
  };
  expect(legsOf(open, 'BTCUSDT')).toMatchObject([
    { algoId: 3001, orderType: 'TAKE_PROFIT_MARKET', triggerPrice: '70000', side: 'SELL', algoStatus: 'NEW' },
    { algoId: 3002, orderType: 'STOP_MARKET', triggerPrice: '60000', side: 'SELL', closePosition: true },
  ]);
  const stopped: StoredLegs = {
    ...open,
    status: 'closed',
    close_reason: 'stop_loss',
    close_price: '59999.50000000',
    closing_number: '4000',
    closed_at: at(9),
  };
  expect(legsOf(stopped, 'BTCUSDT')).toMatchObject([
    { algoStatus: 'EXPIRED', actualOrderId: '', triggerTime: 0 },
    { algoStatus: 'FINISHED', actualOrderId: '4000', actualPrice: '59999.5', triggerTime: 9 },
  ]);
  expect(legsOf({ ...open, take_profit_price: null }, 'X').map(({ algoId }) => algoId)).toEqual([3002]);
});
