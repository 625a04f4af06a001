/**
 * An upgrade with open positions: a day's rows of every kind, stored under the schema of an earlier release, are brought to the
 * present one by the start of this release. Its migrations are those of that release, unchanged.
 */
import type { PositionRow } from '@fulcrum/contract';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { checkInvariants } from '../../src/features/wallet/index.ts';
import { prepare } from '../../src/platform/database/index.ts';
import { migrate, readMigrations } from '../../src/platform/database/migrations.ts';
import {
  type ClonedDatabase,
  cloneDatabase,
  createTestDatabase,
  type TestDatabase,
  testLog,
} from '../harness/index.ts';
import { openEngineWithFees, spendDay } from '../wallet/day.ts';
import { type EngineSetup, engineConfig, openEngine, type Trader, usdt } from './database-engine.ts';

let before: EngineSetup;
let trader: Trader;
let opened: PositionRow;
let closed: PositionRow;
const [openedAs, closedAs] = ['the open', 'the close'];
const cleanups: (() => Promise<unknown>)[] = [];

const inUse = `
  select (select count(*)::int from app.positions where status = 'open') as positions,
         (select count(*)::int from app.orders where status = 'NEW') as orders,
         (select count(*)::int from app.users) as users`;

beforeAll(async () => {
  before = await openEngineWithFees();
  trader = await spendDay(before, async () => undefined);
  opened = await before.open(trader, { p_client_id: openedAs });
  closed = await before.close(trader, (await before.open(trader)).id, closedAs);
  await before.trading.stop();
});
afterAll(() => before.dispose());
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function asOwner<T>({ url }: Pick<ClonedDatabase, 'url'>, work: (owner: pg.Client) => Promise<T>) {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  try {
    return await work(owner);
  } finally {
    await owner.end();
  }
}

interface TableColumns {
  readonly table: string;
  readonly columns: readonly string[];
}
const columnsQuery = `
  select c.table_name as table, array_agg(c.column_name::text order by c.ordinal_position) as columns
  from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
  where c.table_schema = 'app' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER' group by 1`;

/** Every row that the earlier schema has a table for, with the columns that it has. */
async function copyRows(from: pg.Client, to: pg.Client): Promise<void> {
  const { rows: known } = await from.query<TableColumns>(columnsQuery);
  const { rows: tables } = await to.query<TableColumns>(columnsQuery);
  // In any order, and without what triggers would add.
  await to.query(`set session_replication_role = replica`);
  for (const { table, columns } of tables) {
    const source = known.find((other) => other.table === table);
    const shared = columns.filter((column) => source?.columns.includes(column));
    if (shared.length === 0) continue;
    const list = shared.map((column) => `"${column}"`).join(', ');
    // An earlier release has one writer of the totals for all engines.
    const rows =
      table === 'daily_totals'
        ? `select ${shared.map((column) => totalsColumn(column)).join(', ')} from app.daily_totals group by 1, 2`
        : `select ${list} from app."${table}"`;
    // As text: a number of JavaScript does not hold every figure.
    const { rows: read } = await from.query<{ all: string }>(
      `select coalesce(json_agg(t), '[]')::text as all from (${rows}) t`,
    );
    await to.query(`delete from app."${table}"`);
    await to.query(
      `insert into app."${table}" (${list}) overriding system value
       select ${list} from json_populate_recordset(null::app."${table}", $1)`,
      [read[0]?.all],
    );
  }
  await to.query(`set session_replication_role = origin`);
  const { rows: counted } = await to.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'app' and is_identity = 'YES'`,
  );
  for (const { table, column } of counted)
    await to.query(
      `select setval(pg_get_serial_sequence('app.${table}', '${column}'), max(${column}))
       from app.${table} having max(${column}) is not null`,
    );
}

function totalsColumn(column: string): string {
  if (column === 'day') return 'day';
  if (column === 'writer') return `case when writer like 'engine%' then 'engine' else writer end as writer`;
  return `sum(${column}) as ${column}`;
}

/** The day in a database of that release, upgraded by this one. */
async function upgradedFrom(last: string): Promise<TestDatabase> {
  const earlier = await cloneDatabase('template0');
  cleanups.push(() => earlier.drop());
  const migrations = readMigrations();
  const released = migrations.slice(0, migrations.findIndex(({ name }) => name === last) + 1);
  expect(released.length).toBeGreaterThan(10);
  await asOwner(earlier, async (owner) => {
    await migrate(owner, released, testLog);
    await asOwner(before.db, (from) => copyRows(from, owner));
    expect((await owner.query(`select to_regclass('app.trading_accounts') as accounts`)).rows).toEqual([
      { accounts: null },
    ]);
    await prepare(owner, 'logs in', testLog);
  });
  const upgraded = await createTestDatabase(earlier.name);
  cleanups.push(() => upgraded.close());
  return upgraded;
}

const releases = [
  ['4c666ef, the first whole version', '0018_house_days_follow.sql'],
  ['the last release without trading accounts', '0041_chat_triage.sql'],
] as const;

test.each(releases)(
  'A112: a database of %s is upgraded with open positions, waiting orders and stored answers',
  async (_release, last) => {
    const stored = (await before.db.query<Record<string, number>>(inUse)).rows;
    expect(stored[0]).toMatchObject({ positions: expect.any(Number), orders: expect.any(Number) });
    expect(stored[0]?.positions).toBeGreaterThan(3);
    expect(stored[0]?.orders).toBeGreaterThan(2);

    const db = await upgradedFrom(last);
    expect((await db.query(inUse)).rows).toEqual(stored);
    expect(await checkInvariants(db)).toMatchObject({ ok: true, violations: [] });
    const { rows: accounts } = await db.query(
      `select count(*)::int as mains from app.trading_accounts a join app.users u on u.id = a.id
       where a.owner_id = u.id and a.kind = 'main'`,
    );
    expect(accounts).toEqual([{ mains: stored[0]?.users }]);

    const desk = await openEngine({ config: { ...engineConfig, tradingFeeRate: usdt('0.0006') }, db });
    cleanups.push(() => desk.dispose());
    desk.clock.set(Date.parse('2026-11-21T18:00:00Z'));
    expect(desk.trading.state().halted).toBeNull();

    // What was answered before is answered the same, and nothing is done again.
    expect(await desk.open(trader, { p_client_id: openedAs })).toEqual(opened);
    expect(await desk.close(trader, closed.id, closedAs)).toEqual(closed);
    const other = desk.close(trader, opened.id, closedAs);
    await expect(other).rejects.toMatchObject({ code: 'idempotency_conflict' });
    expect((await db.query(inUse)).rows).toEqual(stored);

    // The waiting orders fill where the price reaches them; everything else is closed.
    for (const price of ['89', '79', '100']) {
      desk.tick('BTCUSDT', price);
      await desk.settle();
    }
    const { rows: open } = await db.query<{ id: string; owner: string }>(
      `select id, user_id as owner from app.positions where status = 'open'`,
    );
    expect(open.length).toBeGreaterThan(0);
    for (const { id, owner } of open) {
      const caller = { ...trader.caller, userId: owner, accountId: owner, actorId: owner };
      const ended = await desk.close({ userId: owner, caller }, id);
      expect(ended).toMatchObject({ status: 'closed', user_id: owner, close_price: 100 });
    }
    expect((await db.query(inUse)).rows).toMatchObject([{ positions: 0 }]);
    expect(await checkInvariants(db)).toMatchObject({ ok: true, violations: [] });
  },
);
