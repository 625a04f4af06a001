import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { describe, expect, test } from 'vitest';
import { queryKeys } from '../../../shared/query/index.ts';
import { applyAccountChange } from '../../../shared/realtime/index.ts';
import type { Order, Position, Supabase, Wallet } from '../../../shared/supabase/index.ts';
import { cachePlaced, type Placed } from './orders.ts';

const position = { id: 'p', accountVersion: 8, version: 1, status: 'open' } as Position;
const order = { id: 'o', accountVersion: 8, version: 1, status: 'NEW' } as Order;
const wallet = (version: number) => ({ id: 'w', version }) as Wallet;

/** A page that shows wallet and lists of an account at version 7; `reads` counts its reads. */
function openPage({ isJoined }: { readonly isJoined: boolean }) {
  const cache = new QueryClient();
  const reads: string[] = [];
  const shown = [
    ['wallet', queryKeys.wallet('u'), wallet(7)],
    ['positions', queryKeys.positions('u', 'open'), []],
    ['orders', queryKeys.orders('u', 'open'), []],
  ] as const;
  for (const [name, queryKey, data] of shown) {
    const queryFn = () => {
      reads.push(name);
      return data;
    };
    cache.setQueryData<unknown>(queryKey, data);
    new QueryObserver(cache, { queryKey, queryFn, staleTime: Infinity }).subscribe(() => {});
  }
  const channels = isJoined ? [{ topic: 'realtime:user:u', state: 'joined' }] : [];
  const realtime = { isConnected: () => isJoined, getChannels: () => channels };
  const reader = { user: { id: 'u' }, supabase: { realtime } as unknown as Supabase };
  const announce = () => applyAccountChange(cache, 'u', { table: 'wallets', row: wallet(8) });
  return { reads, announce, answer: (placed: Placed) => cachePlaced(cache, reader, placed) };
}

describe.each([
  ['positions', { table: 'positions', row: position }],
  ['orders', { table: 'orders', row: order }],
] as const)('RULE-15, RULE-16: after an answer in %s', (list, placed) => {
  test('its list is read again, and the wallet is not, which was announced before', async () => {
    const page = openPage({ isJoined: true });
    page.announce();
    await page.answer(placed);
    expect(page.reads).toEqual([list]);
  });

  test('the wallet is not read when its announcement comes a moment later', async () => {
    const page = openPage({ isJoined: true });
    const answered = page.answer(placed);
    page.announce();
    await answered;
    expect(page.reads).toEqual([list]);
  });

  test('the wallet is read when its announcement does not come', async () => {
    const page = openPage({ isJoined: true });
    await page.answer(placed);
    expect(page.reads).toEqual([list, 'wallet']);
  });

  test('the wallet is read at once while the channel is not joined', async () => {
    const page = openPage({ isJoined: false });
    const startedAt = performance.now();
    await page.answer(placed);
    expect(performance.now() - startedAt).toBeLessThan(500);
    expect([...page.reads].sort()).toEqual([list, 'wallet'].sort());
  });
});
