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
  handOverOrderDraft(draft, 0);
  expect(hasOrderDraft('ETHUSDT', 1)).toBe(false);
  expect(takeOrderDraft('ETHUSDT', 1)).toBeNull();
  expect(hasOrderDraft('BTCUSDT', 1)).toBe(true);
  expect(takeOrderDraft('BTCUSDT', 1)).toBe(draft);
  expect(hasOrderDraft('BTCUSDT', 1)).toBe(false);
  expect(takeOrderDraft('BTCUSDT', 1)).toBeNull();
});
test('a draft that nobody took within a minute is forgotten', () => {
  handOverOrderDraft(draft, 0);
  expect(hasOrderDraft('BTCUSDT', 60_001)).toBe(false);
  expect(takeOrderDraft('BTCUSDT', 60_001)).toBeNull();
});
