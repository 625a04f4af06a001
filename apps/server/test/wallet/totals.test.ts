import { hourMs } from '@fulcrum/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInvariants } from '../../src/features/wallet/index.ts';
import { createTestDatabase, type TestDatabase } from '../harness/index.ts';
import type { EngineSetup } from '../trading/database-engine.ts';
import { openEngineWithFees, staffActions, trade } from './day.ts';

let desk: EngineSetup;
beforeAll(async () => {
  desk = await openEngineWithFees();
});
afterAll(() => desk.dispose());

/** mulberry32: the same day again for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The counters of all time and by month. */
async function readTotals(db: Pick<TestDatabase, 'query'>) {
  const { rows } = await db.query<{ month: string | null; users: string; volume: string; balance: string }>(
    `select to_char(day, 'YYYY-MM') as month, coalesce(sum(users), 0)::bigint as users,
            coalesce(sum(volume), 0)::numeric(38, 8) as volume, coalesce(sum(balance), 0)::numeric(38, 8) as balance
     from app.daily_totals group by grouping sets ((to_char(day, 'YYYY-MM')), ()) order by month nulls last`,
  );
  const totals = rows.map(({ month, users, volume, balance }) => ({
    month,
    ...{ users: Number(users), tradingVolume: volume, totalBalance: balance },
  }));
  const { month: _, ...all } = totals.find(({ month }) => month === null)!;
  return { ...all, months: totals.filter(({ month }) => month !== null) };
}

/** A full recount that reads everything. */
async function recount(db: TestDatabase) {
  const { rows } = await db.query<{ users: string; volume: string; balance: string }>(
    `select (select count(*) from app.users) as users,
            (select coalesce(sum(round(entry_price * size, 8)), 0)::numeric(38, 8) from app.positions) as volume,
            (select coalesce(sum(balance), 0)::numeric(38, 8) from app.wallets) as balance`,
  );
  const { users, volume, balance } = rows[0]!;
  return { users: Number(users), tradingVolume: volume, totalBalance: balance };
}

test('A75: an empty database has zeros and no month', async () => {
  const empty = await createTestDatabase();
  expect(await readTotals(empty)).toEqual({
    users: 0,
    tradingVolume: '0.00000000',
    totalBalance: '0.00000000',
    months: [],
  });
  await empty.close();
});

test('CALL-51 A75: users, volume and balance are a recount after a random day, and the months add up to them', async () => {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 32));
  const random = randomFrom(seed);
  const seeded = `seed ${seed}`;
  const traders = await Promise.all(Array.from({ length: 5 }, (_, i) => desk.addTrader(String(20_000 + i))));
  const admin = await desk.addAdmin();
  const { procedures } = desk.trading;
  for (let step = 0; step < 60; step += 1) {
    const trader = traders[Math.floor(random() * traders.length)]!;
    const choice = random();
    if (choice < 0.5) {
      const position = await desk.open(trader, {
        p_size: Number((0.001 + random() * 3).toFixed(3)),
        p_leverage: 1 + Math.floor(random() * 125),
        p_side: random() < 0.5 ? 'BUY' : 'SELL',
      });
      if (random() < 0.5) await desk.close(trader, position.id);
    } else if (choice < 0.6) {
      await desk.placeOrder(trader, { type: 'LIMIT', price: (90 + random() * 20).toFixed(2) });
    } else if (choice < 0.8) {
      desk.tick('BTCUSDT', (95 + random() * 10).toFixed(2));
      await desk.settle();
    } else if (choice < 0.9) {
      const amount = (1 + random() * 100).toFixed(8);
      await desk.actions.adjust_wallet_balance(admin, {
        p_user_id: trader.userId,
        p_amount: amount,
        p_reason: 'a gift',
      });
    } else if (choice < 0.95) {
      await procedures.reset_account(trader.caller, {});
    } else {
      const { userId } = await desk.addTrader('50');
      await desk.actions.delete_user_with_data(admin, { p_user_id: userId, p_reason: 'requested it' });
    }
    desk.clock.advance(1 + Math.floor(random() * hourMs));
  }
  desk.setPrice('BTCUSDT', '100');
  const [first] = traders;
  await procedures.reset_account(first!.caller, {});
  await trade(desk, first!);
  await staffActions(desk, first!);

  const { months, ...total } = await readTotals(desk.db);
  expect(total, seeded).toEqual(await recount(desk.db));
  expect(
    months.map(({ users }) => users).reduce((sum, users) => sum + users, 0),
    seeded,
  ).toBe(total.users);
  const { rows } = await desk.db.query<{ month: string; balance: string }>(
    `select to_char(created_at at time zone 'utc', 'YYYY-MM') as month, sum(amount)::numeric(38, 8) as balance
     from app.ledger_entries where user_id is not null group by 1 order by 1`,
  );
  expect(
    months
      .filter(({ totalBalance }) => Number(totalBalance) !== 0)
      .map(({ month, totalBalance }) => ({
        month,
        balance: totalBalance,
      })),
    seeded,
  ).toEqual(rows.filter(({ balance }) => Number(balance) !== 0));
  expect(await checkInvariants(desk.db), seeded).toMatchObject({ ok: true, violations: [] });
});
