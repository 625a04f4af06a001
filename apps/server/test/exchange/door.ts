/** A running server, accounts with net positions, and signed requests to `/fapi` over real HTTP. */
import { createHmac, randomUUID } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll } from 'vitest';
import { startTestServer, type TestServer, type TestServerOptions } from '../harness/index.ts';

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is compared with literals
  readonly body: any;
  readonly headers: Headers;
}
export type Params = Readonly<Record<string, string | number | boolean>>;
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** As `create_api_key` answers it, once. */
export interface TestKey {
  readonly id: string;
  readonly apiKey: string;
  readonly secret: string;
}

export interface Bot {
  readonly key: TestKey;
  readonly accountId: string;
  readonly userId: string;
  /** As the app, in the user's main account. */
  readonly main: SupabaseClient;
  /** As the app, in the same account. */
  readonly client: SupabaseClient;
  get(path: string, params?: Params): Promise<Answer>;
  post(path: string, params?: Params): Promise<Answer>;
  put(path: string, params?: Params): Promise<Answer>;
  delete(path: string, params?: Params): Promise<Answer>;
}

export type Door = Awaited<ReturnType<typeof startDoor>>;

export async function startDoor(options: TestServerOptions = {}) {
  const server: TestServer = await startTestServer(options);
  const now = () => options.clock?.now() ?? options.timers?.now() ?? Date.now();

  /** A request as sent: parameters in the query of GET and DELETE, else in a form. */
  async function send(
    key: Pick<TestKey, 'apiKey' | 'secret'> | null,
    method: Method,
    path: string,
    params: Params = {},
    sign: (text: string) => string = (text) =>
      createHmac('sha256', key?.secret ?? '')
        .update(text)
        .digest('hex'),
  ): Promise<Answer> {
    const stated = Object.entries({ timestamp: now(), recvWindow: 10_000, ...params });
    const text = new URLSearchParams(
      stated.map(([name, value]): [string, string] => [name, String(value)]),
    ).toString();
    const signed = `${text}&signature=${sign(text)}`;
    const inQuery = method === 'GET' || method === 'DELETE';
    const response = await fetch(`${server.url}${path}${inQuery ? `?${signed}` : ''}`, {
      method,
      headers: {
        ...(key && { 'X-MBX-APIKEY': key.apiKey }),
        ...(!inQuery && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(!inQuery && { body: signed }),
    });
    return { status: response.status, body: await response.json(), headers: response.headers };
  }

  /** Another key of the user's, by default of the bot's account with both scopes. */
  async function makeKey(
    { main, accountId }: Pick<Bot, 'main' | 'accountId'>,
    more: Record<string, unknown> = {},
  ): Promise<TestKey> {
    const { data } = await main
      .rpc('create_api_key', {
        ...{ p_name: randomUUID(), p_account_id: accountId, p_scopes: ['read', 'trade'] },
        ...more,
      })
      .throwOnError();
    return { id: data.id, apiKey: data.api_key, secret: data.secret };
  }

  /** A trader's practice account with a key; `ideal` fills without costs. */
  async function join(more: Record<string, unknown> = {}): Promise<Bot> {
    const { client: main, userId } = await server.signUpTrader();
    const terms = { p_rules: 'perpetual', p_fill_profile: 'ideal', p_start_balance: 100_000 };
    const { data } = await main
      .rpc('create_account', { p_name: randomUUID(), ...terms, ...more })
      .throwOnError();
    const client = await server.clientIn(main, data.id);
    const accountId: string = data.id;
    const key = await makeKey({ main, accountId });
    const call = (method: Method) => (path: string, params?: Params) =>
      send(key, method, `/fapi/${path}`, params);
    return {
      ...{ key, accountId, userId, main, client },
      ...{ get: call('GET'), post: call('POST'), put: call('PUT'), delete: call('DELETE') },
    };
  }

  return { server, makeKey, send, join, feed: server.feed, close: () => server.close() };
}

/** Of the file that calls `shareDoor`, for all of its tests. */
export let door: Door;

export function shareDoor(...options: Parameters<typeof startDoor>): void {
  beforeAll(async () => {
    door = await startDoor(...options);
  });
  afterAll(() => door.close());
}
