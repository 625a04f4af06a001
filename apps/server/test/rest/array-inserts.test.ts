/** Many rows in one insert by command: what each row claims, and what is refused before any of them is carried out. */
import type { PostgrestError } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { limits } from '../../src/protocols/rest/limits.ts';
import { namedUsers, orderOf, type RestServer, startRestServer } from './rest-server.ts';

let server: RestServer;
let inputs: readonly unknown[] | null = null;
beforeAll(async () => {
  server = await startRestServer({
    writes: {
      'orders.insert': async ({ userId }, rows) => {
        inputs = rows;
        const id = orderOf.alice;
        return { ids: rows.map(() => id), rows: rows.map((_, n) => ({ id, user_id: userId, version: n })) };
      },
    },
  });
});
afterAll(() => server.close());
beforeEach(() => {
  inputs = null;
});

const market = { symbol: 'BTCUSDT', type: 'MARKET', side: 'BUY', size: 0.1, leverage: 10 } as const;
const limit = { ...market, type: 'LIMIT', price: 99.5, status: 'NEW' } as const;
const orders = () => server.as('alice').from('orders');

test('CALL-45: rows may name different columns; what one does not name is null where it may be', async () => {
  const { status } = await orders().insert([market, { ...limit, client_id: 'b' }]);
  expect(status).toBe(201);
  expect(inputs).toEqual([
    { ...market, size: '0.1', price: null, client_id: null },
    { ...limit, size: '0.1', price: '99.5', client_id: 'b' },
  ]);
  await server.withToken('alice').from('orders').insert([market, limit], { defaultToNull: false });
  expect(inputs?.[0]).toEqual({ ...market, size: '0.1' });
});

test('with `columns`, other keys of the body are ignored', async () => {
  const post = (path: string, body: unknown) =>
    server.fetch(path, { method: 'POST', body: JSON.stringify(body) });
  expect((await post('orders?columns=symbol,"price"', [{ ...market, secret: 1 }])).status).toBe(201);
  expect(inputs).toEqual([{ symbol: 'BTCUSDT', price: null }]);
  inputs = null;
  for (const [path, code] of [
    ['orders?columns=symbol,secret', '42703'],
    ['orders?columns=symbol,reserved', '42501'],
    ['orders?columns=', '42703'],
    ['orders?columns=symbol&columns=size', 'PGRST100'],
  ] as const) {
    expect(await (await post(path, [market])).json()).toMatchObject({ code });
  }
  expect(inputs).toBeNull();
});

test('each row of the response has the position of its claim', async () => {
  const rows = Array.from({ length: limits.insertRows }, () => limit);
  const { data, status, count } = await server
    .withToken('alice')
    .from('orders')
    .insert(rows, { count: 'exact' })
    .select('version');
  expect([status, count]).toEqual([201, 100]);
  expect(data).toEqual(rows.map((_, version) => ({ version })));
  expect(inputs).toHaveLength(100);
});

test('one row above the limit, or one invalid row, and no row is carried out', async () => {
  const rows = Array.from({ length: limits.insertRows }, () => limit);
  const refused = async (request: PromiseLike<{ status: number; error: PostgrestError | null }>) => {
    const { status, error } = await request;
    expect(inputs).toBeNull();
    return [status, error?.code, error?.message];
  };
  const raw = () => server.withToken('alice').from('orders');
  expect(await refused(raw().insert([...rows, limit]))).toEqual([
    400,
    'PGRST102',
    'An insert has at most 100 rows',
  ]);
  expect(await refused(raw().insert([...rows.slice(1), { ...limit, size: 'much' }]))).toEqual([
    400,
    '22P02',
    'Row 100: invalid input syntax for type numeric: "much"',
  ]);
  expect(await refused(raw().insert([{ ...market, leverage: null }, limit]))).toEqual([
    400,
    '23502',
    'Row 1: null value in column "leverage" violates not-null constraint',
  ]);
  expect(await refused(raw().insert({ ...limit, size: 'much' }))).toEqual([
    400,
    '22P02',
    'invalid input syntax for type numeric: "much"',
  ]);
  expect(await refused(raw().insert([market, { ...limit, reserved: 0 }]))).toEqual([
    403,
    '42501',
    'permission denied for column reserved of table orders',
  ]);
  expect(await refused(raw().insert([market, limit]).select().single())).toEqual([
    406,
    'PGRST116',
    'Cannot coerce the result to a single JSON object',
  ]);
});

test('X-20: an order is the token’s, whatever user its row names, and no other role places one', async () => {
  await server
    .withToken('alice')
    .from('orders')
    .insert({ ...limit, user_id: namedUsers.bob.id })
    .select('user_id');
  // The claim is handed on as one; who the caller is comes from the token.
  expect(inputs).toEqual([{ ...limit, size: '0.1', price: '99.5', user_id: namedUsers.bob.id }]);
  inputs = null;
  for (const user of ['mona', 'sam', 'ada'] as const) {
    expect(await server.as(user).from('orders').insert(limit)).toMatchObject({
      status: 403,
      error: { code: '42501' },
    });
  }
  expect(await server.as(null).from('orders').insert(limit)).toMatchObject({ status: 401 });
  expect(inputs).toBeNull();
});
