/**
 * The traders of a measurement: many, with far more money than the run can spend, and their earlier trades. Rows are
 * written in bulk past the server, yet so that every invariant of the ledger holds on them.
 */
import type { Queryable } from '../apps/server/src/platform/database/index.ts';
import { type Cluster, withClient } from './cluster.ts';

export interface Measure {
  readonly traders: number;
  /** Unmeasured seconds before the window. */
  readonly warmUpS: number;
  readonly seconds: number;
}

type Writer = Pick<Queryable, 'query'>;

/** Traders, wallets, their deposits, and the one pair of the peers; returns the users' ids. */
export async function addTraders(db: Writer, count: number): Promise<string[]> {
  await db.query(
    `insert into app.trading_pairs (symbol, name, type, base_asset, quote_asset, min_price, max_price, tick_size, min_qty,
                                    max_qty, step_size, trading_hours, sort_order)
     values ('BTCUSDT', 'Bitcoin', 'crypto', 'BTC', 'USDT', 0.01, 1000000, 0.01, 0.00001, 9000, 0.00001, 'UTC|Mon-Sun 00:00-24:00', 0)
     on conflict (symbol) do nothing`,
  );
  const { rows } = await db.query<{ id: string }>(
    `with trader as (
       insert into app.users (email, username, role)
       select 'bench-' || n || '@example.test', 'bench-' || n, 'trader' from generate_series(1, $1::integer) n
       returning id
     ), wallet as (
       insert into app.wallets (user_id, available_balance, version) select id, 1000000000, 1 from trader
       returning id, user_id
     ), deposit as (
       insert into app.transactions (user_id, wallet_id, type, amount, status, completed_at, description)
       select user_id, id, 'deposit', 1000000000, 'completed', now(), 'Initial balance' from wallet
       returning id, user_id
     ), counted as (
       insert into app.daily_totals as t (day, writer, deposits, balance)
       select (now() at time zone 'utc')::date, 'accounts', 1000000000 * count(*), 1000000000 * count(*) from wallet
       on conflict (day, writer) do update
         set deposits = t.deposits + excluded.deposits, balance = t.balance + excluded.balance
     ), booked as (
       insert into app.ledger_entries (group_id, account, user_id, amount, kind, source_id)
       select id, account, case when account = 'user:cash' then user_id end, amount, 'deposit', id
       from deposit, (values ('user:cash', 1000000000), ('external', -1000000000)) as side (account, amount)
     )
     select id from trader`,
    [count],
  );
  return rows.map(({ id }) => id);
}

/** Those that are there already, else `count` new ones. */
export async function tradersOf(db: Writer, count: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from app.users where username like 'bench-%' order by username`,
  );
  return rows.length > 0 ? rows.map(({ id }) => id) : addTraders(db, count);
}

/** Ledger entries of a position that was opened and closed at the same price. */
const entriesPerPosition = 4;

/**
 * What every trader did before: positions that were opened and closed without a result, with their stored answers, the
 * lines of the history and their ledger entries, about `ledgerRows` of these in all.
 */
export async function addHistory(db: Writer, ledgerRows: number): Promise<void> {
  const traders = await tradersOf(db, 0);
  const each = Math.floor(ledgerRows / entriesPerPosition / traders.length);
  // One day ago, so that the day of the run counts the run alone.
  await db.query(
    `create temporary table past as
     select u.id as user_id, w.id as wallet_id, n, gen_random_uuid() as id, gen_random_uuid() as opening,
            gen_random_uuid() as closing, now() - interval '1 day' as at
     from app.users u join app.wallets w on w.user_id = u.id, generate_series(1, $1::integer) n
     where u.username like 'bench-%' order by n, u.id`,
    [each],
  );
  await db.query(
    `insert into app.positions (id, user_id, symbol, side, entry_price, size, leverage, margin, liquidation_price, status,
                                close_price, realized_pnl, close_reason, close_price_source, rules, version,
                                account_version, created_at, updated_at, closed_at)
     select id, user_id, 'BTCUSDT', 'BUY', 65000.12, 0.001, 10, 6.500012, 58825.11, 'closed', 65000.12, 0, 'manual',
            'live', 'standard', 2, 1 + 2 * n, at, at, at
     from past`,
  );
  await db.query(
    `insert into app.ledger_entries (group_id, account, user_id, amount, kind, source_id, created_at)
     select entry.group_id, entry.account, user_id, entry.amount, entry.kind, id, at
     from past cross join lateral (values
       (opening, 'user:cash', -6.500012, 'open'), (opening, 'user:margin', 6.500012, 'open'),
       (closing, 'user:margin', -6.500012, 'close'), (closing, 'user:cash', 6.500012, 'close')
     ) as entry (group_id, account, amount, kind)`,
  );
  await db.query(
    `insert into app.transactions (id, user_id, wallet_id, type, amount, status, created_at, completed_at, description)
     select closing, user_id, wallet_id, 'position_closed', 0, 'completed', at, at, 'Closed BTCUSDT position' from past`,
  );
  await db.query(
    `insert into app.commands (user_id, client_id, procedure, body_hash, answer, created_at)
     select past.user_id, gen_random_uuid(), 'open_position', sha256('past'), to_jsonb(p), at
     from past join app.positions p using (id)`,
  );
  await db.query(
    `insert into app.daily_totals as t (day, writer, volume, opened, closed)
     select (at at time zone 'utc')::date, 'engine', sum(round(65000.12 * 0.001, 8)), count(*), count(*)
     from past group by 1`,
  );
  await db.query(
    `update app.wallets w set version = 1 + 2 * $1::bigint
     from app.users u where u.id = w.user_id and u.username like 'bench-%'`,
    [each],
  );
  await db.query('drop table past');
  await db.query('update app.checkpoints set executions_since = now()');
  await db.query('vacuum analyze');
}

/** A database that traded before, to be copied. */
export async function createHistoryDatabase(
  cluster: Cluster,
  name: string,
  traders: number,
  ledgerRows: number,
): Promise<void> {
  await withClient(await cluster.createDatabase(name), async (client) => {
    await addTraders(client, traders);
    await addHistory(client, ledgerRows);
  });
}
