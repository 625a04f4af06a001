import { QueryClient } from '@tanstack/react-query';
import { describe, expect, test } from 'vitest';
import type { Notification, Order, Position, Wallet } from '../supabase/rows.ts';
import {
  applyToClosed,
  applyToNotifications,
  applyToOpen,
  applyToOpenOrders,
  applyToPastOrders,
  newerOf,
} from './changes.ts';
import { type AccountChange, changesMax, readWithChanges } from './read-with-changes.ts';
import { applyAccountChange } from './useAccountChanges.ts';

const position = (id: string, version: number, status: Position['status'] = 'open') =>
  ({ id, accountVersion: version, version, status }) as unknown as Position;
const order = (id: string, version: number, status: Order['status'] = 'NEW') =>
  ({ id, version, status }) as unknown as Order;
const wallet = (version: number) => ({ id: 'w', version, balance: version }) as unknown as Wallet;
const notification = (id: string, readAt: string | null = null) => ({ id, readAt }) as Notification;

/** A cached part of the account whose answers arrive when the test resolves them. */
function shown<Held>(
  queryKey: readonly string[],
  first: Held,
  drain: (held: Held, change: AccountChange) => Held,
) {
  const cache = new QueryClient();
  const answers: ((answer: Held) => void)[] = [];
  const read = () => new Promise<Held>((resolve) => answers.push(resolve));
  cache.setQueryData(queryKey, first);
  return {
    cache,
    answers,
    ask: () =>
      cache.fetchQuery({ queryKey, queryFn: () => readWithChanges(cache, read, drain), staleTime: 0 }),
    held: () => cache.getQueryData<Held>(queryKey),
    announce: (change: AccountChange) => applyAccountChange(cache, 'u', change),
  };
}
const ids = (rows: readonly { readonly id: string }[] | undefined) => rows?.map(({ id }) => id);

describe('an answer older than the changes announced during the read', () => {
  test('neither drops an opened position nor restores a closed one', async () => {
    const screen = shown(['positions', 'u', 'open'], [position('a', 1)], (open, change) =>
      change.table === 'positions' ? [...applyToOpen(open, change.row)] : open,
    );
    const reading = screen.ask();
    screen.announce({ table: 'positions', row: position('b', 2) });
    screen.announce({ table: 'positions', row: position('a', 3, 'closed') });
    expect(ids(screen.held())).toEqual(['b']);
    screen.answers[0]?.([position('a', 1)]);
    await reading;
    expect(ids(screen.held())).toEqual(['b']);
  });

  test('does not drop a position from the history', async () => {
    const screen = shown<readonly Position[]>(['positions', 'u', 'closed'], [], (closed, change) =>
      change.table === 'positions' ? applyToClosed(closed, change.row) : closed,
    );
    const reading = screen.ask();
    screen.announce({ table: 'positions', row: position('a', 3, 'closed') });
    screen.answers[0]?.([]);
    await reading;
    expect(ids(screen.held())).toEqual(['a']);
  });

  test('neither restores a filled order nor drops it from the history', async () => {
    const open = shown<readonly Order[]>(['orders', 'u', 'open'], [order('a', 1)], (held, change) =>
      change.table === 'orders' ? applyToOpenOrders(held, change.row) : held,
    );
    const past = shown<readonly Order[]>(['orders', 'u', 'past'], [], (held, change) =>
      change.table === 'orders' ? applyToPastOrders(held, change.row) : held,
    );
    for (const [screen, older] of [
      [open, [order('a', 1)]],
      [past, []],
    ] as const) {
      const reading = screen.ask();
      screen.announce({ table: 'orders', row: order('a', 2, 'FILLED') });
      screen.answers[0]?.(older);
      await reading;
    }
    expect([ids(open.held()), ids(past.held())]).toEqual([[], ['a']]);
  });

  test('does not revert the wallet, and a newer answer counts', async () => {
    const screen = shown<Wallet | null>(['wallet', 'u'], wallet(1), (held, change) =>
      change.table === 'wallets' ? newerOf(held, change.row) : held,
    );
    const reading = screen.ask();
    screen.announce({ table: 'wallets', row: wallet(3) });
    screen.answers[0]?.(wallet(2));
    await reading;
    expect(screen.held()?.version).toBe(3);
    const again = screen.ask();
    screen.announce({ table: 'wallets', row: wallet(4) });
    screen.answers[1]?.(wallet(5));
    await again;
    expect(screen.held()?.version).toBe(5);
  });

  test('A104: neither loses a notification nor makes a read one unread', async () => {
    const screen = shown<readonly Notification[]>(
      ['notifications', 'u'],
      [notification('a')],
      (held, change) => (change.table === 'notifications' ? applyToNotifications(held, change.row) : held),
    );
    const reading = screen.ask();
    screen.announce({ table: 'notifications', row: notification('b') });
    screen.announce({ table: 'notifications', row: notification('a', '2026-11-21T10:00:00Z') });
    screen.answers[0]?.([notification('a')]);
    await reading;
    expect(ids(screen.held())).toEqual(['b', 'a']);
    expect(screen.held()?.[1]?.readAt).not.toBeNull();
  });
});

describe('the first reading', () => {
  test('includes changes announced before the first answer', async () => {
    const cache = new QueryClient();
    let answer: (rows: readonly Position[]) => void = () => {};
    const reading = cache.fetchQuery<readonly Position[]>({
      queryKey: ['positions', 'u', 'open'],
      queryFn: () =>
        readWithChanges<readonly Position[]>(
          cache,
          () => new Promise((resolve) => (answer = resolve)),
          (open, change) => (change.table === 'positions' ? applyToOpen(open, change.row) : open),
        ),
    });
    applyAccountChange(cache, 'u', { table: 'positions', row: position('a', 1) });
    answer([]);
    expect(ids(await reading)).toEqual(['a']);
  });
});

describe('more changes than the limit', () => {
  test('discard the answer and repeat the read', async () => {
    const cache = new QueryClient();
    let attempts = 0;
    const versions = readWithChanges<number>(
      cache,
      async () => {
        attempts += 1;
        if (attempts === 1) {
          for (let at = 0; at <= changesMax; at += 1) {
            applyAccountChange(cache, 'u', { table: 'wallets', row: wallet(at) });
          }
        }
        return 1_000;
      },
      (held, change) => (change.table === 'wallets' ? change.row.version : held),
    );
    expect([await versions, attempts]).toEqual([1_000, 2]);
  });
  test('without end result in an error instead of a loop', async () => {
    const cache = new QueryClient();
    const endless = readWithChanges<number>(
      cache,
      async () => {
        for (let at = 0; at <= changesMax; at += 1) {
          applyAccountChange(cache, 'u', { table: 'wallets', row: wallet(at) });
        }
        return 1;
      },
      (held) => held,
    );
    await expect(endless).rejects.toThrow('changes faster');
  });
});

test('an answer that comes after the announcement of a later change restores nothing', () => {
  const cache = new QueryClient();
  for (const [table, open, past, row] of [
    ['orders', 'open', 'past', order('a', 2, 'FILLED')],
    ['positions', 'open', 'closed', position('a', 2, 'closed')],
  ] as const) {
    cache.setQueryData([table, 'u', open], []);
    cache.setQueryData([table, 'u', past], [row]);
  }
  applyAccountChange(cache, 'u', { table: 'orders', row: order('a', 1) });
  applyAccountChange(cache, 'u', { table: 'positions', row: position('a', 1) });
  expect(cache.getQueryData(['orders', 'u', 'open'])).toEqual([]);
  expect(cache.getQueryData(['positions', 'u', 'open'])).toEqual([]);
});
