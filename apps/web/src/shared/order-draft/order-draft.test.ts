import { expect, test } from 'vitest';
import { handOverOrderDraft, hasOrderDraft, type OrderDraftFields, takeOrderDraft } from './index.ts';

const draft: OrderDraftFields = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  amount: '0.1',
  leverage: 10,
  stopLoss: null,
  takeProfit: null,
};

test('a draft is taken once, by the form of its symbol', () => {
  handOverOrderDraft('me', draft, 0);
  expect(hasOrderDraft('me', 'ETHUSDT', 1)).toBe(false);
  expect(takeOrderDraft('me', 'ETHUSDT', 1)).toBeNull();
  expect(hasOrderDraft('me', 'BTCUSDT', 1)).toBe(true);
  expect(takeOrderDraft('me', 'BTCUSDT', 1)).toBe(draft);
  expect(hasOrderDraft('me', 'BTCUSDT', 1)).toBe(false);
  expect(takeOrderDraft('me', 'BTCUSDT', 1)).toBeNull();
});
test('a draft that nobody took within a minute is forgotten', () => {
  handOverOrderDraft('me', draft, 0);
  expect(hasOrderDraft('me', 'BTCUSDT', 60_001)).toBe(false);
  expect(takeOrderDraft('me', 'BTCUSDT', 60_001)).toBeNull();
});

test('whoever signs in after the one who handed it over does not get it, and it is gone for both', () => {
  handOverOrderDraft('me', draft, 0);
  expect(hasOrderDraft('next', 'BTCUSDT', 1)).toBe(false);
  expect(takeOrderDraft('next', 'BTCUSDT', 1)).toBeNull();
  expect(takeOrderDraft('me', 'BTCUSDT', 1)).toBeNull();
});
