/**
 * The client's state after the server stopped and restarted while the account was trading equals the server's. The
 * unmodified client follows the recipe of docs/realtime.md (`account-mirror.ts`).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient, type RealtimeClientOptions, type SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { childEnv } from '../harness/child-env.ts';
import { eventually } from '../harness/eventually.ts';
import { freePort } from '../harness/free-port.ts';
import { cloneDatabase, startTestServer, testPassword } from '../harness/index.ts';
import { AccountMirror } from './account-mirror.ts';
import { pause, until } from './realtime-server.ts';

type Transport = NonNullable<RealtimeClientOptions['transport']>;

const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).toReversed()) await end();
});

const open = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.001, p_leverage: 10 };

/** Opens positions without a pause until told to stop; an order that is not answered is asked again under its id. */
function trade(client: SupabaseClient) {
  const done = new AbortController();
  const acknowledged: string[] = [];
  const run = async () => {
    for (let n = 0; !done.signal.aborted; n++) {
      const order = { ...open, p_client_id: `order-${n}-${acknowledged.length}` };
      for (;;) {
        const { data, error } = await client.rpc('open_position', order);
        if (!error) {
          acknowledged.push((data as { id: string }).id);
          break;
        }
        if (done.signal.aborted) return;
        await pause(50);
      }
      await pause(20);
    }
  };
  const running = run();
  const stop = async () => {
    done.abort();
    await running;
  };
  ending.push(stop);
  return { acknowledged, stop };
}

/** Live figures of a position follow the price and are nobody's change. */
const settled = ({ mark_price, unrealized_pnl, ...row }: Readonly<Record<string, unknown>>) => row;
const byId = (rows: Iterable<Readonly<Record<string, unknown>>>) =>
  [...rows].map(settled).toSorted((a, b) => String(a.id).localeCompare(String(b.id)));

/** Waits until the mirror is at the version of the server's wallet, and compares every row. */
async function expectSameAccount(
  mirror: AccountMirror,
  client: SupabaseClient,
  acknowledged: readonly string[],
) {
  const wallet = await client.from('wallets').select().single();
  const positions = await client.from('positions').select();
  expect(wallet.error ?? positions.error).toBeNull();
  await until(() => mirror.isCurrent && mirror.version === wallet.data?.version);
  const { last_updated: _mine, ...mine } = mirror.wallet;
  const { last_updated: _theirs, ...theirs } = wallet.data as Record<string, unknown>;
  expect(mine).toEqual(theirs);
  const ids = (rows: readonly { id?: unknown }[]) => rows.map(({ id }) => id);
  expect(ids(byId(mirror.positions.values()))).toEqual(ids(byId(positions.data ?? [])));
  expect(
    byId(mirror.positions.values()).map(({ status, account_version, margin }) => [
      status,
      account_version,
      margin,
    ]),
  ).toEqual(
    byId(positions.data ?? []).map(({ status, account_version, margin }) => [
      status,
      account_version,
      margin,
    ]),
  );
  expect([...mirror.positions.keys()]).toEqual(expect.arrayContaining([...acknowledged]));
}

test('CALL-13: after a restart under trades the client ends with exactly the server’s account', async () => {
  const server = await startTestServer();
  ending.push(() => server.close());
  server.feed.setPrice('BTCUSDT', '60000');
  const trader = await server.signUpTrader({ balance: 1_000_000 });
  const mirror = new AccountMirror(trader.client, trader.userId);
  await mirror.start();
  await until(() => mirror.isCurrent);
  const trading = trade(trader.client);
  await until(() => trading.acknowledged.length >= 5);
  await server.restart();
  const answered = trading.acknowledged.length;
  await until(() => trading.acknowledged.length >= answered + 5);
  await until(
    () => mirror.statuses.at(-1) === 'SUBSCRIBED' && mirror.statuses.includes('CHANNEL_ERROR'),
    15_000,
  );
  const received = mirror.version;
  await until(() => mirror.version > received + 2);
  await trading.stop();
  await expectSameAccount(mirror, trader.client, trading.acknowledged);
  expect(mirror.reads).toBeGreaterThanOrEqual(2);
});

