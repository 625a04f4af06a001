import { describe, expect, test } from 'vitest';
import type { Position, Transaction, Wallet } from '../../shared/supabase/index.ts';
import { getBalanceSteps, getCompleteSince, mergeHistory, splitBalance, sumHistory } from './history.ts';

const transaction = (
  id: string,
  type: Transaction['type'],
  amount: number,
  at: string,
  more: Partial<Transaction> = {},
) =>
  ({
    id,
    type,
    amount,
    status: 'completed',
    createdAt: at,
    completedAt: at,
    description: null,
    ...more,
  }) as Transaction;
const closed = (id: string, symbol: string, realizedPnl: number | null, closedAt: string) =>
  ({ id, symbol, realizedPnl, closedAt, editedAt: null, status: 'closed' }) as Position;

const start = transaction('t1', 'deposit', 10_000, '2026-10-23T12:00:00Z', {
  description: 'Initial balance',
});
const removed = transaction('t2', 'withdrawal', -500, '2026-11-17T15:20:00Z');
const won = closed('p1', 'ETHUSDT', 773.54, '2026-11-06T21:13:00Z');
const lost = closed('p2', 'EUR/USD', -96.2, '2026-11-18T10:07:00Z');

describe('history', () => {
  test('RULE-28, A07: only completed deposits, withdrawals and fees come from the table', () => {
    const pending = transaction('t3', 'deposit', 5, '2026-11-01T00:00:00Z', { status: 'pending' });
    const stored = transaction('t4', 'position_closed', 773.54, '2026-11-06T21:13:00Z');
    const fee = transaction('t5', 'fee', -1, '2026-11-06T21:13:00Z');
    expect(mergeHistory([start, removed, pending, stored, fee], []).map((entry) => entry.id)).toEqual([
      't2',
      't5',
      't1',
    ]);
  });

  test('A113: funding and financing are lines of their own, which no user made, and have a sum of their own', () => {
    const at = '2026-11-06T21:00:00Z';
    const lines = [
      transaction('f1', 'funding', -0.126, at, { description: 'Funding BTCUSDT of 16:00 UTC' }),
      transaction('f2', 'financing', 0.02, at),
    ];
    const entries = mergeHistory([start, ...lines], []);
    expect(entries.map(({ type, description, staff }) => [type, description, staff])).toEqual([
      ['financing', 'Financing', null],
      ['funding', 'Funding BTCUSDT of 16:00 UTC', null],
      ['deposit', 'Initial balance', null],
    ]);
    expect(sumHistory(entries)).toMatchObject({ funding: -0.11, fees: 0 });
  });

  test('RULE-29, RULE-30, RULE-31, RULE-32: a closed position is a derived entry', () => {
    expect(mergeHistory([], [won])).toEqual([
      {
        id: 'p1',
        at: '2026-11-06T21:13:00Z',
        type: 'position_closed',
        amount: 773.54,
        status: 'completed',
        description: 'Closed ETHUSDT position',
        trade: won,
        staff: null,
      },
    ]);
    expect(mergeHistory([], [closed('p3', 'NVDA', null, '2026-11-06T21:13:00Z')])[0]?.amount).toBe(0);
    expect(mergeHistory([], [{ ...won, status: 'open' }])).toEqual([]);
  });

  test('A09, A12: entries that staff made or adjusted are marked, the start balance and an own reset are not', () => {
    const reset = transaction('t6', 'deposit', 5, '2026-11-19T00:00:00Z', { description: 'Account reset' });
    const given = transaction('t7', 'deposit', 5, '2026-11-20T00:00:00Z', { description: 'Deposit' });
    const adjusted = { ...won, editedAt: '2026-11-21T00:00:00Z' };
    const marks = mergeHistory([start, removed, reset, given], [adjusted, lost]);
    expect(marks.map(({ id, staff }) => [id, staff])).toEqual([
      ['t7', 'made'],
      ['t6', null],
      ['p2', null],
      ['t2', 'made'],
      ['p1', 'adjusted'],
      ['t1', null],
    ]);
  });

  test('WALL-07, WALL-08: both kinds merge newest first', () => {
    expect(mergeHistory([start, removed], [won, lost]).map((entry) => entry.id)).toEqual([
      'p2',
      't2',
      'p1',
      't1',
    ]);
  });

  test('A102: the entry of a reset is listed above the positions that it closed', () => {
    const reset = transaction('a', 'withdrawal', -677.34, lost.closedAt ?? '');
    const [first, second] = mergeHistory([start, reset], [lost]);
    expect([first?.id, second?.id]).toEqual(['a', 'p2']);
  });

  test('the footer adds up exactly, without binary fractions', () => {
    expect(sumHistory(mergeHistory([start, removed], [won, lost]))).toEqual({
      payments: 9500,
      closedPositions: 677.34,
      fees: 0,
      funding: 0,
      total: 10_177.34,
    });
    const fees = ['f1', 'f2'].map((id) => transaction(id, 'fee', -8.773434, '2026-11-06T21:13:00Z'));
    const withFees = sumHistory(mergeHistory([start, removed, ...fees], [won, lost]));
    expect(withFees).toEqual({
      payments: 9500,
      closedPositions: 677.34,
      fees: -17.55,
      funding: 0,
      total: 10_159.79,
    });
    const dimes = Array.from({ length: 10 }, (_, index) =>
      closed(`d${index}`, 'X', 0.1, '2026-11-06T21:13:00Z'),
    );
    expect(sumHistory(mergeHistory([], dimes)).total).toBe(1);
  });
});

