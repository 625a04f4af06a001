import { expect, test } from 'vitest';
import type { UserSummary } from '../user-dialogs/index.ts';
import { type AttentionInput, toAttention } from './attention.ts';

const user = (username: string): UserSummary => ({
  id: username,
  username,
  email: `${username}@example.test`,
  role: 'trader',
  restricted_at: null,
  manager_id: 'm',
});
const position = (username: string, markPrice: number | null): AttentionInput['positions'][number] => ({
  id: `${username}-${markPrice}`,
  user_id: username,
  symbol: 'NVDA',
  side: 'BUY',
  entry_price: 100,
  size: 1,
  leverage: 20,
  margin: 5,
  liquidation_price: 90,
  mark_price: markPrice,
  unrealized_pnl: null,
  close_price: null,
  realized_pnl: null,
  status: 'open',
  created_at: '2026-11-01T00:00:00+00:00',
  updated_at: '2026-11-01T00:00:00+00:00',
  closed_at: null,
  take_profit_price: null,
  stop_loss_price: null,
  entry_value: null,
  funding: 0,
  close_reason: null,
  close_price_source: null,
  rules: 'standard',
  version: 1,
  account_version: 1,
  initial_stop_loss_price: null,
  fee_rate: 0,
  fees: 0,
  split_from: null,
  edited_at: null,
  close_at_reopen: false,
  user: user(username),
});
const nothing: AttentionInput = { positions: [], wallets: [], newcomers: [] };
const linesOf = (reading: Partial<AttentionInput>) =>
  toAttention({ ...nothing, ...reading }).map(({ user: { username }, text }) => `${username}: ${text}`);

test('positions from 80% of the way on, the nearest first, one per user', () => {
  const positions = [
    position('amy', 92.1),
    position('bo', 92),
    position('cy', 90.5),
    position('bo', 91.6),
    position('di', null),
    position('ed', 130),
  ];
  expect(linesOf({ positions })).toEqual([
    'cy: NVDA BUY 20×, 95% of the way to liquidation',
    'bo: NVDA BUY 20×, 84% of the way to liquidation',
  ]);
});

test('a wallet counts as nearly empty below 5% of its balance, and below one USDT', () => {
  const wallet = (username: string, balance: number, available: number) => ({
    balance,
    available_balance: available,
    user: user(username),
  });
  expect(
    linesOf({
      wallets: [wallet('amy', 0, 0), wallet('bo', 210, 3.2), wallet('cy', 100, 5), wallet('di', 4, 1)],
    }),
  ).toEqual(['amy: Available 0.00 of 0.00 USDT', 'bo: Available 3.20 of 210.00 USDT']);
});

test('liquidation comes before funds, funds before users who never signed in', () => {
  const lines = toAttention({
    positions: [position('amy', 90.1)],
    wallets: [{ balance: 0, available_balance: 0, user: user('bo') }],
    newcomers: [{ ...user('cy'), created_at: '2026-11-18T10:00:00+00:00' }],
  });
  expect(lines.map(({ kind }) => kind)).toEqual(['liquidation', 'funds', 'never']);
  expect(lines.at(-1)?.text).toBe('Never signed in since Nov 18, 2026');
});
