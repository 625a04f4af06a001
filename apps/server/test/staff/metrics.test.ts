/** Metrics of all users by day, with the official client against the real server. */
import type { Database } from '@fulcrum/contract/database';
import { dayMs } from '@fulcrum/domain';
import type { SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countFinishedDays } from '../../src/features/staff/metrics/finished-days.ts';
import { startUserServer, type TestUser } from '../identity/user-server.ts';

type Server = Awaited<ReturnType<typeof startUserServer>>;
type Args = Database['public']['Functions']['get_house_metrics']['Args'];

const of = ({ client }: TestUser) => client as SupabaseClient<Database>;

let server: Server;
let admin: TestUser;
let zoe: TestUser;
let kaito: TestUser;

beforeAll(async () => {
  server = await startUserServer();
  server.feed.setPrice('BTCUSDT', '50000');
  admin = await server.addUser('admin');
  [zoe, kaito] = await Promise.all([server.addUser('trader'), server.addUser('trader')]);
});
afterAll(() => server.close());

async function metrics(args: Partial<Args> = {}) {
  const { data } = await of(admin)
    .rpc('get_house_metrics', { p_from: null, p_to: null, ...args })
    .throwOnError();
  return data;
}
const today = () => new Date(server.clock.now()).toISOString().slice(0, 10);

async function opened(by: TestUser, side: 'BUY' | 'SELL'): Promise<string> {
  const order = { symbol: 'BTCUSDT', side, type: 'MARKET', size: 0.1, leverage: 10 } as const;
  await of(by).from('orders').insert(order).throwOnError();
  const { data } = await of(by)
    .from('positions')
    .select('id')
    .eq('status', 'open')
    .limit(1)
    .single()
    .throwOnError();
  return data.id;
}
const closed = (by: TestUser, id: string) =>
  of(by).rpc('close_position', { p_position_id: id }).throwOnError();

test('METR-01, METR-03: a day has the opened volume, the active traders, the counterparty’s profit and the payments', async () => {
  const before = await metrics();
  const [long, short] = [await opened(zoe, 'BUY'), await opened(kaito, 'SELL')];
  server.feed.setPrice('BTCUSDT', '50100');
  await closed(zoe, long);
  server.feed.setPrice('BTCUSDT', '50300');
  await closed(kaito, short);
  await of(admin)
    .rpc('adjust_wallet_balance', {
      p_user_id: zoe.id,
      p_amount: -250,
      p_reason: 'Requested by mail',
      p_client_id: 'metrics-1',
    })
    .throwOnError();

  const { days, totals, at } = await metrics();
  const day = days.find((one) => one.day === today());
  // Zoe won 10, Kaito lost 30.
  expect(day).toMatchObject({
    volume: 10_000,
    active_traders: 2,
    house_pnl: 20,
    liquidations: 0,
    withdrawals: 250,
  });
  expect(totals).toMatchObject({ volume: 10_000, active_traders: 2, house_pnl: 20, withdrawals: 250 });
  expect(totals.transactions - before.totals.transactions).toBe(3);
  expect(totals.deposits).toBe(before.totals.deposits);
  expect(Date.parse(at)).toBe(server.clock.now());
});

test('METR-03: a range has its days only, and its totals are theirs; a day that is over was counted once', async () => {
  const first = today();
  server.clock.advance(2 * dayMs);
  server.feed.setPrice('BTCUSDT', '50300');
  // Sessions of the first day are over.
  admin = await server.addUser('admin');
  zoe = await server.addUser('trader');
  await opened(zoe, 'BUY');
  const second = today();
  const midnight = (day: string) => `${day}T00:00:00Z`;

  const [early, late, whole] = [
    await metrics({ p_to: midnight(second) }),
    await metrics({ p_from: midnight(second) }),
    await metrics(),
  ];
  expect(early.days.map(({ day }) => day)).toEqual([first]);
  expect(early.totals).toMatchObject({ active_traders: 2, house_pnl: 20, volume: 10_000 });
  expect(late.days.map(({ day }) => day)).toEqual([second]);
  expect(late.totals).toMatchObject({ active_traders: 1, house_pnl: 0, volume: 5030 });
  expect(whole.days.map(({ day }) => day)).toEqual([first, second]);
  expect(whole.totals).toMatchObject({ active_traders: 3, house_pnl: 20, volume: 15_030 });
  const { rows } = await server.db.query(
    'select day, active_traders, house_pnl from app.house_days order by day',
  );
  expect(rows[0]).toEqual({ day: first, active_traders: 2, house_pnl: '20.00000000' });

  // Who goes later was there all the same.
  await of(admin)
    .rpc('delete_user_with_data', {
      p_user_id: kaito.id,
      p_reason: 'Requested by mail',
      p_client_id: 'metrics-2',
    })
    .throwOnError();
  expect((await metrics({ p_to: midnight(second) })).days).toMatchObject([
    { day: first, active_traders: 2, house_pnl: 20 },
  ]);
});

test('a range ends after it begins, and a trader cannot read metrics of all users', async () => {
  const at = new Date(server.clock.now()).toISOString();
  const backwards = await of(admin).rpc('get_house_metrics', { p_from: at, p_to: at });
  expect(backwards).toMatchObject({ status: 400, error: { code: 'invalid_argument' } });
  const refused = await of(zoe).rpc('get_house_metrics', { p_from: null, p_to: null });
  expect(refused.status).toBe(403);
});

