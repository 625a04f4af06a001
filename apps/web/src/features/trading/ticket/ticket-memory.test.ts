import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { offeredOrderTypes } from './order-types.ts';
import { parseTicketMemories, readTicketMemory, rememberTicket } from './ticket-memory.ts';

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});
afterEach(() => vi.unstubAllGlobals());

const read = (accountId: string, symbol: string) =>
  readTicketMemory(accountId, symbol, offeredOrderTypes(false));

test('each pair of each user has its own choices', () => {
  rememberTicket('ann', 'BTCUSDT', { leverage: 25 });
  rememberTicket('ann', 'BTCUSDT', { unit: 'quote' });
  rememberTicket('ann', 'ETHUSDT', { leverage: 3, type: 'LIMIT', protects: true });
  expect(read('ann', 'BTCUSDT')).toEqual({ leverage: 25, unit: 'quote' });
  expect(read('ann', 'ETHUSDT')).toEqual({ leverage: 3, type: 'LIMIT', protects: true });
  expect(read('ann', 'NVDA')).toEqual({});
  expect(read('bob', 'BTCUSDT')).toEqual({});
});

test('the latest hundred pairs are kept', () => {
  rememberTicket('ann', 'BTCUSDT', { leverage: 2 });
  for (let index = 0; index < 100; index += 1) rememberTicket('ann', `P${index}`, { leverage: 5 });
  expect(read('ann', 'BTCUSDT')).toEqual({});
  expect(read('ann', 'P0')).toEqual({ leverage: 5 });
});

test('a damaged entry counts as none, and an invalid choice is left out', () => {
  for (const text of [null, '', '{', '7', '{"a":1}', '[1,["X"],[2,{}]]']) {
    expect(parseTicketMemories(text).get('BTCUSDT')).toBeUndefined();
  }
  const text = JSON.stringify([['BTCUSDT', { leverage: 126, type: 'TWAP', unit: 'lots', protects: true }]]);
  expect(parseTicketMemories(text).get('BTCUSDT')).toEqual({ protects: true });
});

test('distances of the protection are kept, within reason', () => {
  rememberTicket('ann', 'BTCUSDT', { protectionUnit: 'percent', takeProfit: '4', stopLoss: '2' });
  const stored = { protectionUnit: 'percent', takeProfit: '4', stopLoss: '2' };
  expect(read('ann', 'BTCUSDT')).toEqual(stored);
  const text = JSON.stringify([
    ['BTCUSDT', { protectionUnit: 'pips', takeProfit: '9'.repeat(30), stopLoss: 2 }],
  ]);
  expect(parseTicketMemories(text).get('BTCUSDT')).toEqual({});
});

test('a pair that was reset has no choices', () => {
  rememberTicket('ann', 'BTCUSDT', { leverage: 25 });
  rememberTicket('ann', 'ETHUSDT', { leverage: 3 });
  rememberTicket('ann', 'BTCUSDT', null);
  expect(read('ann', 'BTCUSDT')).toEqual({});
  expect(read('ann', 'ETHUSDT')).toEqual({ leverage: 3 });
});

test('A113: in an account with net positions a remembered stop is left out, and nothing else', () => {
  rememberTicket('ann', 'BTCUSDT', { leverage: 25, type: 'STOP' });
  rememberTicket('ann', 'ETHUSDT', { leverage: 3, type: 'LIMIT' });
  expect(read('ann', 'BTCUSDT')).toEqual({ leverage: 25, type: 'STOP' });
  expect(readTicketMemory('ann', 'BTCUSDT', offeredOrderTypes(true))).toEqual({ leverage: 25 });
  expect(readTicketMemory('ann', 'ETHUSDT', offeredOrderTypes(true))).toEqual({ leverage: 3, type: 'LIMIT' });
});
