/** A112: the day of an account with own limits, as the engine and the screen read it: its first equity, and its trades by the rows. */
import { randomUUID } from 'node:crypto';
import { dayMs, hourMs, minuteMs, utcDayStart } from '@fulcrum/domain';
import { beforeEach, expect, test } from 'vitest';
import { accountsQuery } from '../../src/features/trading/engine/rows.ts';
import { floor, shareTradingServer, type TestUser } from '../trading/trading-server.ts';

shareTradingServer();
beforeEach(() => floor.feed.setPrice('BTCUSDT', '100'));

const moveTo = async (instant: number, price: string, trader: TestUser) => {
  floor.clock.set(instant);
  floor.feed.setPrice('BTCUSDT', price);
  await trader.client.auth.refreshSession();
};
const dayOf = async (trader: TestUser) =>
  (await trader.client.rpc('get_own_limits').throwOnError()).data.day ?? null;
const nextMidnight = () => utcDayStart(floor.clock.now()) + dayMs;

test('the first equity of a day is the same for all readers, whenever they read it', async () => {
  const trader = await floor.addUser('trader');
  await moveTo(nextMidnight() + 12 * hourMs, '100', trader);
  await floor.open(trader);
  await trader.client.rpc('set_own_limits', { p_daily_loss: 5 }).throwOnError();
  const midnight = nextMidnight();
  const snapshot = (at: number, equity: number) =>
    floor.db.query(
      'insert into app.equity_snapshots (user_id, at, balance, equity) values ($1, $2, 10000, $3)',
      [trader.id, new Date(at), equity],
    );
  await snapshot(midnight - hourMs, 10_000);
  // The engine reads the account before the snapshot of midnight is written.
  await moveTo(midnight + 10_000, '96', trader);
  const order = { type: 'LIMIT', side: 'BUY', symbol: 'BTCUSDT', size: 1, price: 50, leverage: 10 };
  await trader.client
    .from('orders')
    .insert({ ...order, user_id: trader.id })
    .throwOnError();
  await snapshot(midnight + 40_000, 9996);
  await moveTo(midnight + minuteMs, '94.9', trader);
  // Until it counts, the last one of the day before does, for the engine and the screen.
  expect(await dayOf(trader)).toMatchObject({ first_equity: 10_000, loss: 5.1 });
  const args = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 1, p_leverage: 10 };
  expect((await floor.call(trader, 'open_position', args)).code).toBe('own_limit_reached');
  await moveTo(midnight + 2 * minuteMs, '91.1', trader);
  expect(await dayOf(trader)).toMatchObject({ first_equity: 9996, loss: 4.9 });
  expect((await floor.call(trader, 'open_position', args)).code).toBeUndefined();
  await floor.restart();
  await moveTo(midnight + 3 * minuteMs, '91.1', trader);
  expect(await dayOf(trader)).toMatchObject({ first_equity: 9996, loss: 4.9, trades: 1 });
  expect((await floor.call(trader, 'open_position', args)).code).toBeUndefined();
  await moveTo(midnight + 4 * minuteMs, '91', trader);
  expect((await floor.call(trader, 'open_position', args)).code).toBe('own_limit_reached');
});

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}
/** Rows that the busiest node of the plan has gone through. */
const mostRows = (node: PlanNode): number => {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  const own = (node['Actual Rows'] + removed) * node['Actual Loops'];
  return Math.max(own, ...(node.Plans ?? []).map(mostRows));
};

test('the trades of a day are counted in one pass, also of thousands; one that was begun before it is none', async () => {
  const trader = await floor.addUser('trader');
  await trader.client.rpc('set_own_limits', { p_trades_max: 1000 }).throwOnError();
  await moveTo(nextMidnight() + hourMs, '100', trader);
  const start = utcDayStart(floor.clock.now());
  const addFills = (from: number, orders: readonly string[]) =>
    floor.db.query(
      `insert into app.executions (id, user_id, order_id, position_id, symbol, side, size, value, price, mid, liquidity, fee, spread_cost,
         impact_cost, latency_cost, created_at)
       select gen_random_uuid(), $1, o, gen_random_uuid(), 'BTCUSDT', 'BUY', 1, 100, 100, 100, 'maker', 0, 0, 0, 0,
         $2::timestamptz + n * interval '100 ms'
       from unnest($3::uuid[]) with ordinality as u (o, n)`,
      [trader.id, new Date(from), orders],
    );
  const ids = (count: number) => Array.from({ length: count }, () => randomUUID());
  const begun = randomUUID();
  const placed = randomUUID();
  await floor.db.query(
    `insert into app.orders (id, user_id, symbol, type, side, price, size, leverage, status, reserved, rules, time_in_force, filled_size,
       filled_value, position_id, created_at, updated_at, version, account_version)
     select o, $1, 'BTCUSDT', 'LIMIT', 'BUY', 100, 10, 10, 'PARTIALLY_FILLED', 0, 'perpetual', 'GTC', 2, 200, gen_random_uuid(), $2, $2, 1, 1
     from unnest($3::uuid[]) o`,
    [trader.id, new Date(start - 3 * dayMs), [begun, placed]],
  );
  await addFills(start - 2 * dayMs, [begun]);
  await addFills(start - 20 * hourMs, ids(5000));
  await addFills(start, [...ids(5000), begun, placed, placed]);
  expect((await dayOf(trader))?.trades).toBe(5001);

  const plan = await floor.db.transaction(async (tx) => {
    // As the engine's own session has it.
    await tx.query('set local plan_cache_mode = force_generic_plan');
    for (const setting of ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin'])
      await tx.query(`set local ${setting} = off`);
    const { rows } = await tx.query<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
      `explain (analyze, format json) ${accountsQuery}`,
      [[trader.id], new Date(floor.clock.now())],
    );
    return rows[0]!['QUERY PLAN'][0]!.Plan;
  });
  expect(mostRows(plan)).toBeLessThan(20_000);
  // They have no positions, which the proof of the ledger misses.
  await floor.db.query('delete from app.orders where user_id = $1', [trader.id]);
});