test('a lost frame shows as a gap in the versions, and the account is read again', async () => {
  const server = await startTestServer();
  ending.push(() => server.close());
  server.feed.setPrice('BTCUSDT', '60000');
  const { email, userId } = await server.signUpTrader();
  let losing = 0;
  /** A link that loses whole frames, which TCP never does by itself. */
  class LossySocket extends WebSocket {
    override emit(event: string | symbol, ...values: unknown[]): boolean {
      const isLost = losing > 0 && event === 'message' && String(values[0]).includes('"postgres_changes"');
      if (isLost) losing -= 1;
      return isLost || super.emit(event, ...values);
    }
  }
  const client = createClient(server.url, server.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: LossySocket as unknown as Transport },
  });
  ending.push(() => client.realtime.disconnect());
  await client.auth.signInWithPassword({ email, password: testPassword });
  const mirror = new AccountMirror(client, userId);
  await mirror.start();
  await until(() => mirror.isCurrent);
  const before = mirror.reads;
  // The position and the wallet of the first order.
  losing = 2;
  const acknowledged: string[] = [];
  for (const p_client_id of ['lost', 'heard']) {
    const { data, error } = await client.rpc('open_position', { ...open, p_client_id });
    expect(error).toBeNull();
    acknowledged.push((data as { id: string }).id);
  }
  await until(() => mirror.reads > before);
  await expectSameAccount(mirror, client, acknowledged);
  expect(losing).toBe(0);
});

test('an account of more positions than one answer holds is copied whole', async () => {
  // Its past is written without the ledger entries that trading would have left.
  const server = await startTestServer({ ledger: 'broken on purpose' });
  ending.push(() => server.close());
  server.feed.setPrice('BTCUSDT', '60000');
  const trader = await server.signUpTrader();
  const owner = new pg.Client({ connectionString: server.databaseUrl });
  await owner.connect();
  ending.push(() => owner.end());
  const past = 1500;
  await owner.query(
    `insert into app.positions (id, user_id, symbol, side, entry_price, size, leverage, margin, liquidation_price,
       close_price, realized_pnl, status, closed_at, close_reason, close_price_source, rules, account_version)
     select gen_random_uuid(), $1, 'BTCUSDT', 'BUY', 60000, 0.001, 10, 6, 54300,
       60000, 0, 'closed', now(), 'manual', 'live', 'standard', 1
     from generate_series(1, $2)`,
    [trader.userId, past],
  );
  const opened = await trader.client.rpc('open_position', open);
  expect(opened.error).toBeNull();
  const mirror = new AccountMirror(trader.client, trader.userId);
  await mirror.start();
  await until(() => mirror.isCurrent);
  expect(mirror.positions.size).toBe(past + 1);
  expect(mirror.positions.get((opened.data as { id: string }).id)).toMatchObject({ status: 'open' });
});

describe('the process', () => {
  const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

  test('CALL-13: after kill -9 under trades the client misses no acknowledged change', async () => {
    const database = await cloneDatabase();
    ending.push(() => database.drop());
    const dataDir = mkdtempSync(join(tmpdir(), 'fulcrum-killed-'));
    ending.push(() => rmSync(dataDir, { recursive: true, force: true }));
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const begin = async (): Promise<ChildProcess> => {
      const child = spawn(process.execPath, [program], {
        env: {
          ...childEnv,
          LOG_LEVEL: 'silent',
          DEMO: 'false',
          SIGNUP_BALANCE: '1000000',
          PORT: String(port),
          DATA_DIR: dataDir,
          DATABASE_URL: database.url,
        },
        stdio: 'ignore',
      });
      ending.push(async () => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.kill('SIGKILL');
        await once(child, 'exit');
      });
      await eventually(async () => expect((await fetch(`${url}/health`)).ok).toBe(true));
      return child;
    };

    const first = await begin();
    const { anonKey } = (await (await fetch(`${url}/config.json`)).json()) as { anonKey: string };
    const client = createClient(url, anonKey, { auth: { persistSession: false, autoRefreshToken: false } });
    ending.push(() => client.realtime.disconnect());
    const { data, error } = await client.auth.signUp({
      email: 'killed@example.test',
      password: testPassword,
      options: { data: { username: 'killed', phone_number: '+12025550100' } },
    });
    expect(error).toBeNull();
    const mirror = new AccountMirror(client, data.user?.id ?? '');
    await mirror.start();
    await until(() => mirror.isCurrent);
    const trading = trade(client);
    await until(() => trading.acknowledged.length >= 5);

    const killed = once(first, 'exit');
    first.kill('SIGKILL');
    await killed;
    await begin();
    const answered = trading.acknowledged.length;
    await until(() => trading.acknowledged.length >= answered + 5);
    await until(() => mirror.statuses.at(-1) === 'SUBSCRIBED' && mirror.statuses.length > 1);
    await trading.stop();
    await expectSameAccount(mirror, client, trading.acknowledged);
    expect(new Set(trading.acknowledged).size).toBe(trading.acknowledged.length);
  });
});
