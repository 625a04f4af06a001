import { expect, test } from 'vitest';
import type { Position } from '../../shared/supabase/index.ts';
import { findPositions, getCloseReason } from './position-search.ts';

test('a position is found by each word of its label', () => {
  const position = (symbol: string, side: 'BUY' | 'SELL', status: 'open' | 'closed') =>
    ({ symbol, side, status, createdAt: '2026-11-20T08:00:00+00:00', closedAt: null }) as Position;
  const all = [
    position('BTCUSDT', 'BUY', 'open'),
    position('BTCUSDT', 'SELL', 'closed'),
    position('NVDA', 'BUY', 'open'),
  ];
  expect(findPositions(all, 'btc short')).toEqual([all[1]]);
  expect(findPositions(all, 'LONG open')).toEqual([all[0], all[2]]);
  expect(findPositions(all, ' ')).toEqual(all);
  expect(findPositions(all, '2026-11-21')).toEqual([]);
});

test('a close that an order may have done is not called one by hand alone', () => {
  expect(getCloseReason({ closeReason: 'manual' } as Position)).toBe('Closed by hand or by an order');
  expect(getCloseReason({ closeReason: null } as Position)).toBeNull();
});
