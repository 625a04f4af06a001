import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { describe, expect, test, vi } from 'vitest';
import { queryKeys } from '../../../shared/query/index.ts';
import { applyAccountChange } from '../../../shared/realtime/index.ts';
import type { Order, Position, Supabase, Wallet } from '../../../shared/supabase/index.ts';
import { cachePlaced, createOrderSender, type Placed } from './orders.ts';

const position = { id: 'p', accountVersion: 8, version: 1, status: 'open' } as Position;
const order = { id: 'o', accountVersion: 8, version: 1, status: 'NEW', filledSize: 0 } as Order;
const filledOrder = { ...order, status: 'FILLED', filledSize: 0.5 } as Order;
const wallet = (version: number) => ({ id: 'w', version }) as Wallet;

/** A page that shows wallet and lists of an account at version 7; `reads` counts its reads. */
function openPage({ isJoined }: { readonly isJoined: boolean }) {
  const cache = new QueryClient();
  const reads: string[] = [];
  const shown = [
    ['wallet', queryKeys.wallet('u'), wallet(7)],
    ['positions', queryKeys.positions('u', 'open'), []],
    ['closed positions', queryKeys.positions('u', 'closed'), []],
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
  const reader = { accountId: 'u', supabase: { realtime } as unknown as Supabase };
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

test.each([true, false])(
  'RULE-15, RULE-16: after an answer of a filled order the positions are read again (channel: %s)',
  async (isJoined) => {
    const page = openPage({ isJoined });
    page.announce();
    await page.answer({ table: 'orders', row: filledOrder });
    expect([...page.reads].sort()).toEqual(['closed positions', 'orders', 'positions']);
  },
);

describe('orders are sent one at a time', () => {
  const placed: Placed = { table: 'orders', row: order };
  const steps = () => ({
    sendOrder: vi.fn(async () => placed),
    onPlaced: vi.fn(),
    onFailed: vi.fn(async () => {}),
    cachePlaced: vi.fn(async () => {}),
  });

  test('a double click places one order', async () => {
    const send = createOrderSender();
    const order = steps();
    await Promise.all([send(order), send(order)]);
    expect(order.sendOrder).toHaveBeenCalledOnce();
  });

  test('the next order is sent while the wallet of the last one is still awaited', async () => {
    const send = createOrderSender();
    await send({ ...steps(), cachePlaced: () => new Promise(() => {}) });
    const next = steps();
    await send(next);
    expect(next.onPlaced).toHaveBeenCalledExactlyOnceWith(placed);
  });

  test('a placed order whose lists cannot be read has not failed', async () => {
    const order = steps();
    await createOrderSender()({ ...order, cachePlaced: () => Promise.reject(new Error('offline')) });
    expect(order.onPlaced).toHaveBeenCalledOnce();
    expect(order.onFailed).not.toHaveBeenCalled();
  });

  test('a placed order whose announcement fails has not failed, is cached, and the next one is sent', async () => {
    const send = createOrderSender();
    const fault = new Error('no toast');
    const order = steps();
    const onPlaced = () => {
      throw fault;
    };
    await expect(send({ ...order, onPlaced })).rejects.toBe(fault);
    expect(order.onFailed).not.toHaveBeenCalled();
    expect(order.cachePlaced).toHaveBeenCalledOnce();
    const next = steps();
    await send(next);
    expect(next.sendOrder).toHaveBeenCalledOnce();
  });

  test('a refused order has failed, is not cached, and the next one is sent', async () => {
    const send = createOrderSender();
    const refusal = new Error('refused');
    const order = steps();
    await send({ ...order, sendOrder: () => Promise.reject(refusal) });
    expect(order.onFailed).toHaveBeenCalledExactlyOnceWith(refusal);
    expect(order.cachePlaced).not.toHaveBeenCalled();
    const next = steps();
    await send(next);
    expect(next.sendOrder).toHaveBeenCalledOnce();
  });
});
