import { expect, test } from 'vitest';
import { subjectsOf, verdictOf } from './words.ts';

const invariant = (number: number, name: string, ok = true) => ({
  number,
  name,
  ok,
  detail: ok ? '12 wallets' : 'wallet of x',
});
const invariants = [
  invariant(1, 'the ledger sums to zero'),
  invariant(2, 'a wallet is the sum of its ledger entries'),
  invariant(2, 'a checkpoint says what the ledger said then'),
];
const calm: Parameters<typeof verdictOf>[0] = {
  engine: {
    ...{
      state: 'trading',
      halt: null,
      queued: 0,
      open_positions: 0,
      waiting_orders: 0,
      batches: 0,
      commands: 0,
    },
  },
  invariants,
  feeds: [],
  checked_at: '2026-01-01T00:00:00Z',
  controls: { holds: [] },
};

test('invariants are told by subject; what does not hold comes first', () => {
  expect(subjectsOf(invariants)).toMatchObject([
    { title: 'Ledger sums to zero', failed: [], proof: '12 wallets' },
    { title: 'Balances are their ledger entries', failed: [] },
  ]);
  const broken = [
    ...invariants,
    invariant(2, 'x', false),
    invariant(0, 'the books are checked every minute', false),
  ];
  expect(subjectsOf(broken).map(({ title, failed }) => [title, failed.length])).toEqual([
    ['The books are checked every minute', 1],
    ['Balances are their ledger entries', 1],
    ['Ledger sums to zero', 0],
  ]);
});

test('the badge tells the gravest of what is wrong', () => {
  expect(verdictOf(calm)).toEqual({ text: 'All well', tone: 'up' });
  expect(verdictOf({ ...calm, checked_at: null })).toMatchObject({ text: 'Not checked yet' });
  expect(verdictOf({ ...calm, controls: { holds: [1] } })).toEqual({ text: '1 price held', tone: 'warn' });
  const halted = { ...calm, engine: { ...calm.engine, state: 'halted' as const } };
  expect(verdictOf(halted)).toEqual({ text: 'Trading halted', tone: 'down' });
  expect(verdictOf({ ...halted, invariants: [...invariants, invariant(3, 'y', false)] })).toEqual({
    ...{ text: '1 invariant broken', tone: 'down' },
  });
});
