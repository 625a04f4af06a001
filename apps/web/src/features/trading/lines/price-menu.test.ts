import { expect, test } from 'vitest';
import { offeredOrderTypes } from '../ticket/order-types.ts';
import { waitingOrdersAt } from './usePriceMenu.ts';

test('charts: a price offers only the orders that wait there', () => {
  expect(waitingOrdersAt(90, 100, offeredOrderTypes(false))).toEqual([
    { side: 'BUY', type: 'LIMIT' },
    { side: 'SELL', type: 'STOP' },
  ]);
  expect(waitingOrdersAt(110, 100, offeredOrderTypes(false))).toEqual([
    { side: 'SELL', type: 'LIMIT' },
    { side: 'BUY', type: 'STOP' },
  ]);
  expect(waitingOrdersAt(100, 100, offeredOrderTypes(false))).toEqual([]);
});

test('A113: in an account with net positions a price offers no stop, which the order form does not have', () => {
  expect(waitingOrdersAt(90, 100, offeredOrderTypes(true))).toEqual([{ side: 'BUY', type: 'LIMIT' }]);
  expect(waitingOrdersAt(110, 100, offeredOrderTypes(true))).toEqual([{ side: 'SELL', type: 'LIMIT' }]);
});
