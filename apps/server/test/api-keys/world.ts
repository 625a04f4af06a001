/** Makes keys through the official client and uses them by plain HTTP, as a script does. */
import { randomUUID } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { TestServer } from '../harness/index.ts';

export interface MadeKey {
  readonly id: string;
  readonly api_key: string;
  readonly secret: string;
  readonly name: string;
  readonly account_id: string;
}

export async function makeKey(
  client: SupabaseClient,
  accountId: string,
  more: Record<string, unknown> = {},
): Promise<MadeKey> {
  const { data, error } = await client.rpc('create_api_key', {
    p_name: randomUUID(),
    p_scopes: ['trade'],
    p_account_id: accountId,
    ...more,
  });
  if (error) throw error;
  return data;
}

export const bearerOf = ({ api_key, secret }: Pick<MadeKey, 'api_key' | 'secret'>) =>
  `Bearer ${api_key}.${secret}`;

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of any table or procedure
  readonly body: any;
}

/** A request to `/rest/v1` with the key alone: no `apikey` header. */
export async function withKey(
  server: Pick<TestServer, 'url'>,
  key: Pick<MadeKey, 'api_key' | 'secret'>,
  path: string,
  { body, ...init }: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const answer = await fetch(`${server.url}/rest/v1/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    ...init,
    headers: {
      authorization: bearerOf(key),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...init.headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
}
