import { expect, test } from 'vitest';
import { findShownAccount, type TradingAccount } from './accounts.ts';

const userId = '00000000-0000-4000-8000-000000000001';
const otherId = '00000000-0000-4000-8000-000000000002';
const account = (id: string, name: string): TradingAccount => ({
  id,
  name,
  owner_id: userId,
  kind: id === userId ? 'main' : 'practice',
  rules: null,
  leverage_max: null,
  fee_rate: null,
  fill_profile: 'exact',
  start_balance: null,
  status: 'active',
  created_at: '2026-11-27T00:00:00Z',
  updated_at: '2026-11-27T00:00:00Z',
  archived_at: null,
  balance: 1,
  available_balance: 1,
  equity: 1,
  open_positions: 0,
  waiting_orders: 0,
});
const main = account(userId, 'Main');
const other = account(otherId, 'Swing');

test('A112: the address names the shown account; without it, or with a foreign id, it is the main one', () => {
  expect(findShownAccount([main, other], userId, otherId)).toEqual({ id: otherId, name: 'Swing' });
  for (const id of [null, userId, '00000000-0000-4000-8000-000000000003']) {
    expect(findShownAccount([main, other], userId, id)).toEqual({ id: null, name: 'Main' });
  }
});

test('A112: an only account is not named; until the list is read, another one is unknown', () => {
  expect(findShownAccount([main], userId, otherId)).toEqual({ id: null, name: null });
  expect(findShownAccount(undefined, userId, null)).toEqual({ id: null, name: null });
  expect(findShownAccount(undefined, userId, otherId)).toBeUndefined();
});
