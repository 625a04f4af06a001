import { expect, test } from 'vitest';
import { offeredPairs } from './offered-pairs.ts';

const pairs = [
  { symbol: 'BTCUSDT', type: 'crypto' },
  { symbol: 'NVDA', type: 'stock' },
  { symbol: 'IBM', type: 'stock' },
  { symbol: 'EUR/USD', type: 'forex' },
  { symbol: 'EUR/HUF', type: 'forex' },
  { symbol: 'XAUUSD', type: 'commodity' },
  { symbol: 'COCOAUSD', type: 'commodity' },
  { symbol: 'SPX', type: 'index' },
  { symbol: 'HSI', type: 'index' },
] as const;

test('FEED-50, A28: the selector offers the whole catalogue', () => {
  expect(offeredPairs(pairs, 'standard')).toEqual(pairs);
});

test('FEED-50, A28: under the rules as specified it offers crypto and the fixed set', () => {
  const offered = offeredPairs(pairs, 'as-specified').map(({ symbol }) => symbol);
  expect(offered).toEqual(['BTCUSDT', 'NVDA', 'EUR/USD', 'XAUUSD', 'SPX']);
});
