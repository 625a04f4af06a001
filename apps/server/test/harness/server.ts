/**
 * The whole server on a free port with a database of its own, prices under the test's control, and the official client.
 * Only external systems are replaced.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import type { CommandLogEntry } from '../../src/features/trading/index.ts';
import { checkInvariants } from '../../src/features/wallet/index.ts';
import type { Clock, Timers } from '../../src/platform/clock/index.ts';
import { type Config, loadConfig } from '../../src/platform/config/index.ts';
import type { Database } from '../../src/platform/database/index.ts';
import type { Log } from '../../src/platform/log/index.ts';
import type { Outbound } from '../../src/platform/outbound/index.ts';
import type { RunningServer } from '../../src/server.ts';
import { cloneDatabase, testLog } from './database.ts';
import { createManualFeed, type ManualFeed } from './feed.ts';
import { freePort } from './free-port.ts';
import { testLanes } from './lanes.ts';

export interface Trader {
  readonly client: SupabaseClient;
  readonly userId: string;
  readonly email: string;
  readonly password: string;
}

export interface TestServer {
  readonly url: string;
  readonly anonKey: string;
  /** The server's own pool: the restricted role. */
  readonly db: Database;
  readonly server: RunningServer;
  readonly feed: ManualFeed;
  /** DATABASE_URL of the server, as the owner. */
  readonly databaseUrl: string;
  /** A client without a session that shares nothing with another one. */
  client(): SupabaseClient;
  /** For one of the accounts of that user, by a token of its own. */
  clientIn(user: SupabaseClient, accountId: string): Promise<SupabaseClient>;
  /** Registers a trader through the public sign-up; the start balance is `SIGNUP_BALANCE`, or `balance` in USDT. */
  signUpTrader(options?: { balance?: number | string }): Promise<Trader>;
  /** Stops the server and starts it again on the same port, database and data directory, with `changed` settings. */
  restart(changed?: Partial<Config>): Promise<void>;
  /** Stops the server and verifies its ledger. @throws when an invariant does not hold. */
  close(): Promise<void>;
}

export interface TestServerOptions {
  /** Values of the configuration that differ from the defaults of a test: no demo, start balance 10000 USDT. */
  readonly config?: Partial<Config>;
  readonly clock?: Clock;
  /** What the market waits by, and the clock of the rest too where that is left out. */
  readonly timers?: Timers;
  /** The way to the providers of prices, which a test counts. */
  readonly outbound?: Outbound;
  /** Null starts the configured feed instead of the manual one. */
  readonly feed?: ManualFeed | null;
  /** Folder of a built web app in place of the project's own, which may not be built. */
  readonly webRoot?: string;
  /** Gets what the engine decides, as `auditCommandLog` reads it. */
  readonly commandLog?: (entry: CommandLogEntry) => void;
  /** For a test that reads the lines of the log. */
  readonly log?: Log;
  /** For a test that writes rows past the ledger; the others verify all invariants when they close. */
  readonly ledger?: 'broken on purpose';
}

export const testPassword = 'correct-horse-battery-9';
/** The least that argon2 takes. The tests of the hash, of the sign-in and of whole processes have the real cost. */
const passwordCost = { memoryCost: 8, timeCost: 1 };

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  // Imported here, so that a test of the database alone needs no server.
  const { startServer } = await import('../../src/server.ts');
  const database = await cloneDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'fulcrum-server-'));
  const clock = options.clock ?? options.timers;
  const feed = options.feed ?? createManualFeed(clock && (() => clock.now()));
  const config: Config = {
    ...loadConfig({ DEMO: 'false', SIGNUP_BALANCE: '10000' }),
    // Its own, so that `restart` finds it free.
    port: await freePort(),
    dataDir,
    databaseUrl: database.url,
    engineLanes: testLanes,
    ...options.config,
  };
  const overrides = {
    log: options.log ?? testLog,
    passwordCost,
    ...(options.feed === null ? {} : { feed }),
    ...(options.clock ? { clock: options.clock } : {}),
    ...(options.timers ? { timers: options.timers } : {}),
    ...(options.outbound ? { outbound: options.outbound } : {}),
    ...(options.commandLog ? { commandLog: options.commandLog } : {}),
    ...(options.webRoot === undefined ? {} : { webRoot: options.webRoot }),
  };
  const discard = async () => {
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  let server: RunningServer;
  try {
    server = await startServer(config, overrides);
  } catch (error) {
    await discard();
    throw error;
  }
  const clients = new Set<SupabaseClient>();
  const { url } = server;
  const client = () => {
    const made = createClient(url, server.secrets.anonKey, {
      auth: { persistSession: false, autoRefreshToken: false, storageKey: `test-${randomUUID()}` },
    });
    clients.add(made);
    return made;
  };
  return {
    url,
    anonKey: server.secrets.anonKey,
    get db() {
      return server.db;
    },
    get server() {
      return server;
    },
    feed,
    databaseUrl: database.url,
    client,
    clientIn: async (user, accountId) => {
      const { data } = await user.rpc('account_token', { p_account_id: accountId }).throwOnError();
      return createClient(url, server.secrets.anonKey, { accessToken: async () => data.access_token });
    },
    signUpTrader: (more = {}) => signUpTrader(client(), server.db, more.balance),
    restart: async (changed = {}) => {
      await server.close();
      server = await startServer({ ...config, ...changed }, overrides);
    },
    close: async () => {
      for (const open of clients) {
        await open.removeAllChannels();
        await open.realtime.disconnect();
      }
      await server.close();
      try {
        if (options.ledger !== 'broken on purpose') await proveLedger(database.url);
      } finally {
        await discard();
      }
    },
  };
}

