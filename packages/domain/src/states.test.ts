import { describe, expect, test } from 'vitest';
import { isSide, orderMayBecome, orderStatuses, positionMayBecome } from './states.ts';

describe('states', () => {
  test('a side is BUY or SELL, to the letter (A22)', () => {
    expect(['BUY', 'SELL', 'buy', 'LONG', '', 'toString'].filter(isSide)).toEqual(['BUY', 'SELL']);
  });

  test('a position closes once and stays closed', () => {
    expect(positionMayBecome('open', 'closed')).toBe(true);
    expect(positionMayBecome('closed', 'open')).toBe(false);
    expect(positionMayBecome('closed', 'closed')).toBe(false);
  });

  test('a NEW order is filled, rejected or canceled, and nothing follows that (A20)', () => {
    for (const from of orderStatuses) {
      const next = orderStatuses.filter((to) => orderMayBecome(from, to));
      expect(next).toEqual(from === 'NEW' ? ['FILLED', 'REJECTED', 'CANCELED'] : []);
    }
  });
});
