import { QueryClient } from '@tanstack/react-query';
import { afterEach, describe, expect, test } from 'vitest';
import { queryKeys } from '../../../shared/query/index.ts';
import { applyAccountChange } from '../../../shared/realtime/index.ts';
import type { Order, Position, Supabase } from '../../../shared/supabase/index.ts';
import { createTradingStore } from './trading-store.ts';

interface Answer {
  readonly data: unknown;
  readonly error: { readonly message: string; readonly code?: string } | null;
  readonly status: number;
}

/** A client whose requests are recorded and answered by the test, in the order in which they are made. */
function scriptedClient() {
  const requests: string[] = [];
  const waiting: ((answer: Answer) => void)[] = [];
  const request = (name: string): unknown => {
    const promise = new Promise<Answer>((resolve) => {
      requests.push(name);
      waiting.push(resolve);
    });
    const chain: unknown = new Proxy(
      {},
      {
        get: (_target, key) => {
          if (key === 'then') return promise.then.bind(promise);
          return () => chain;
        },
      },
    );
    return chain;
  };
  const rest = {
    from: (table: string) => ({
      select: () => request(`select ${table}`),
      insert: () => request(`insert ${table}`),
      update: () => request(`update ${table}`),
    }),
    rpc: (name: string) => request(name),
  };
  const next = async (): Promise<(answer: Answer) => void> => {
    for (;;) {
      const resolve = waiting.shift();
      if (resolve) return resolve;
      await new Promise((resolve) => setTimeout(resolve));
    }
  };
  return {
    supabase: { rest } as unknown as Supabase,
    requests,
    answer: async (data: unknown) => (await next())({ data, error: null, status: 200 }),
    refuse: async (message: string, code = 'refused', status = 400) =>
      (await next())({ data: null, error: { message, code }, status }),
  };
}

const position = (id: string, version: number, status = 'open') => ({
  id,
  account_version: version,
  version,
  status,
});
const order = (id: string, version: number, status = 'NEW') => ({ id, version, status, size: 2 });

let stop = () => {};
afterEach(() => stop());

function open() {
  const client = scriptedClient();
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const chosen: string[] = [];
  const offered = createTradingStore({
    cache,
    accountId: 'u',
    supabase: client.supabase,
    selectedPair: 'BTCUSDT',
    select: (symbol) => chosen.push(symbol),
  });
  stop = offered.stop;
  const { store } = offered;
  return { client, cache, chosen, store, actions: store.getInitialState(), now: () => store.getState() };
}

