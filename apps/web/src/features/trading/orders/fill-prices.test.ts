import { expect, test } from 'vitest';
import { fillPriceOf } from './fill-prices.ts';

const opened = { id: 'opened', entryPrice: 100, editedAt: null };
const known = new Map([[opened.id, opened]]);
const order = {
  ...{ positionId: opened.id, boundPositionId: null, rules: 'standard' as const },
  ...{ filledSize: 0, filledValue: 0 },
};

test('A20: an order that opened a position filled at its entry price, unless staff changed that', () => {
  expect(fillPriceOf(order, known)).toBe(100);
  expect(fillPriceOf(order, new Map())).toBeNull();
  expect(fillPriceOf(order, new Map([[opened.id, { ...opened, editedAt: '2026-12-01' }]]))).toBeNull();
});

test('A113: the fill price of a bound order is its own average, not the entry price of the position that it closed', () => {
  const bound = { ...order, boundPositionId: opened.id };
  expect(fillPriceOf({ ...bound, filledSize: 0.4, filledValue: 50 }, known)).toBe(125);
  expect(fillPriceOf(bound, known)).toBeNull();
});

test('A113: an order of a net position has its own average too', () => {
  const net = { ...order, rules: 'perpetual' as const, filledSize: 2, filledValue: 190 };
  expect(fillPriceOf(net, known)).toBe(95);
});
