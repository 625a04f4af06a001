import { expect, test } from 'vitest';
import { groupInvariants, toOverallStatus } from './labels.ts';

const invariant = (number: number, name: string, ok = true) => ({
  number,
  name,
  ok,
  detail: ok ? '12 wallets' : 'wallet of x',
});
const invariants = [
  invariant(1, 'the ledger sums to zero'),
  invariant(2, 'a wallet is the sum of its ledger entries'),
  invariant(2, 'a checkpoint equals the ledger of its time'),
];
const calm: Parameters<typeof toOverallStatus>[0] = {
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
  backup: null,
  processes: null,
  controls: { holds: [] },
};

test('invariants are grouped by subject; failed ones come first', () => {
  expect(groupInvariants(invariants)).toMatchObject([
    { title: 'Ledger sums to zero', failed: [], proof: '12 wallets' },
    { title: 'Balances are their ledger entries', failed: [] },
  ]);
  const broken = [
    ...invariants,
    invariant(2, 'x', false),
    invariant(0, 'the ledger is verified every minute', false),
  ];
  expect(groupInvariants(broken).map(({ title, failed }) => [title, failed.length])).toEqual([
    ['The ledger is verified every minute', 1],
    ['Balances are their ledger entries', 1],
    ['Ledger sums to zero', 0],
  ]);
});

test('invariants of executions and conditions have a title of one line, too', () => {
  const later = [invariant(16, 'a', true), invariant(16, 'b', true), invariant(17, 'c', true)];
  expect(groupInvariants(later).map(({ title }) => title)).toEqual([
    'Fills are executions',
    'Waiting conditions hold nothing',
  ]);
});

test('the badge shows the most severe problem', () => {
  expect(toOverallStatus(calm)).toEqual({ text: 'All well', tone: 'up' });
  expect(toOverallStatus({ ...calm, checked_at: null })).toMatchObject({ text: 'Not checked yet' });
  expect(toOverallStatus({ ...calm, controls: { holds: [1] } })).toEqual({
    text: '1 price held',
    tone: 'warn',
  });
  const backup = { last_at: null, trouble: 'the last backup failed' };
  expect(toOverallStatus({ ...calm, backup })).toEqual({ text: 'The last backup failed', tone: 'warn' });
  const silent = {
    ...{ id: 'a', name: 'one', version: '1.2.3', roles: [], duties: [], started_at: '2026-01-01T00:00:00Z' },
    ...{ slots: 0, queued: 0, sockets: 0, silent: true },
  };
  expect(toOverallStatus({ ...calm, processes: [silent, { ...silent, silent: false }] })).toEqual({
    ...{ text: '1 process silent', tone: 'warn' },
  });
  const halted = { ...calm, engine: { ...calm.engine, state: 'halted' as const } };
  expect(toOverallStatus(halted)).toEqual({ text: 'Trading halted', tone: 'down' });
  expect(toOverallStatus({ ...halted, invariants: [...invariants, invariant(3, 'y', false)] })).toEqual({
    ...{ text: '1 invariant broken', tone: 'down' },
  });
});
