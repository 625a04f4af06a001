/** What the first screen of the admin console counts, against what was done and what was written into the days before. */
import { getAdminOverview } from '@fulcrum/contract';
import { dayMs } from '@fulcrum/domain';
import pg from 'pg';
import { expect, test } from 'vitest';
import { floor, shareTradingServer } from '../trading/trading-server.ts';

shareTradingServer();

const overview = async () =>
  getAdminOverview.result.parse((await floor.call(floor.admin, 'get_admin_overview', {})).data);

test('ADMIN-04, ADMIN-05, ADMIN-07, A74, A75: users, volume and balances are counted; what has no history has no change', async () => {
  const trader = await floor.addUser('trader');
  await floor.open(trader, { p_size: 2 });
  const figures = await overview();
  expect(figures.total_users).toMatchObject({ value: 2, change_pct: null });
  expect(figures.trading_volume).toMatchObject({ value: 200, change_pct: null });
  expect(figures.total_balance).toMatchObject({ value: 10_000, change_pct: null });
  for (const { days } of [figures.total_users, figures.trading_volume, figures.total_balance]) {
    expect(days).toHaveLength(30);
    expect(days.at(-1)).toBeGreaterThan(0);
  }
  expect(figures.signed_in_now).toBe(2);
  floor.clock.advance(6 * 60_000);
  expect((await overview()).signed_in_now).toBe(1);
});

test('ADMIN-06, ADMIN-10, ADMIN-11: chats that are open; how long closed ones took and when most began are no constants', async () => {
  expect(await overview()).toMatchObject({
    active_sessions: { value: 0, change_pct: null },
    average_session_s: null,
    peak_hour: null,
    sessions_measured: 0,
  });
  const traders = await Promise.all([1, 2, 3].map(() => floor.addUser('trader')));
  const owner = new pg.Client({ connectionString: floor.databaseUrl });
  await owner.connect();
  const chat = (userId: string | undefined, began: string, closed: string | null) =>
    owner.query(
      `insert into app.chat_sessions (user_id, status, created_at, updated_at, closed_at, last_seq)
       values ($1, $2, $3, $3, $4, 1)`,
      [userId, closed === null ? 'open' : 'closed', began, closed],
    );
  const day = new Date(floor.clock.now() - 3 * dayMs).toISOString().slice(0, 10);
  await chat(traders[0]?.id, `${day}T09:00:00Z`, `${day}T09:10:00Z`);
  await chat(traders[1]?.id, `${day}T15:00:00Z`, `${day}T15:20:00Z`);
  await chat(traders[2]?.id, `${day}T15:30:00Z`, `${day}T16:00:00Z`);
  await chat(traders[0]?.id, new Date(floor.clock.now()).toISOString(), null);
  const longAgo = new Date(floor.clock.now() - 40 * dayMs).toISOString();
  await chat(traders[1]?.id, longAgo, longAgo);
  await chat(traders[2]?.id, longAgo, longAgo);
  await owner.end();

  const figures = await overview();
  expect(figures).toMatchObject({
    active_sessions: { value: 1, change_pct: 100 },
    average_session_s: 1_200,
    peak_hour: 15,
    sessions_measured: 3,
  });
  expect(figures.active_sessions.days.reduce((sum, begun) => sum + begun, 0)).toBe(4);
});

test('only an admin reads it', async () => {
  const manager = await floor.addUser('manager');
  expect(await floor.call(manager, 'get_admin_overview', {})).toMatchObject({ status: 403 });
});
