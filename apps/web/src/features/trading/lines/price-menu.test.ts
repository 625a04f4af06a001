import { expect, test } from 'vitest';
import { waitingOrdersAt } from './usePriceMenu.ts';

test('charts: a price offers only the orders that wait there', () => {
  expect(waitingOrdersAt(90, 100)).toEqual([
    { side: 'BUY', type: 'LIMIT' },
    { side: 'SELL', type: 'STOP' },
  ]);
  expect(waitingOrdersAt(110, 100)).toEqual([
    { side: 'SELL', type: 'LIMIT' },
    { side: 'BUY', type: 'STOP' },
  ]);
  expect(waitingOrdersAt(100, 100)).toEqual([]);
});
