import { expect, test } from 'vitest';
import type { Position } from '../../shared/supabase/index.ts';
import { durationInWords, matchingPositions } from './position-words.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

test.each([
  [0, '0 s'],
  [45 * second, '45 s'],
  [12 * minute + 3 * second, '12 min'],
  [3 * hour, '3 h'],
  [3 * hour + 12 * minute, '3 h 12 min'],
  [52 * hour, '2 d 4 h'],
  [48 * hour + 59 * minute, '2 d'],
])('%d ms are %s', (ms, words) => {
  expect(durationInWords(ms)).toBe(words);
});

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
