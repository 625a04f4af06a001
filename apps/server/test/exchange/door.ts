/** A running server, accounts with net positions, and signed requests to `/fapi` over real HTTP. */
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { RuleSetName } from '@fulcrum/domain';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import type { DoorKey, DoorKeys } from '../../src/protocols/exchange/index.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../harness/index.ts';

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is compared with literals
  readonly body: any;
  readonly headers: Headers;
}
export type Params = Readonly<Record<string, string | number | boolean>>;
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Bot {
  readonly key: DoorKey;
  readonly accountId: string;
  /** As the app, in the same account. */
  readonly client: SupabaseClient;
  get(path: string, params?: Params): Promise<Answer>;
  post(path: string, params?: Params): Promise<Answer>;
  put(path: string, params?: Params): Promise<Answer>;
  delete(path: string, params?: Params): Promise<Answer>;
}

/** Keys that a test makes; the door knows no other ones. */
export function createTestKeys() {
  const keys = new Map<string, DoorKey>();
  const double: DoorKeys = {
    isWellFormed: (key) => key.startsWith('paper_'),
    find: async (key) => keys.get(key) ?? null,
    markUsed: () => {},
    onRevoked: () => () => {},
  };
  return {
    double,
    add(
      of: { accountId: string; userId: string; rules?: RuleSetName },
      more: Partial<DoorKey> = {},
    ): DoorKey {
      const { accountId, userId } = of;
      const key: DoorKey = {
        id: randomUUID(),
        apiKey: `paper_${randomBytes(12).toString('hex')}`,
        secret: randomBytes(16).toString('hex'),
        scopes: new Set(['read', 'trade']),
        accountId,
        userId,
        rules: of.rules ?? 'perpetual',
        caller: {
          role: 'trader',
          userId,
          accountId,
          actorId: userId,
          sessionId: randomUUID(),
          impersonationId: null,
          expiresAtS: 4_000_000_000,
        },
        allows: () => true,
        ...more,
      };
      keys.set(key.apiKey, key);
      return key;
    },
  };
}

export type Door = Awaited<ReturnType<typeof startDoor>>;

export async function startDoor(options: TestServerOptions = {}) {
  const keys = createTestKeys();
  const server: TestServer = await startTestServer({ doorKeys: keys.double, ...options });
  const now = () => options.clock?.now() ?? options.timers?.now() ?? Date.now();

  /** A request as sent: parameters in the query of GET and DELETE, else in a form. */
  async function send(
    key: Pick<DoorKey, 'apiKey' | 'secret'> | null,
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

  function botOf(key: DoorKey, client: SupabaseClient): Bot {
    const call = (method: Method) => (path: string, params?: Params) =>
      send(key, method, `/fapi/${path}`, params);
    return {
      ...{ key, accountId: key.accountId, client },
      ...{ get: call('GET'), post: call('POST'), put: call('PUT'), delete: call('DELETE') },
    };
  }

  /** A trader's practice account with a key; `ideal` fills without costs. */
  async function join(more: Record<string, unknown> = {}): Promise<Bot> {
    const { client: main, userId } = await server.signUpTrader();
    const terms = { p_rules: 'perpetual', p_fill_profile: 'ideal', p_start_balance: 100_000 };
    const { data } = await main
      .rpc('create_account', { p_name: randomUUID(), ...terms, ...more })
      .throwOnError();
    const token = await main.rpc('account_token', { p_account_id: data.id }).throwOnError();
    const client = createClient(server.url, server.anonKey, {
      accessToken: async () => token.data.access_token,
    });
    return botOf(keys.add({ accountId: data.id, userId }), client);
  }

  return { server, keys, send, join, botOf, feed: server.feed, close: () => server.close() };
}
