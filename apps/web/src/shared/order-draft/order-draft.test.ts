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
test('a draft that is not taken expires after a minute', () => {
  handOverOrderDraft('me', draft, 0);
  expect(hasOrderDraft('me', 'BTCUSDT', 60_001)).toBe(false);
  expect(takeOrderDraft('me', 'BTCUSDT', 60_001)).toBeNull();
});

test('another user who signs in does not get the draft, and it is removed for both', () => {
  handOverOrderDraft('me', draft, 0);
  expect(hasOrderDraft('next', 'BTCUSDT', 1)).toBe(false);
  expect(takeOrderDraft('next', 'BTCUSDT', 1)).toBeNull();
  expect(takeOrderDraft('me', 'BTCUSDT', 1)).toBeNull();
});
