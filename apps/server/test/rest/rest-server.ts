/**
 * `/rest/v1` alone on a real socket and a real database: callers are named by plain tokens, procedures are the test's
 * own, and the client is the official one.
 */
import { AppError, type Caller, procedures, type UserRole } from '@fulcrum/contract';
import type { Database as Types } from '@fulcrum/contract/database';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import fastify from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import { createBus } from '../../src/platform/bus/index.ts';
import { systemClock } from '../../src/platform/clock/index.ts';
import type { Database } from '../../src/platform/database/index.ts';
import type { Log } from '../../src/platform/log/index.ts';
import { createAdmission, type RateLimits } from '../../src/protocols/admission.ts';
import { type Procedures, registerRest, type Writes } from '../../src/protocols/rest/index.ts';
import { createTestDatabase, testLog } from '../harness/index.ts';
import { createSamples, tablesWithSamples } from './samples.ts';

export const anonKey = 'sb_publishable_rest_test';
const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** Everybody the tests know. `alice` is assigned to `mona`, `bob` to nobody. */
export const namedUsers = {
  alice: { id: uuid(1), role: 'trader' },
  bob: { id: uuid(2), role: 'trader' },
  mona: { id: uuid(3), role: 'manager' },
  sam: { id: uuid(4), role: 'support' },
  ada: { id: uuid(5), role: 'admin' },
} as const satisfies Record<string, { id: string; role: UserRole }>;
export type UserName = keyof typeof namedUsers;
const isUserName = (name: string): name is UserName => Object.hasOwn(namedUsers, name);
/** The token of `ada` while she views as somebody. */
export const impersonating = (user: UserName): string => `ada as ${user}`;

function callerOf({ authorization, apikey }: { authorization?: string; apikey?: string }): Caller {
  if (apikey !== anonKey) throw new AppError('not_signed_in', 'Invalid API key');
  const name = authorization?.replace(/^Bearer /, '') ?? anonKey;
  if (name === anonKey) return { role: 'anon' };
  const [actor, user] = name.split(' as ');
  if (actor === 'ada' && user !== undefined && isUserName(user)) {
    const { id, role } = namedUsers[user];
    return {
      role,
      userId: id,
      accountId: id,
      actorId: namedUsers.ada.id,
      sessionId: namedUsers.ada.id,
      impersonationId: uuid(900),
    };
  }
  if (!isUserName(name)) throw new AppError('not_signed_in', 'The access token is invalid or has expired.');
  const { id, role } = namedUsers[name];
  return { role, userId: id, accountId: id, actorId: id, sessionId: id, impersonationId: null };
}

async function seed(db: Awaited<ReturnType<typeof createTestDatabase>>): Promise<void> {
  for (const [name, { id, role }] of Object.entries(namedUsers)) {
    await db.query(
      `insert into app.users (id, email, username, role, manager_id) values ($1, $2, $3, $4, $5)`,
      [id, `${name}@example.test`, name, role, null],
    );
    if (role !== 'trader') continue;
    await db.query(
      `insert into app.wallets (user_id, available_balance, margin) values ($1, 9000.5, 999.5)`,
      [id],
    );
  }
  await db.query(`update app.users set manager_id = $1 where id = $2`, [
    namedUsers.mona.id,
    namedUsers.alice.id,
  ]);
  await db.query(
    `insert into app.trading_pairs (symbol, name, type, base_asset, quote_asset, min_price, max_price, tick_size,
       min_qty, max_qty, step_size, trading_hours, sort_order)
     values ('BTCUSDT', 'Bitcoin', 'crypto', 'BTC', 'USDT', 0.01, 1000000, 0.01, 0.00001, 9000, 0.00001, '24/7', 1),
            ('EUR/USD', 'Euro', 'forex', 'EUR', 'USD', 0.1, 10, 0.00001, 1, 10000000, 1, '24/5', 2)
     on conflict (symbol) do nothing`,
  );
  for (const [n, { id }] of [namedUsers.alice, namedUsers.bob].entries()) {
    await db.query(
      `insert into app.positions (id, user_id, symbol, side, entry_price, size, leverage, margin, liquidation_price,
         status, rules, account_version, created_at)
       values ($1, $2, 'BTCUSDT', 'BUY', 100.5, 0.1, 10, 1.005, 90.45, 'open', 'standard', 1, '2026-11-21T08:00:00.123456Z')`,
      [uuid(100 + n), id],
    );
    await db.query(
      `insert into app.transactions (user_id, type, amount, status, created_at)
       select $1, 'deposit', 10000, 'completed', timestamptz '2026-11-01' + n * interval '1 minute' from generate_series(1, 3) n`,
      [id],
    );
    // The later the order, the earlier in the list: NEW was placed last.
    for (const [minute, status] of (['CANCELED', 'REJECTED', 'NEW'] as const).entries()) {
      await db.query(
        `insert into app.orders (id, user_id, symbol, type, side, price, size, leverage, reserved, rules, status, reason,
           version, account_version, created_at, updated_at)
         values ($1, $2, 'BTCUSDT', 'LIMIT', 'BUY', 99.5, 0.1, 10, case $3 when 'NEW' then 0.995 else 0 end, 'standard',
           $3, case $3 when 'REJECTED' then 'Insufficient balance' end, 1, 1, $4, $4)`,
        [uuid(200 + 10 * n + minute), id, status, `2026-11-21T08:0${minute}:00Z`],
      );
    }
    for (const [minute, kind] of ['margin_warning', 'stop_loss'].entries()) {
      await db.query(
        `insert into app.notifications (id, user_id, kind, message, symbol, position_id, created_at)
         values ($1, $2, $3, 'reported', 'BTCUSDT', $4, $5)`,
        [uuid(300 + 10 * n + minute), id, kind, uuid(100 + n), `2026-11-21T08:0${minute}:00Z`],
      );
    }
    await db.query(
      `insert into app.equity_snapshots (user_id, at, balance, equity)
       select $1, timestamptz '2026-11-21 08:00Z' + n * interval '1 hour', 10000, 10000 + n * 0.00000001
       from generate_series(1, 3) n`,
      [id],
    );
  }
}

