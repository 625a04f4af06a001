import { expect, test } from 'vitest';
import { getOfferedPairs } from './offered-pairs.ts';

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
  expect(getOfferedPairs(pairs, 'standard', null)).toEqual(pairs);
});

test('FEED-50, A28: under the rules as specified it offers crypto and the fixed set', () => {
  const offered = getOfferedPairs(pairs, 'as-specified', null).map(({ symbol }) => symbol);
  expect(offered).toEqual(['BTCUSDT', 'NVDA', 'EUR/USD', 'XAUUSD', 'SPX']);
});

test('UX-10: during a replay the selector offers the pairs of the recording, in the order of the catalogue', () => {
  const recorded = ['SPX', 'COCOAUSD', 'BTCUSDT'];
  const offered = getOfferedPairs(pairs, 'standard', recorded).map(({ symbol }) => symbol);
  expect(offered).toEqual(['BTCUSDT', 'COCOAUSD', 'SPX']);
  expect(getOfferedPairs(pairs, 'as-specified', recorded).map(({ symbol }) => symbol)).toEqual([
    'BTCUSDT',
    'SPX',
  ]);
});
