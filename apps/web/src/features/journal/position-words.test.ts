import { expect, test } from 'vitest';
import type { Position } from '../../shared/supabase/index.ts';
import { matchingPositions } from './position-words.ts';

test('a position is found by each of its words', () => {
  const position = (symbol: string, side: 'BUY' | 'SELL', status: 'open' | 'closed') =>
    ({ symbol, side, status, createdAt: '2026-11-20T08:00:00+00:00', closedAt: null }) as Position;
  const all = [
    position('BTCUSDT', 'BUY', 'open'),
    position('BTCUSDT', 'SELL', 'closed'),
    position('NVDA', 'BUY', 'open'),
  ];
  expect(matchingPositions(all, 'btc short')).toEqual([all[1]]);
  expect(matchingPositions(all, 'LONG open')).toEqual([all[0], all[2]]);
  expect(matchingPositions(all, ' ')).toEqual(all);
  expect(matchingPositions(all, '2026-11-21')).toEqual([]);
});
