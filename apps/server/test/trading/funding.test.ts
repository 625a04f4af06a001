/** Funding of net positions (A113) on a real PostgreSQL: when it is booked, over restarts, and that no command comes before it. */
import { randomUUID } from 'node:crypto';
import type { PositionRow } from '@fulcrum/contract';
import { dayMs, hourMs } from '@fulcrum/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWallet } from '../../src/features/wallet/index.ts';
import { eventually } from '../harness/eventually.ts';
import { type EngineSetup, openEngine, type Trader, usdt } from './database-engine.ts';

let desk: EngineSetup;
beforeAll(async () => {
  desk = await openEngine();
});
afterAll(async () => {
  expect(await desk.invariants()).toMatchObject({ ok: true, violations: [] });
  await desk.dispose();
});

/** An account with net positions, without a spread. */
async function addNetAccount(balance = '1000'): Promise<Trader> {
  const { userId, caller } = await desk.addTrader('1000');
  const accountId = `${randomUUID().slice(0, -2)}${userId.slice(-2)}`;
  await desk.db.query(
    `insert into app.trading_accounts (id, owner_id, kind, name, rules, leverage_max, fee_rate, fill_profile)
     values ($1, $2, 'practice', $3, 'perpetual', 125, 0.0005, 'ideal')`,
    [accountId, userId, accountId],
  );
  await openWallet(desk.db, { accountId, initialBalance: usdt(balance) });
  return { userId, caller: { ...caller, accountId } };
}

/** The clock jumps to just before the next instant of funding, and then `past` it. */
async function passFunding(past = 0): Promise<void> {
  const now = desk.clock.now();
  desk.clock.set((Math.floor(now / (8 * hourMs)) + 1) * 8 * hourMs + past);
}
const positionOf = async ({ caller: { accountId } }: Trader) => {
  const { rows } = await desk.db.query<PositionRow & { funded_at: Date | null }>(
    `select *, funding::float as funding from app.positions where user_id = $1 order by created_at`,
    [accountId],
  );
  return rows.at(-1)!;
};
const linesOf = async ({ caller: { accountId } }: Trader) => {
  const { rows } = await desk.db.query<{ type: string; amount: number; description: string }>(
    `select type, amount::float, description from app.transactions where user_id = $1 and type in ('funding', 'financing')
     order by created_at, description`,
    [accountId],
  );
  return rows;
};
const counterpartyOf = async (positionId: string): Promise<number> => {
  const { rows } = await desk.db.query<{ sum: number }>(
    `select coalesce(sum(amount), 0)::float as sum from app.ledger_entries where source_id = $1 and account = 'house:funding'`,
    [positionId],
  );
  return rows[0]!.sum;
};

test('A113: the sweep books it within a second of the instant, for a main account never', async () => {
  const [long, short] = [await addNetAccount(), await addNetAccount()];
  const main = await desk.addTrader('1000');
  const held = await desk.open(long);
  await desk.open(short, { p_side: 'SELL' });
  await desk.open(main);
  await passFunding(-1);
  await desk.settle();
  expect(await linesOf(long)).toEqual([]);
  await passFunding();
  await eventually(async () => expect((await positionOf(long)).funding).toBe(-0.01));
  await eventually(async () => expect((await positionOf(short)).funding).toBe(0.01));
  expect(await linesOf(long)).toEqual([
    { type: 'funding', amount: -0.01, description: 'Funding BTCUSDT of 16:00 UTC' },
  ]);
  expect(await counterpartyOf(held.id)).toBe(0.01);
  expect((await positionOf(main)).funded_at).toBeNull();
  const announced = desk.changes.filter(({ record }) => (record as { id: string }).id === held.id).at(-1);
  expect(announced?.record).toMatchObject({ funding: -0.01 });
  expect(announced?.record).not.toHaveProperty('funded_at');
});

test('A113: a position that was not in memory is reached after a downtime, each missed instant once', async () => {
  const trader = await addNetAccount();
  await desk.open(trader);
  await desk.trading.stop();
  desk.clock.advance(2 * dayMs);
  desk.setPrice('BTCUSDT', '110');
  const sixLines = async () =>
    expect((await linesOf(trader)).map(({ amount }) => amount)).toEqual(Array(6).fill(-0.011));
  await desk.restart();
  await eventually(sixLines);
  await desk.restart();
  await desk.settle();
  await sixLines();
  expect((await positionOf(trader)).funded_at?.getTime()).toBeLessThanOrEqual(desk.clock.now());
  desk.setPrice('BTCUSDT', '100');
});

test('A113: a close after the instant and before the sweep pays first; who opens after it pays nothing', async () => {
  const [leaving, coming] = [await addNetAccount(), await addNetAccount()];
  const { id } = await desk.open(leaving);
  await passFunding(1);
  const [closed] = await Promise.all([desk.close(leaving, id), desk.open(coming)]);
  expect(closed).toMatchObject({ status: 'closed', funding: -0.01 });
  expect(await counterpartyOf(id)).toBe(0.01);
  desk.clock.advance(hourMs);
  await desk.settle();
  expect(await linesOf(coming)).toEqual([]);
});

test('A110 A113: a held price books nothing; what is due follows with the price that is accepted', async () => {
  const trader = await addNetAccount();
  await desk.open(trader);
  desk.setPrice('BTCUSDT', '100', { held: true });
  await passFunding(1);
  // Another account's funding shows that the sweep has been there.
  const other = await addNetAccount();
  await desk.open(other, { p_symbol: 'ETHUSDT' });
  await passFunding(1);
  await eventually(async () => expect(await linesOf(other)).toHaveLength(1));
  expect(await linesOf(trader)).toEqual([]);
  desk.setPrice('BTCUSDT', '200');
  await eventually(async () =>
    expect((await linesOf(trader)).map(({ amount }) => amount)).toEqual([-0.02, -0.02]),
  );
  desk.setPrice('BTCUSDT', '100');
});

test('A113: without cash the margin pays, and the liquidation price follows', async () => {
  const trader = await addNetAccount('6');
  const { id } = await desk.open(trader, { p_leverage: 20 });
  const cash = (await desk.trading.procedures.adjust_margin(trader.caller, {
    p_position_id: id,
    p_amount: 0.99,
  })) as PositionRow;
  expect(cash.margin).toBe(5.99);
  // 0.01 a booking: first the cash of 0.01, then the margin.
  for (let instant = 0; instant < 3; instant += 1) {
    await passFunding(1);
    await eventually(async () => expect(await linesOf(trader)).toHaveLength(instant + 1));
  }
  const { margin, liquidation_price: price } = await positionOf(trader);
  expect(Number(margin)).toBeCloseTo(5.97, 8);
  expect(Number(price)).toBeGreaterThan(cash.liquidation_price);
});

test('A113: a halt books nothing, and what became due in it follows with the resumption', async () => {
  const trader = await addNetAccount();
  await desk.open(trader);
  const admin = await desk.addAdmin();
  await desk.trading.halts.halt(admin, 'a check');
  await passFunding(1);
  await desk.settle();
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(await linesOf(trader)).toEqual([]);
  await desk.trading.halts.resume(admin, 'checked');
  await eventually(async () => expect(await linesOf(trader)).toHaveLength(1));
});