test('A82, ADMIN-70: a counted day follows an edit of times, and counts each user exactly once', async () => {
  const ada = await server.addUser('trader');
  const ben = await server.addUser('trader');
  const [first, second] = [await opened(ada, 'BUY'), await opened(ben, 'BUY')];
  await closed(ada, first);
  await closed(ben, second);
  // Ben traded twice that day.
  await closed(ben, await opened(ben, 'SELL'));
  // As if the price had closed it.
  await server.db.query(`update app.positions set close_reason = 'liquidation' where id = $1`, [first]);
  const day = server.clock.now();
  const textOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  server.clock.advance(2 * dayMs);
  admin = await server.addUser('admin');
  await metrics();
  const counted = async () => {
    const { rows } = await server.db.query<{ day: string; active_traders: number; liquidations: number }>(
      'select day::text, active_traders, liquidations from app.house_days order by day',
    );
    return Object.fromEntries(rows.map(({ day: on, ...figures }) => [on, figures]));
  };
  const before = await counted();
  const [then, dayBefore] = [textOf(day), textOf(day - dayMs)];
  const [on, earlier] = [before[then]!, before[dayBefore]!];
  expect(on.liquidations).toBe(1);
  const figures = (moved: { readonly earlier: [number, number]; readonly on: [number, number] }) => ({
    ...before,
    [dayBefore]: {
      active_traders: earlier.active_traders + moved.earlier[0],
      liquidations: earlier.liquidations + moved.earlier[1],
    },
    [then]: {
      active_traders: on.active_traders + moved.on[0],
      liquidations: on.liquidations + moved.on[1],
    },
  });

  const edit = (id: string, created_at: number, closed_at: number) =>
    of(admin)
      .from('positions')
      .update({
        created_at: new Date(created_at).toISOString(),
        closed_at: new Date(closed_at).toISOString(),
        reason: 'Feed error: a clock that was wrong',
      } as never)
      .eq('id', id)
      .throwOnError();

  // Opened the day before and closed as it was: one more there, none less here.
  await edit(first, day - dayMs, day);
  expect(await counted()).toEqual(figures({ earlier: [1, 0], on: [0, 0] }));
  // A liquidation goes with the day of the close.
  await edit(first, day - dayMs, day - dayMs + 60_000);
  expect(await counted()).toEqual(figures({ earlier: [1, 1], on: [-1, -1] }));
  // Ben's other position still counts him.
  await edit(second, day - dayMs, day - dayMs + 60_000);
  expect(await counted()).toEqual(figures({ earlier: [2, 1], on: [-1, -1] }));
  await edit(first, day, day);
  await edit(second, day, day);
  expect(await counted()).toEqual(before);

  // Two positions of one user in one statement, as a batch has them, remove him once.
  await server.db.query(
    `update app.positions set created_at = created_at - interval '1 day', closed_at = closed_at - interval '1 day'
     where user_id = $1`,
    [ben.id],
  );
  // The server itself never changes an execution.
  const owner = new pg.Client({ connectionString: server.databaseUrl });
  await owner.connect();
  for (const [table, times] of [
    ['executions', ['created_at']],
    ['orders', ['created_at', 'updated_at']],
  ] as const) {
    const earlier = times.map((time) => `${time} = ${time} - interval '1 day'`).join();
    await owner.query(`update app.${table} set ${earlier} where user_id = $1`, [ben.id]);
  }
  await owner.end();
  expect(await counted()).toEqual(figures({ earlier: [1, 0], on: [-1, 0] }));
  // What the page shows is what was moved.
  expect((await metrics()).days.find((one) => one.day === then)).toMatchObject({
    active_traders: on.active_traders - 1,
    liquidations: 1,
  });
});

test('A82: an edit of times while its day is being counted waits for the count, and then moves it', async () => {
  server.feed.setPrice('BTCUSDT', '50300');
  const trader = await server.addUser('trader');
  const position = await opened(trader, 'BUY');
  await closed(trader, position);
  const day = server.clock.now();
  server.clock.advance(2 * dayMs);
  admin = await server.addUser('admin');
  const isWaiting = async () => {
    const { rows } = await server.db.query<{ waiting: number }>(
      `select count(*)::int as waiting from pg_locks where locktype = 'advisory' and not granted
       and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows[0]?.waiting === 1;
  };
  const over: unknown[] = [];
  const { edited } = await server.db.transaction(async (tx) => {
    await countFinishedDays(
      { ...server.db, query: tx.query, transaction: (work) => work(tx) },
      server.clock.now(),
    );
    const request = of(admin)
      .from('positions')
      .update({
        created_at: new Date(day - dayMs).toISOString(),
        closed_at: new Date(day - dayMs + 60_000).toISOString(),
        reason: 'Feed error: a clock that was wrong',
      } as never)
      .eq('id', position)
      .throwOnError();
    const settled = Promise.resolve(request).finally(() => over.push(position));
    // One that does not wait shows in what is counted at the end.
    await expect.poll(async () => over.length > 0 || (await isWaiting())).toBe(true);
    return { edited: settled };
  });
  await edited;
  const { rows } = await server.db.query<{ active_traders: number }>(
    'select active_traders from app.house_days where day = $1',
    [new Date(day).toISOString().slice(0, 10)],
  );
  expect(rows).toEqual([{ active_traders: 0 }]);
});

test('METR-01: a read that began before the end of a day counts it once, also after a concurrent count', async () => {
  server.feed.setPrice('BTCUSDT', '50300');
  const trader = await server.addUser('trader');
  await closed(trader, await opened(trader, 'BUY'));
  const before = await metrics();
  expect(before.days.at(-1)).toMatchObject({ day: today(), active_traders: 1 });
  await countFinishedDays(server.db, server.clock.now() + dayMs);
  expect(await metrics()).toEqual(before);
});
