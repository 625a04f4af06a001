import { describe, expect, test } from 'vitest';
import { isSide, isWaiting, type OrderStatus, orderMayBecome, orderStatuses } from './states.ts';

describe('states', () => {
  test('a side is BUY or SELL, to the letter (A22)', () => {
    expect(['BUY', 'SELL', 'buy', 'LONG', '', 'toString'].filter(isSide)).toEqual(['BUY', 'SELL']);
  });

  test('A20, A113: a waiting order fills, in parts or whole, or ends, and nothing follows its end', () => {
    const next = (from: OrderStatus) => orderStatuses.filter((to) => orderMayBecome(from, to));
    expect(next('NEW')).toEqual(['PARTIALLY_FILLED', 'FILLED', 'REJECTED', 'CANCELED', 'EXPIRED']);
    expect(next('PARTIALLY_FILLED')).toEqual(['PARTIALLY_FILLED', 'FILLED', 'CANCELED', 'EXPIRED']);
    for (const from of orderStatuses) expect(next(from).length > 0).toBe(isWaiting(from));
  });
});