export const positionOf = { alice: uuid(100), bob: uuid(101) };
/** Orders that wait. */
export const orderOf = { alice: uuid(202), bob: uuid(212) };
/** Each has two notifications; these are the first. */
export const notificationOf = { alice: uuid(300), bob: uuid(310) };

const unusedProcedures = Object.fromEntries(
  procedures.map(({ name }) => [
    name,
    async () => {
      throw new Error(`this test does not call ${name}`);
    },
  ]),
) as unknown as Procedures;

const unusedCommand = async (): Promise<never> => {
  throw new Error('this test writes nothing by command');
};
const unusedWrites: Writes = {
  'users.insert': unusedCommand,
  'users.update': unusedCommand,
  'wallets.insert': unusedCommand,
  'positions.update': unusedCommand,
  'orders.insert': unusedCommand,
  'orders.update': unusedCommand,
  'transactions.insert': unusedCommand,
  'kyc_verifications.insert': unusedCommand,
  'kyc_verifications.update': unusedCommand,
  'chat_sessions.insert': unusedCommand,
  'chat_sessions.update': unusedCommand,
  'chat_sessions.delete': unusedCommand,
  'chat_messages.insert': unusedCommand,
  'chat_messages.update': unusedCommand,
  'support_details.update': unusedCommand,
  'contact_forms.open insert': unusedCommand,
  'contact_forms.update': unusedCommand,
};
/** Tests ask faster than anybody. */
const unlimited: RateLimits = {
  requestsOfUser: { burst: 1_000_000, perSecond: 1_000_000 },
  requestsOfAddress: { burst: 1_000_000, perSecond: 1_000_000 },
};

/** These tests are about tokens; `test/api-keys` is about keys. */
export const noApiKeys = { find: async () => null, markUsed: () => undefined } as const;

export interface RestServerOptions {
  readonly procedures?: Partial<Procedures>;
  readonly writes?: Writes;
  readonly log?: Log;
  readonly limits?: RateLimits;
  /** Sees every statement on its way to PostgreSQL. */
  readonly onStatement?: (text: string, values: readonly unknown[]) => void;
}

/** The database with an ear on every query, inside and outside of transactions. */
function overheard(db: Database, listen: NonNullable<RestServerOptions['onStatement']>): Database {
  return {
    ...db,
    query: (text, values, name) => {
      listen(text, values ?? []);
      return db.query(text, values, name);
    },
    transaction: (work) =>
      db.transaction((tx) =>
        work({
          query: (text, values, name) => {
            listen(text, values ?? []);
            return tx.query(text, values, name);
          },
        }),
      ),
  };
}

export async function startRestServer(options: RestServerOptions = {}) {
  const db = await createTestDatabase();
  await createSamples(db);
  await seed(db);
  const app = fastify();
  const bus = createBus(testLog);
  await registerRest(app, {
    bus,
    clock: systemClock,
    db: options.onStatement ? overheard(db, options.onStatement) : db,
    identity: { callerOf },
    apiKeys: noApiKeys,
    procedures: { ...unusedProcedures, ...options.procedures },
    writes: { ...unusedWrites, ...options.writes },
    tables: tablesWithSamples,
    admission: createAdmission(options.limits ?? unlimited),
    log: options.log ?? testLog,
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    db,
    bus,
    /** The official client of a user, or an anonymous one. */
    as: (user: UserName | null): SupabaseClient<Types> =>
      createClient<Types>(url, anonKey, {
        db: { retry: false },
        ...(user === null ? {} : { accessToken: async () => user }),
      }),
    /** The official client of any token, without types: for tables that only tests declare. */
    withToken: (token: string): SupabaseClient =>
      createClient(url, anonKey, { db: { retry: false }, accessToken: async () => token }),
    fetch: (path: string, init: RequestInit = {}, user: UserName | null = 'alice') =>
      fetch(`${url}/rest/v1/${path}`, {
        ...init,
        headers: {
          apikey: anonKey,
          ...(user === null ? {} : { authorization: `Bearer ${user}` }),
          ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...init.headers,
        },
      }),
    close: async () => {
      await app.close();
      await db.close();
    },
  };
}
export type RestServer = Awaited<ReturnType<typeof startRestServer>>;

/** Of the file that calls `shareRestServer`, for all of its tests. */
export let server: RestServer;

export function shareRestServer(...options: Parameters<typeof startRestServer>): void {
  beforeAll(async () => {
    server = await startRestServer(...options);
  });
  afterAll(() => server.close());
}