describe('the trading store', () => {
  test('X-08: has the stated keys, and order book and trades are empty (A94)', () => {
    const { now } = open();
    const keys = Object.entries(now()).filter(([, value]) => typeof value !== 'function');
    expect(keys.map(([key]) => key)).toEqual([
      'selectedPair',
      'orderBook',
      'trades',
      'candles',
      'orders',
      'positions',
      'isLoading',
      'error',
    ]);
    expect(now()).toMatchObject({
      orderBook: { bids: [], asks: [] },
      trades: [],
      isLoading: false,
      error: null,
    });
  });

  test('A114: order book and trades are those on the screen, of this account and the selected pair', () => {
    const { cache, now, store } = open();
    const levels = [{ price: 9_900_000_000n, size: 150_000_000n }];
    const trades = [{ price: 99, size: 1.5, side: 'BUY', time: '2026-11-20T15:00:00.000Z' }];
    const book = { quoteId: 'q', source: 'modelled', mid: 1n, bids: levels, asks: [], trades };
    cache.setQueryData(queryKeys.orderBook('another', 'BTCUSDT'), book);
    cache.setQueryData(queryKeys.orderBook('u', 'ETHUSDT'), book);
    expect(now().orderBook).toEqual({ bids: [], asks: [] });
    cache.setQueryData(queryKeys.orderBook('u', 'BTCUSDT'), book);
    expect(now().orderBook).toEqual({ bids: [{ price: 99, size: 1.5 }], asks: [] });
    expect(now().trades).toEqual(trades);
    store.getState().setSelectedPair('ETHUSDT');
    expect([now().orderBook.bids, now().trades]).toEqual([[], []]);
  });

  test('X-09, X-10: an action loads, clears the error, and ends without or with one', async () => {
    const { client, store, actions, now } = open();
    store.setState({ error: 'of before' });
    const fetched = actions.fetchPositions();
    expect(now()).toMatchObject({ isLoading: true, error: null });
    await client.answer([position('a', 1)]);
    await fetched;
    expect(now()).toMatchObject({ isLoading: false, error: null, positions: [{ id: 'a' }] });
    const failed = actions.fetchPositions();
    await client.refuse('Not for you');
    expect(await failed).toBeNull();
    expect(now()).toMatchObject({ isLoading: false, error: 'Not for you', positions: [{ id: 'a' }] });
  });

  test('two overlapping actions load until the later one ends', async () => {
    const { client, actions, now } = open();
    const both = [actions.fetchPositions(), actions.fetchOrders()];
    await client.answer([]);
    await both[0];
    expect(now().isLoading).toBe(true);
    await client.answer([]);
    await both[1];
    expect(now().isLoading).toBe(false);
  });

  test.each([
    ['ERR-22', 'Failed to fetch positions', (to: ReturnType<typeof open>) => to.actions.fetchPositions()],
    ['ERR-23', 'Failed to fetch orders', (to: ReturnType<typeof open>) => to.actions.fetchOrders()],
    [
      'ERR-24',
      'Failed to place order',
      (to: ReturnType<typeof open>) =>
        to.actions.placeOrder({ symbol: 'BTCUSDT', type: 'LIMIT', side: 'BUY', quantity: 1, price: 1 }),
    ],
    ['ERR-25', 'Failed to cancel order', (to: ReturnType<typeof open>) => to.actions.cancelOrder('a')],
    ['ERR-26', 'Failed to close position', (to: ReturnType<typeof open>) => to.actions.closePosition('a')],
  ] as const)(
    '%s, ERR-72: the default for a failure without a text of the app is: %s',
    async (_id, text, action) => {
      const screen = open();
      const done = action(screen);
      await screen.client.refuse('<html>Bad gateway</html>', '', 0);
      expect(await done).toBeNull();
      expect(screen.now()).toMatchObject({ isLoading: false, error: text });
    },
  );

  test('RULE-13, RULE-15, ENT-21: placing an order reads the open orders again; size is its quantity', async () => {
    const { client, actions, now } = open();
    const placed = actions.placeOrder({
      symbol: 'BTCUSDT',
      type: 'LIMIT',
      side: 'BUY',
      quantity: 2,
      price: 1,
    });
    await client.answer(order('a', 1));
    await client.answer([order('a', 1)]);
    expect(await placed).toMatchObject({ id: 'a', status: 'NEW', quantity: 2 });
    expect(client.requests).toEqual(['insert orders', 'select orders']);
    expect(now().orders).toMatchObject([{ id: 'a', quantity: 2 }]);
    const canceled = actions.cancelOrder('a');
    await client.answer(order('a', 2, 'CANCELED'));
    await canceled;
    expect(now().orders).toEqual([]);
  });

  test('RULE-16, RULE-17, RULE-18: opening reads the open positions again, closing removes one', async () => {
    const { client, actions, now } = open();
    const opened = actions.openPosition({ symbol: 'BTCUSDT', side: 'BUY', size: '0.01', leverage: 10 });
    await client.answer(position('a', 1));
    await client.answer([position('a', 1)]);
    await opened;
    expect(client.requests).toEqual(['open_position', 'select positions']);
    const closed = actions.closePosition('a');
    await client.answer(position('a', 2, 'closed'));
    await closed;
    expect(client.requests.at(-1)).toBe('close_position');
    expect(now().positions).toEqual([]);
  });

  test('an order with an unreadable price is not sent without it', async () => {
    const { client, actions, now } = open();
    const order = { symbol: 'BTCUSDT', type: 'LIMIT', side: 'BUY', price: '90', quantity: '0.01' } as const;
    expect(await actions.placeOrder({ ...order, stopLossPrice: '89,5' })).toBeNull();
    expect(now()).toMatchObject({ isLoading: false, error: 'Invalid stop loss price: 89,5' });
    expect(await actions.placeOrder({ ...order, price: '' })).toBeNull();
    expect(client.requests).toEqual([]);
  });

  test('the store follows changes by the screen or the server at once', async () => {
    const { client, cache, actions, now } = open();
    const fetched = actions.fetchPositions();
    await client.answer([]);
    await fetched;
    applyAccountChange(cache, 'u', { table: 'positions', row: position('b', 3) as unknown as Position });
    expect(now().positions).toMatchObject([{ id: 'b' }]);
    cache.setQueryData<readonly Order[]>(['orders', 'u', 'open'], [order('o', 1) as unknown as Order]);
    expect(now().orders).toMatchObject([{ id: 'o', quantity: 2 }]);
  });

  test('selecting a pair shows it on the screen, and candles are those of the pair', async () => {
    const { client, chosen, actions, now } = open();
    actions.setSelectedPair('ETHUSDT');
    expect([now().selectedPair, chosen]).toEqual(['ETHUSDT', ['ETHUSDT']]);
    const fetched = actions.fetchCandles({ timeframe: '1h', limit: 2 });
    await client.answer([{ open_time: '2026-11-21T09:00:00Z', close: 1 }]);
    await fetched;
    expect(now().candles).toEqual([{ openTime: '2026-11-21T09:00:00Z', close: 1 }]);
  });
});

test('AUTH-44: a store that a script still holds shows and does nothing after its session ended', async () => {
  const client = scriptedClient();
  const cache = new QueryClient();
  const { store, stop } = createTradingStore({
    cache,
    accountId: 'u1',
    supabase: client.supabase,
    selectedPair: 'BTCUSDT',
    select: () => undefined,
  });
  const read = store.getState().fetchPositions();
  await client.answer([position('p1', 1)]);
  await read;
  expect(store.getState().positions).toHaveLength(1);
  stop();
  expect(store.getState().positions).toEqual([]);
  expect(await store.getState().closePosition('p1')).toBeNull();
  expect(store.getState()).toMatchObject({ isLoading: false, error: 'The session of this store has ended' });
  expect(client.requests).toHaveLength(1);
});
