/** Threat: lists over many accounts are slow; requested many times at once they hold the connections that trading needs. */
import { procedureByName, type SignedIn } from '@fulcrum/contract';
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { createStaff } from '../../src/features/staff/index.ts';
import { createBus } from '../../src/platform/bus/index.ts';
import { realTimers } from '../../src/platform/clock/index.ts';
import type { Database } from '../../src/platform/database/index.ts';
import { testLog } from '../harness/index.ts';
import { noDeletions } from '../trading/database-engine.ts';
import { floor, shareTradingServer, type TestUser, type TradingServer } from '../trading/trading-server.ts';

const requests = 20;

let admins: TestUser[];
let trader: TestUser;
shareTradingServer();
beforeAll(async () => {
  admins = [floor.admin, await floor.addUser('admin'), await floor.addUser('admin')];
  trader = await floor.addUser('trader');
});

test('ADMIN-81, OPEN-01: during sixty lists of three admins, orders succeed and the server reports that it is well', async () => {
  const owner = new pg.Client({ connectionString: floor.databaseUrl });
  // Within one transaction the statistics stand still.
  const observer = new pg.Client({ connectionString: floor.databaseUrl });
  await Promise.all([owner.connect(), observer.connect()]);
  let lists: ReturnType<TradingServer['call']>[] = [];
  try {
    await owner.query('begin');
    // Only wallets are held against it.
    await owner.query('lock table app.checkpoint_balances in access exclusive mode');
    lists = admins.flatMap((admin) =>
      Array.from({ length: requests }, (_, n) => floor.call(admin, 'list_wallets', { p_page: n + 1 })),
    );
    // Three of each, but no more than eight.
    const waiting = async () => {
      const { rows } = await observer.query<{ count: number }>(
        `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows[0]?.count;
    };
    await expect.poll(waiting, { timeout: 20_000 }).toBe(8);
    const { id } = await floor.open(trader);
    expect(await floor.call(trader, 'close_position', { p_position_id: id })).toMatchObject({ status: 200 });
    expect(await floor.wallet(trader)).toMatchObject({ balance: 10_000 });
    expect((await fetch(`${floor.server.url}/health`)).status).toBe(200);
  } finally {
    await Promise.all([owner.end(), observer.end()]);
  }
  const answers = await Promise.all(lists);
  expect(answers.map(({ status }) => status)).toEqual(Array(requests * admins.length).fill(200));
});

/** The database, and the most connections that were held of it at once. */
function counting(db: Database) {
  const held = { now: 0, most: 0 };
  const hold = async <T>(work: () => Promise<T>): Promise<T> => {
    held.now += 1;
    held.most = Math.max(held.most, held.now);
    return work().finally(() => {
      held.now -= 1;
    });
  };
  const counted: Database = {
    ...db,
    query: (...statement) => hold(() => db.query<never>(...statement)),
    transaction: (work) => hold(() => db.transaction(work)),
  };
  return { counted, held };
}

test('X-20: every read of staff within the limiter uses one connection of the pool', async () => {
  const { server, db, clock } = floor;
  const { counted, held } = counting(db);
  let rounds = 0;
  const { procedures } = createStaff({
    ...server,
    backups: () => null,
    processes: () => null,
    identity: server.accounts,
    bus: createBus(testLog),
    deletions: noDeletions,
    config: { signupBalance: 0n },
    classes: { previewJoining: async () => new Map() },
    db: counted,
    reader: counted,
    clock,
    timers: realTimers(clock),
    withReadSlot: (_asker, work) => {
      rounds += 1;
      return work(() => false);
    },
  });
  const caller: SignedIn = {
    role: 'admin',
    userId: floor.admin.id,
    accountId: floor.admin.id,
    actorId: floor.admin.id,
    impersonationId: null,
    sessionId: crypto.randomUUID(),
  };
  const reads = {
    list_users: {},
    find_user_ids: {},
    preview_bulk_action: { p_user_ids: [trader.id], p_action: { kind: 'reset' } },
    quick_search: { p_text: trader.id },
    list_positions: { p_status: 'closed' },
    list_orders: { p_user_id: trader.id },
    list_transactions: { p_user_id: trader.id },
    list_ledger_entries: { p_user_id: trader.id },
    list_wallets: {},
    get_admin_overview: {},
    get_house_metrics: { p_from: null, p_to: null },
    get_platform: {},
  };
  const queries = Object.keys(procedures).filter(
    (name) => procedureByName.get(name)?.kind === 'query' && !(name in server.market.controls),
  );
  expect(new Set(Object.keys(reads))).toEqual(new Set(queries));
  const most: Record<string, number> = {};
  for (const [name, args] of Object.entries(reads)) {
    held.most = 0;
    await procedures[name as keyof typeof reads](caller, args as never);
    most[name] = held.most;
  }
  expect(rounds).toBe(queries.length);
  expect(most).toEqual(Object.fromEntries(queries.map((name) => [name, 1])));
});