describe('a history longer than the loaded lists', () => {
  const known = {
    transactions: [removed, start],
    transactionsLimit: 1000,
    closed: [lost, won],
    closedLimit: 500,
  };

  test('is complete from the last row of the fuller list on', () => {
    expect(getCompleteSince(known)).toBe(Number.NEGATIVE_INFINITY);
    expect(getCompleteSince({ ...known, closedLimit: 2 })).toBe(Date.parse('2026-11-06T21:13:00Z'));
    expect(getCompleteSince({ ...known, transactionsLimit: 2 })).toBe(Date.parse('2026-10-23T12:00:00Z'));
    expect(getCompleteSince({ ...known, transactionsLimit: 2, closedLimit: 2 })).toBe(
      Date.parse('2026-11-06T21:13:00Z'),
    );
  });

  test('an account without entries has a complete history', () => {
    expect(getCompleteSince({ ...known, transactions: [], closed: [] })).toBe(Number.NEGATIVE_INFINITY);
  });
});

describe('balance', () => {
  const wallet = { balance: 12_648.92, availableBalance: 8164.32 } as Wallet;
  const open = [774.72, 1274.76, 1461.12].map((margin) => ({ margin })) as Position[];

  test('its parts add up to it', () => {
    expect(splitBalance(wallet, open)).toEqual({ available: 8164.32, inPositions: 3510.6, reserved: 974 });
    expect(splitBalance({ ...wallet, availableBalance: 9138.32 }, open)).toEqual({
      available: 9138.32,
      inPositions: 3510.6,
      reserved: 0,
    });
  });

  test('its parts add up as displayed, not only before rounding', () => {
    const uneven = { balance: 9999.884, availableBalance: 7139.405 } as Wallet;
    expect(splitBalance(uneven, [{ margin: 2860.479 } as Position])).toEqual({
      available: 7139.41,
      inPositions: 2860.47,
      reserved: 0,
    });
  });

  test('positions that arrive before their wallet never exceed the locked amount', () => {
    expect(splitBalance({ ...wallet, availableBalance: 12_648.92 }, open)).toEqual({
      available: 12_648.92,
      inPositions: 0,
      reserved: 0,
    });
  });

  test('the curve is calculated back from the balance in steps', () => {
    const [from, to] = [Date.parse('2026-11-01T00:00:00Z'), Date.parse('2026-11-19T00:00:00Z')];
    const steps = getBalanceSteps(mergeHistory([start, removed], [won, lost]), 10_177.34, from, to);
    expect(steps.map((step) => step.balance)).toEqual([10_000, 10_773.54, 10_273.54, 10_177.34, 10_177.34]);
    expect(steps[0]?.at).toBe(from);
    expect(steps.at(-1)?.at).toBe(to);
  });

  test('the curve of a new account starts with its first funding', () => {
    const [from, to] = [Date.parse('2026-10-23T12:00:00Z'), Date.parse('2026-10-24T12:00:00Z')];
    expect(getBalanceSteps(mergeHistory([start], []), 10_000, from, to)).toEqual([
      { at: from, balance: 10_000 },
      { at: to, balance: 10_000 },
    ]);
  });
});
