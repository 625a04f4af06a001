/** Who trades in a measurement: many traders with far more money than the run can spend. */
import type { Queryable } from '../apps/server/src/platform/database/index.ts';

export interface Measure {
  readonly traders: number;
  /** Unmeasured seconds before the window. */
  readonly warmUpS: number;
  readonly seconds: number;
}

/** Traders, wallets, their deposits, and the one pair of the peers; returns the users' ids. */
export async function addTraders(db: Pick<Queryable, 'query'>, count: number): Promise<string[]> {
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
