import { expect, test } from 'vitest';
import type { Order } from '../../../shared/supabase/index.ts';
import { getAmendedNotice, getPlacedNotice } from './notices.ts';

const steps = { tickSize: 0.01, stepSize: 0.001 };
const order = {
  ...{ symbol: 'BTCUSDT', type: 'LIMIT', side: 'BUY', rules: 'perpetual', status: 'NEW' },
  ...{ size: 0.5, price: 96_500, filledSize: 0, filledValue: 0 },
} as Order;
const answer = (change: Partial<Order>): Order => ({ ...order, ...change });
const partly = answer({ status: 'PARTIALLY_FILLED', filledSize: 0.2, filledValue: 19_200 });
const filled = answer({ status: 'FILLED', filledSize: 0.5, filledValue: 48_050 });
const expired = answer({ status: 'EXPIRED' });

const partlyText = 'Limit buy: 0.200 of 0.500 BTCUSDT filled at 96,000.00, the rest waits';
const filledText = 'Limit buy: 0.500 of 0.500 BTCUSDT filled at 96,100.00';
const expiredText = 'Limit buy: nothing filled';

test('a placed order waits at its price, or the notice states what was filled', () => {
  const placedText = 'Limit buy 0.500 BTCUSDT placed at 96,500.00';
  expect(getPlacedNotice(order, steps)).toEqual({ tone: 'success', text: placedText });
  expect(getPlacedNotice(partly, steps)).toEqual({ tone: 'info', text: partlyText });
  expect(getPlacedNotice(filled, steps)).toEqual({ tone: 'success', text: filledText });
  expect(getPlacedNotice(expired, steps)).toEqual({ tone: 'info', text: expiredText });
});

test('A113: an order whose new price filled or ended it does not wait there', () => {
  const amended = (before: Order, after: Order) => getAmendedNotice(before, after, '96,500', steps);
  const waitsText = 'Limit buy of BTCUSDT now waits at 96,500';
  expect(amended(order, order)).toEqual({ tone: 'success', text: waitsText });
  expect(amended(partly, partly), 'its fills are older').toEqual({ tone: 'success', text: waitsText });
  expect(amended(order, partly)).toEqual({ tone: 'info', text: partlyText });
  expect(amended(partly, filled)).toEqual({ tone: 'success', text: filledText });
  expect(amended(order, expired)).toEqual({ tone: 'info', text: expiredText });
});
