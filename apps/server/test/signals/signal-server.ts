/** Traders with addresses for signals, and what their senders send. */
import { randomUUID } from 'node:crypto';
import type { SignalPreview, SignalRow } from '@fulcrum/contract';
import type { SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import { expect } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import type { TestServer } from '../harness/index.ts';
import { signedInTo } from '../harness/server-process.ts';

export interface Hooked {
  readonly client: SupabaseClient;
  readonly accountId: string;
  readonly hookId: string;
  /** Below the server's own address, whatever PUBLIC_URL is. */
  readonly path: string;
}

export const pathOf = (address: string): string => new URL(address).pathname;

export async function makeHook(client: SupabaseClient, accountId: string): Promise<Hooked> {
  const { data } = await client
    .rpc('create_signal_hook', { p_account_id: accountId, p_name: randomUUID().slice(0, 8) })
    .throwOnError();
  return { client, accountId, hookId: data.id, path: pathOf(data.address) };
}

/** A trader's main account, with the standard rules. */
export async function hookedTrader(server: TestServer): Promise<Hooked> {
  const { client, userId } = await server.signUpTrader();
  return makeHook(client, userId);
}

/** An account with net positions; `client` is signed in to it. */
export async function hookedNetTrader(
  server: TestServer,
  more: Record<string, unknown> = {},
): Promise<Hooked> {
  const { client: main } = await server.signUpTrader();
  const { data } = await main
    .rpc('create_account', {
      ...{ p_name: randomUUID(), p_rules: 'perpetual', p_fill_profile: 'pro', p_start_balance: 100_000 },
      ...more,
    })
    .throwOnError();
  return makeHook(await signedInTo(server.url, main, data.id), data.id);
}

export interface HookAnswer {
  readonly status: number;
  readonly body: {
    readonly id?: string;
    readonly repeated?: boolean;
    readonly code?: string;
    readonly message?: string;
  };
  readonly headers: Headers;
}

/** As TradingView sends it: JSON as JSON, any other text as plain text. */
export async function send(
  url: string,
  path: string,
  body: unknown,
  contentType = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
): Promise<HookAnswer> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': contentType },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return {
    status: answer.status,
    body: (await answer.json()) as HookAnswer['body'],
    headers: answer.headers,
  };
}

export const signalsOf = async ({
  client,
  accountId,
}: Pick<Hooked, 'client' | 'accountId'>): Promise<SignalRow[]> =>
  (await client.rpc('list_signals', { p_account_id: accountId }).throwOnError()).data;

export const previewOf = async (hooked: Hooked, body: unknown): Promise<SignalPreview> =>
  (
    await hooked.client
      .rpc('preview_signal', {
        p_account_id: hooked.accountId,
        p_body: typeof body === 'string' ? body : JSON.stringify(body),
      })
      .throwOnError()
  ).data;

export const outcomeOf = (hooked: Pick<Hooked, 'client' | 'accountId'>, id: string): Promise<SignalRow> =>
  eventually(async () => {
    const signal = (await signalsOf(hooked)).find((one) => one.id === id);
    if (!signal || signal.outcome === 'pending') throw new Error(`signal ${id} has no outcome`);
    return signal;
  }, 20);

/** Sends it and waits until it is done or refused. */
export async function deliver(server: TestServer, hooked: Hooked, body: unknown): Promise<SignalRow> {
  const answer = await send(server.url, hooked.path, body);
  expect(answer.body).toEqual({ id: expect.any(String), repeated: false });
  expect(answer.status).toBe(200);
  return outcomeOf(hooked, answer.body.id ?? '');
}

interface Queries {
  query(sql: string, values: unknown[]): Promise<unknown>;
}

/** A signal that was stored, and planned where `steps` are given, as a crash leaves it. The id. */
export async function storePending(
  db: Queries,
  { hookId, accountId }: Pick<Hooked, 'hookId' | 'accountId'>,
  body: string,
  { steps = null, ageMs = 0 }: { readonly steps?: readonly unknown[] | null; readonly ageMs?: number } = {},
): Promise<string> {
  const id = randomUUID();
  await db.query(
    `insert into app.signals (id, hook_id, account_id, received_at, body, body_hash, outcome, steps, summary)
     values ($1, $2, $3, $4, $5, sha256(uuid_send(gen_random_uuid())), 'pending', $6, $7)`,
    [
      ...[id, hookId, accountId, new Date(Date.now() - ageMs), body],
      ...(steps === null ? [null, null] : [JSON.stringify(steps), 'Cancel']),
    ],
  );
  return id;
}

/** Past a server that does not run. */
export async function withDatabase<T>(url: string, work: (db: pg.Client) => Promise<T>): Promise<T> {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}

export const positionsOf = async ({ client }: Hooked) =>
  (
    await client
      .from('positions')
      .select('id, symbol, side, size, leverage, take_profit_price, stop_loss_price')
      .eq('status', 'open')
      .order('created_at')
      .throwOnError()
  ).data;
