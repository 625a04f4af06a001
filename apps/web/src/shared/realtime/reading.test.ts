import { QueryClient } from '@tanstack/react-query';
import { describe, expect, test } from 'vitest';
import type { Notification, Order, Position, Wallet } from '../supabase/rows.ts';
import {
  applyToClosed,
  applyToNotifications,
  applyToOpen,
  applyToOpenOrders,
  applyToPastOrders,
  newest,
} from './changes.ts';
import { type AccountChange, mostChanges, readUnder } from './reading.ts';
import { takeOver } from './useAccountChanges.ts';

const position = (id: string, version: number, status: Position['status'] = 'open') =>
  ({ id, accountVersion: version, version, status }) as unknown as Position;
const order = (id: string, version: number, status: Order['status'] = 'NEW') =>
  ({ id, version, status }) as unknown as Order;
const wallet = (version: number) => ({ id: 'w', version, balance: version }) as unknown as Wallet;
const told = (id: string, readAt: string | null = null) => ({ id, readAt }) as Notification;

/** A part of the account as a screen holds it, whose answers come when the test says so. */
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
    ask: () => cache.fetchQuery({ queryKey, queryFn: () => readUnder(cache, read, drain), staleTime: 0 }),
    held: () => cache.getQueryData<Held>(queryKey),
    announce: (change: AccountChange) => takeOver(cache, 'u', change),
  };
}
const ids = (rows: readonly { readonly id: string }[] | undefined) => rows?.map(({ id }) => id);

describe('an answer that is older than what was announced while it was on its way', () => {
  test('neither forgets an opened position nor brings a closed one back', async () => {
    const screen = shown(['positions', 'u', 'open'], [position('a', 1)], (open, change) =>
      change.table === 'positions' ? [...applyToOpen(open, change.row)] : open,
    );
    const asked = screen.ask();
    screen.announce({ table: 'positions', row: position('b', 2) });
    screen.announce({ table: 'positions', row: position('a', 3, 'closed') });
    expect(ids(screen.held())).toEqual(['b']);
    screen.answers[0]?.([position('a', 1)]);
    await asked;
    expect(ids(screen.held())).toEqual(['b']);
  });

  test('nor takes a position out of the history', async () => {
    const screen = shown<readonly Position[]>(['positions', 'u', 'closed'], [], (closed, change) =>
      change.table === 'positions' ? applyToClosed(closed, change.row) : closed,
    );
    const asked = screen.ask();
    screen.announce({ table: 'positions', row: position('a', 3, 'closed') });
    screen.answers[0]?.([]);
    await asked;
    expect(ids(screen.held())).toEqual(['a']);
  });

  test('nor brings a filled order back, nor takes it out of the history', async () => {
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
      const asked = screen.ask();
      screen.announce({ table: 'orders', row: order('a', 2, 'FILLED') });
      screen.answers[0]?.(older);
      await asked;
    }
    expect([ids(open.held()), ids(past.held())]).toEqual([[], ['a']]);
  });

  test('nor sets the wallet back, and a newer answer counts', async () => {
    const screen = shown<Wallet | null>(['wallet', 'u'], wallet(1), (held, change) =>
      change.table === 'wallets' ? newest(held, change.row) : held,
    );
    const asked = screen.ask();
    screen.announce({ table: 'wallets', row: wallet(3) });
    screen.answers[0]?.(wallet(2));
    await asked;
    expect(screen.held()?.version).toBe(3);
    const again = screen.ask();
    screen.announce({ table: 'wallets', row: wallet(4) });
    screen.answers[1]?.(wallet(5));
    await again;
    expect(screen.held()?.version).toBe(5);
  });

  test('A104: nor loses a notification, nor makes a read one unread', async () => {
    const screen = shown<readonly Notification[]>(['notifications', 'u'], [told('a')], (held, change) =>
      change.table === 'notifications' ? applyToNotifications(held, change.row) : held,
    );
    const asked = screen.ask();
    screen.announce({ table: 'notifications', row: told('b') });
    screen.announce({ table: 'notifications', row: told('a', '2026-11-21T10:00:00Z') });
    screen.answers[0]?.([told('a')]);
    await asked;
    expect(ids(screen.held())).toEqual(['b', 'a']);
    expect(screen.held()?.[1]?.readAt).not.toBeNull();
  });
});

describe('the first reading', () => {
  test('takes over what is announced before there is anything to show', async () => {
    const cache = new QueryClient();
    let answer: (rows: readonly Position[]) => void = () => {};
    const asked = cache.fetchQuery<readonly Position[]>({
      queryKey: ['positions', 'u', 'open'],
      queryFn: () =>
        readUnder<readonly Position[]>(
          cache,
          () => new Promise((resolve) => (answer = resolve)),
          (open, change) => (change.table === 'positions' ? applyToOpen(open, change.row) : open),
        ),
    });
    takeOver(cache, 'u', { table: 'positions', row: position('a', 1) });
    answer([]);
    expect(ids(await asked)).toEqual(['a']);
  });
});

describe('more changes than are kept', () => {
  test('make the answer worthless: it is asked for again', async () => {
    const cache = new QueryClient();
    let asked = 0;
    const versions = readUnder<number>(
      cache,
      async () => {
        asked += 1;
        if (asked === 1) {
          for (let at = 0; at <= mostChanges; at += 1) {
            takeOver(cache, 'u', { table: 'wallets', row: wallet(at) });
          }
        }
        return 1_000;
      },
      (held, change) => (change.table === 'wallets' ? change.row.version : held),
    );
    expect([await versions, asked]).toEqual([1_000, 2]);
  });
  test('for ever, end in an error instead of a loop', async () => {
    const cache = new QueryClient();
    const endless = readUnder<number>(
      cache,
      async () => {
        for (let at = 0; at <= mostChanges; at += 1) {
          takeOver(cache, 'u', { table: 'wallets', row: wallet(at) });
        }
        return 1;
      },
      (held) => held,
    );
    await expect(endless).rejects.toThrow('changes faster');
  });
});
