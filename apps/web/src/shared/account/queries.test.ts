import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { Supabase } from '../supabase/index.ts';
import { readOpenPositions } from './queries.ts';

/** A server with `count` open positions, newest first, that counts its requests. */
function serverWith(count: number) {
  // Two rows share each time.
  const rows = Array.from({ length: count }, (_, index) => ({
    id: `${count - index}`,
    created_at: `t${(count - index) >> 1}`,
  }));
  const server = { requests: 0, orders: [] as string[] };
  const select = () => {
    let from = 0;
    let most = 0;
    const orders: string[] = [];
    const request = {
      eq: () => request,
      lte: () => request,
      or: (condition: string) => {
        const [, at, id] = /lt\."([^"]+)".*id\.lt\.(\d+)/.exec(condition) ?? [];
        from = rows.findIndex((row) => row.id === id && row.created_at === at) + 1;
        return request;
      },
      order: (column: string, { ascending }: { readonly ascending: boolean }) => {
        orders.push(`${column} ${ascending ? 'asc' : 'desc'}`);
        return request;
      },
      limit: (limit: number) => {
        most = limit;
        return request;
      },
      abortSignal: async () => {
        server.requests += 1;
        server.orders = orders;
        return { data: rows.slice(from, from + most), error: null, status: 200 };
      },
    };
    return request;
  };
  const supabase = { rest: { from: () => ({ select }) } } as unknown as Supabase;
  const read = () =>
    readOpenPositions({ accountId: 'me', supabase }, new QueryClient(), new AbortController().signal);
  return { server, rows, read };
}

test('each open position is read, newest first, for the sums of the account need all of them', async () => {
  const { server, rows, read } = serverWith(1_203);
  expect((await read()).map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  expect(server).toEqual({ requests: 3, orders: ['created_at desc', 'id desc'] });
});

test('fewer open positions than a page cost one request', async () => {
  for (const count of [0, 1, 499]) {
    const { server, read } = serverWith(count);
    expect([(await read()).length, server.requests]).toEqual([count, 1]);
  }
});
