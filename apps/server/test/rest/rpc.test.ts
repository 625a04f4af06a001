import { AppError, type Caller, texts } from '@fulcrum/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { namedUsers, positionOf, type RestServer, startRestServer } from './rest-server.ts';

let server: RestServer;
let calls: { caller: Caller; args: unknown }[] = [];
const bar = { open_time: '2026-11-21T08:00:00.000Z', open: 1, high: 2, low: 0.5, close: 1.5, volume: 7 };

beforeAll(async () => {
  server = await startRestServer({
    procedures: {
      open_position: async (caller: Caller, args) => {
        calls.push({ caller, args });
        return { id: positionOf.alice };
      },
      close_position: async () => {
        throw new AppError('position_closed', texts.positionAlreadyClosed);
      },
      get_candles: async (caller: Caller, args) => {
        calls.push({ caller, args });
        return [bar];
      },
    },
  });
});
afterAll(() => server.close());
beforeEach(() => {
  calls = [];
});

const order = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: '0.1', p_leverage: 10 };

describe('procedures', () => {
  test('CALL-47: the handler gets the token’s caller and the parsed arguments', async () => {
    const { data, error } = await server
      .as('alice')
      .rpc('open_position', { ...order, p_user_id: namedUsers.bob.id });
    expect([data, error]).toEqual([{ id: positionOf.alice }, null]);
    expect(calls).toMatchObject([
      { caller: { role: 'trader', userId: namedUsers.alice.id }, args: { p_size: '0.1' } },
    ]);
  });

  test('a refusal has its own code, status and text', async () => {
    const answer = await server.as('alice').rpc('close_position', { p_position_id: positionOf.alice });
    expect(answer).toMatchObject({
      status: 409,
      error: { code: 'position_closed', message: 'This position is already closed.' },
    });
  });

  test('a query accepts GET and POST, anonymous callers too', async () => {
    const args = { p_symbol: 'BTCUSDT', p_timeframe: '1m', p_limit: 5, p_before: null } as const;
    for (const get of [true, false]) {
      const { data } = await server.as(null).rpc('get_candles', args, { get });
      expect(data).toEqual([bar]);
    }
    expect(calls.map((call) => call.args)).toEqual([args, args]);
    const one = await server.as(null).rpc('get_candles', args).single();
    expect(one.data).toEqual(bar);
  });

  test('X-20: an anonymous caller gets 401, the wrong role 403', async () => {
    expect(await server.as(null).rpc('open_position', order)).toMatchObject({
      status: 401,
      error: { code: '42501' },
    });
    for (const user of ['mona', 'sam', 'ada'] as const) {
      expect(await server.as(user).rpc('open_position', order)).toMatchObject({
        status: 403,
        error: { code: '42501' },
      });
    }
    expect(calls).toEqual([]);
  });

  test.each([
    [{ ...order, p_price: 1 }, 'Unknown argument: p_price'],
    [{ ...order, p_size: 'all' }, 'Invalid argument p_size'],
    [{ ...order, p_leverage: '10' }, 'Invalid argument p_leverage'],
    [{ ...order, p_symbol: undefined }, 'Missing argument: p_symbol'],
    [{ ...order, p_symbol: '' }, 'Invalid argument p_symbol: must not be empty'],
    [{ ...order, p_client_id: 'x'.repeat(65) }, 'Invalid argument p_client_id: at most 64 characters'],
    [[], 'Invalid argument arguments'],
  ])('the arguments %j are refused and the argument is named', async (args, message) => {
    const answer = await server.fetch('rpc/open_position', { method: 'POST', body: JSON.stringify(args) });
    const body = (await answer.json()) as { code: string; message: string };
    expect([answer.status, body.code]).toEqual([400, 'invalid_argument']);
    expect(body.message).toContain(message);
    expect(calls).toEqual([]);
  });

  test('a result cannot be narrowed, and the refusal states it', async () => {
    const answer = await server.fetch('rpc/get_candles?select=open', { method: 'POST', body: '{}' });
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'PGRST100' }]);
  });
});
