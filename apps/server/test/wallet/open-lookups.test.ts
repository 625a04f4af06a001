/** The ledger checks of an account cost by its own rows, also with statistics from a time when nothing was open. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { invariants } from '../../src/features/wallet/invariants.ts';
import { accountsPage } from '../../src/features/wallet/scope.ts';
import { createTestDatabase, type TestDatabase } from '../harness/index.ts';

const accounts = 200;
const openEach = 20;
let db: TestDatabase;

const addPositions = (status: 'open' | 'closed', each: number) =>
  db.asOwner(
    `insert into app.positions (id, user_id, symbol, side, entry_price, size, leverage, margin, liquidation_price, status,
                                close_price, realized_pnl, close_reason, close_price_source, rules, version,
                                account_version, created_at, updated_at, closed_at)
     select gen_random_uuid(), u.id, 'BTCUSDT', 'BUY', 100, 1, 10, 10, 90, $1::text, v.price, v.pnl, v.reason, v.source,
            'standard', 1, 1, v.at, v.at, v.closed_at
     from app.users u, generate_series(1, $2::integer) n,
          lateral (select now() - n * interval '1 minute' as at) made,
          lateral (select at, case $1 when 'closed' then at end as closed_at, case $1 when 'closed' then 100 end as price,
                          case $1 when 'closed' then 0 end as pnl, case $1 when 'closed' then 'manual' end as reason,
                          case $1 when 'closed' then 'live' end as source) v`,
    [status, each],
  );

beforeAll(async () => {
  db = await createTestDatabase();
  await db.asOwner(
    `insert into app.trading_pairs (symbol, name, type, base_asset, quote_asset, min_price, max_price, tick_size, min_qty,
                                    max_qty, step_size, trading_hours, sort_order)
     values ('BTCUSDT', 'Bitcoin', 'crypto', 'BTC', 'USDT', 0.01, 1000000, 0.01, 0.00001, 9000, 0.00001, 'UTC|Mon-Sun 00:00-24:00', 0)
     on conflict do nothing`,
  );
  await db.asOwner(
    `with trader as (
       insert into app.users (email, username, role)
       select 'trader-' || n || '@example.test', 'trader-' || n, 'trader' from generate_series(1, ${accounts}) n returning id)
     insert into app.wallets (user_id, margin, version) select id, ${openEach * 10}, 1 from trader`,
  );
  await addPositions('closed', 50);
  await db.asOwner('vacuum analyze app.positions');
  await db.asOwner('analyze');
  await addPositions('open', openEach);
});
afterAll(() => db.close());

const planOf = async (statement: string, values: readonly unknown[]) => {
  const rows = await db.asOwner(`explain (analyze, timing off, costs off, buffers) ${statement}`, values);
  const plan = rows.map((row) => String(row['QUERY PLAN'])).join('\n');
  return { plan, pages: Number(/shared hit=(\d+)/.exec(plan)?.[1] ?? 0) };
};

test('ENG-7: locked margin is compared account by account, without reading all users’ open positions for each', async () => {
  const locked = invariants.find(({ number }) => number === 3)!;
  const first = '00000000-0000-0000-0000-000000000000';
  const { plan, pages } = await planOf(`select offender from (${locked.query(accountsPage)}) found`, [
    first,
    null,
  ]);
  expect(plan).not.toContain('positions_all_open');
  // A few of the index and one for each position; over all users' positions it was forty times as much.
  expect(pages).toBeLessThan(accounts * (openEach + 10));
});

test('ENG-7: an account is read by its own open positions', async () => {
  const [user] = await db.asOwner('select id from app.users limit 1');
  const { plan } = await planOf(
    `select coalesce(sum(p.margin), 0) from app.positions p where p.user_id = $1 and p.status = 'open'`,
    [user!.id],
  );
  expect(plan).toContain('positions_open');
  expect(plan).not.toContain('positions_all_open');
});