/** Of the file that calls `shareTestServer`, for all of its tests. */
export let server: TestServer;

export function shareTestServer(options?: TestServerOptions): void {
  beforeAll(async () => {
    server = await startTestServer(options);
  });
  afterAll(() => server.close());
}

/** @throws Error that names what does not hold. */
async function proveLedger(databaseUrl: string): Promise<void> {
  const session = new pg.Client({ connectionString: databaseUrl });
  await session.connect();
  try {
    const { violations } = await checkInvariants({
      query: async <Row>(text: string, values: readonly unknown[] = []) => {
        const { rows, rowCount } = await session.query(text, [...values]);
        return { rows: rows as Row[], rowCount: rowCount ?? 0 };
      },
    });
    if (violations.length === 0) return;
    const lines = violations.map(({ number, invariant, detail }) => `${number}. ${invariant}: ${detail}`);
    throw new Error(`the ledger violates an invariant after this test\n${lines.join('\n')}`);
  } finally {
    await session.end();
  }
}

async function signUpTrader(
  client: SupabaseClient,
  db: Database,
  balance?: number | string,
): Promise<Trader> {
  const name = `trader-${randomUUID().slice(0, 13)}`;
  const email = `${name}@example.test`;
  const { data, error } = await client.auth.signUp({
    email,
    password: testPassword,
    options: { data: { username: name, phone_number: '+12025550100' } },
  });
  if (error) throw error;
  if (!data.user) throw new Error('sign-up answered without a user');
  if (balance !== undefined) await setBalance(db, data.user.id, String(balance));
  return { client, userId: data.user.id, email, password: testPassword };
}

/**
 * Books the difference to the wanted balance as a second start balance, before the trader's first order: the engine takes
 * the account over when it first needs it.
 */
async function setBalance(db: Database, userId: string, balance: string): Promise<void> {
  await db.transaction(async (tx) => {
    const { rows } = await tx.query<{ id: string; change: string }>(
      `with old as (select id, available_balance from app.wallets where user_id = $1 for no key update)
       update app.wallets w set available_balance = $2::numeric, version = w.version + 1, last_updated = now()
       from old where w.id = old.id returning w.id, $2::numeric - old.available_balance as change`,
      [userId, balance],
    );
    const [wallet] = rows;
    if (!wallet) throw new Error(`trader ${userId} has no wallet`);
    if (Number(wallet.change) === 0) return;
    const kind = Number(wallet.change) > 0 ? 'deposit' : 'withdrawal';
    await tx.query(
      `with line as (
         insert into app.transactions (id, user_id, wallet_id, type, amount, status, completed_at, description)
         values ($1, $2, $3, $4, $5::numeric, 'completed', now(), 'Initial balance')
       ), counted as (
         insert into app.daily_totals as t (day, writer, ${kind}s, balance)
         values ((now() at time zone 'utc')::date, 'accounts', $5::numeric, $5::numeric)
         on conflict (day, writer) do update
           set ${kind}s = t.${kind}s + excluded.${kind}s, balance = t.balance + excluded.balance
       )
       insert into app.ledger_entries (group_id, account, user_id, amount, kind, source_id)
       values ($1, 'user:cash', $2, $5::numeric, $4, $1), ($1, 'external', null, -$5::numeric, $4, $1)`,
      [randomUUID(), userId, wallet.id, kind, wallet.change],
    );
  });
}
