/** The banner's figures: the equity at the beginning of the UTC day, what was paid in since, and four weeks of it. */
import { asPrice, dayMs, hourMs, parseDecimal } from '@fulcrum/domain';
import { beforeEach, expect, test } from 'vitest';
import { createAnalytics } from '../../src/features/analytics/index.ts';
import { snapshotEquity } from '../../src/features/trading/equity.ts';
import { desk, shareEngine, type Trader } from '../trading/database-engine.ts';

const second = 1_000;
/** Wallets are made on PostgreSQL's clock, today. */
const tomorrow = (Math.floor(Date.now() / dayMs) + 1) * dayMs;
const iso = (at: number) => new Date(at).toISOString();

let trader: Trader;
shareEngine();
beforeEach(async () => {
  desk.clock.set(tomorrow);
  desk.setPrice('BTCUSDT', '100');
  trader = await desk.addTrader('1000');
});

const overview = () =>
  createAnalytics({
    reader: desk.db,
    market: desk.market,
    timers: desk.clock,
  }).procedures.get_equity_overview(trader.caller);
const snapshotAt = (now: number, price: string) =>
  snapshotEquity(desk.db, {
    now,
    marketAt: () => ({
      quote: () => ({ price: asPrice(parseDecimal(price)), stale: false, held: false, marketOpen: true }),
    }),
  });
const pay = async (amount: number) =>
  desk.actions.adjust_wallet_balance(await desk.addAdmin(), {
    p_user_id: trader.userId,
    p_amount: amount,
    p_reason: 'Bank wire',
  });

test('an account younger than the day begins at zero, and its first balance counts as a payment', async () => {
  const { rows } = await desk.db.query<{ at: Date }>(
    'select last_updated as at from app.wallets where user_id = $1',
    [trader.userId],
  );
  const made = rows[0]!.at.getTime();
  desk.clock.set(made + 1);
  const reported = await overview();
  expect(reported.day).toEqual({
    since: iso(Math.floor(made / dayMs) * dayMs),
    equity: 0,
    net_deposits: 1000,
  });
  expect(reported.curve.map(({ equity, result }) => [equity, result])).toEqual([
    [1000, 0],
    [1000, 0],
  ]);
});

test('A108: the day begins with what was last seen before it; what was paid in before it is in it, later payments are not', async () => {
  desk.clock.set(tomorrow + 22 * hourMs);
  await desk.open(trader);
  await snapshotAt(tomorrow + 23 * hourMs, '104');
  desk.clock.set(tomorrow + 23.5 * hourMs);
  desk.setPrice('BTCUSDT', '106');
  await pay(200);
  desk.clock.set(tomorrow + dayMs + 9 * hourMs);
  await pay(-50);
  await pay(20);
  desk.setPrice('BTCUSDT', '103');
  const reported = await overview();
  expect(reported.day).toEqual({ since: iso(tomorrow + dayMs), equity: 1206, net_deposits: -30 });
  expect(reported.curve.map(({ equity, result }) => [equity, result])).toEqual([
    [1000, 0],
    [1004, 4],
    [1206, 6],
    [1176, 6],
    [1173, 3],
  ]);
  expect(reported.curve.at(-1)?.at).toBe(iso(desk.clock.now()));
});

test('A108: the snapshot of the full hour gives the equity at midnight, unless a trade came before it', async () => {
  const midnight = tomorrow + dayMs;
  desk.clock.set(midnight - 2 * hourMs);
  const position = await desk.open(trader);
  await snapshotAt(midnight - hourMs, '104');
  await snapshotAt(midnight + 40 * second, '107');
  desk.clock.set(midnight + 20 * second);
  await pay(10);
  desk.clock.set(midnight + hourMs);
  // The payment itself was a look, at the price of 100 that the engine had.
  expect((await overview()).day).toEqual({ since: iso(midnight), equity: 1000, net_deposits: 10 });

  const next = midnight + dayMs;
  await snapshotAt(next - hourMs, '104');
  await snapshotAt(next + 40 * second, '107');
  desk.clock.set(next + hourMs);
  expect((await overview()).day).toEqual({ since: iso(next), equity: 1017, net_deposits: 0 });

  const last = next + dayMs;
  await snapshotAt(last - hourMs, '105');
  desk.clock.set(last + 30 * second);
  desk.setPrice('BTCUSDT', '120');
  await desk.close(trader, position.id);
  desk.clock.set(last + hourMs);
  expect((await overview()).day).toMatchObject({ equity: 1015 });
});

test('A09: what staff correct in the first minutes of a day is of that day, not of the one before', async () => {
  const { writes } = desk.trading;
  const midnight = tomorrow + dayMs;
  desk.clock.set(midnight - 3 * hourMs);
  const position = await desk.open(trader);
  desk.setPrice('BTCUSDT', '104');
  desk.clock.set(midnight - 2 * hourMs);
  await desk.close(trader, position.id);
  // With nothing open no hourly snapshot comes: that of the correction is the first look of the day.
  desk.clock.set(midnight + 60 * second);
  await writes['positions.update'](await desk.addAdmin(), [position.id], {
    realized_pnl: '10',
    reason: 'A correction',
  });
  desk.clock.set(midnight + hourMs);
  const { day: today, curve } = await overview();
  expect(today).toEqual({ since: iso(midnight), equity: 1004, net_deposits: 0 });
  // 6 of today.
  expect(curve.at(-1)).toMatchObject({ equity: 1010, result: 10 });
});

test('four weeks in at most 120 points, net of the earlier balance, with the extremes included', async () => {
  await desk.db.query(
    `insert into app.equity_snapshots (user_id, at, balance, equity)
     select $1, $2::timestamptz + n * interval '1 hour', 1000, case n when 500 then 1400 when 501 then 700 else 1000 + n % 5 end
     from generate_series(1, 1000) n`,
    [trader.userId, new Date(tomorrow)],
  );
  const now = tomorrow + 1000 * hourMs + 1;
  desk.clock.set(now);
  const { curve } = await overview();
  expect(curve.length).toBeLessThanOrEqual(120);
  expect(curve[0]).toMatchObject({ at: iso(now - 28 * dayMs), result: 0 });
  const equities = curve.map(({ equity }) => equity);
  expect([Math.max(...equities), Math.min(...equities)]).toEqual([1400, 700]);
  expect(curve.at(-1)).toEqual({ at: iso(now), equity: 1000, result: 1000 - (curve[0]?.equity ?? 0) });
});

test('without a wallet the result is empty, without an error', async () => {
  const penniless = await desk.addTrader('0');
  const reported = await createAnalytics({
    reader: desk.db,
    market: desk.market,
    timers: desk.clock,
  }).procedures.get_equity_overview(penniless.caller);
  expect(reported).toMatchObject({ day: { equity: 0, net_deposits: 0 }, curve: [] });
});
