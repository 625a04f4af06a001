import { asPrice, hourMs, parseDecimal } from '@fulcrum/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { onceAnHour, snapshotEquity } from '../../src/features/trading/equity.ts';
import { type EngineSetup, openEngine, type Trader } from '../trading/database-engine.ts';

let desk: EngineSetup;
beforeEach(async () => {
  desk = await openEngine();
});
afterEach(() => desk.dispose());

const marketAt = (price: string) => () => ({
  quote: (symbol: string) =>
    symbol === 'BTCUSDT'
      ? { price: asPrice(parseDecimal(price)), stale: false, held: false, marketOpen: true }
      : undefined,
});
const snapshotsOf = async ({ userId }: Trader, at: number) => {
  const { rows } = await desk.db.query(
    'select balance, equity from api.equity_snapshots where user_id = $1 and at = $2',
    [userId, new Date(at)],
  );
  return rows;
};

test('A108: an account with open positions is worth its balance plus the PnL of a close at the marks', async () => {
  const [trader, idle] = [await desk.addTrader('1000'), await desk.addTrader('1000')];
  await desk.open(trader);
  await desk.open(trader, { p_side: 'SELL', p_size: 0.5 });
  // Without a mark: worth its margin.
  await desk.open(trader, { p_symbol: 'ETHUSDT' });
  const now = desk.clock.now() + 1000;
  expect(await snapshotEquity(desk.db, { now, marketAt: marketAt('104') })).toBe(1);
  expect(await snapshotsOf(trader, now)).toEqual([{ balance: '1000.00000000', equity: '1002.00000000' }]);
  expect(await snapshotsOf(idle, now)).toEqual([]);
});

test('A03 A108: no position takes more of the equity than its margin', async () => {
  const trader = await desk.addTrader('1000');
  await desk.open(trader, { p_leverage: 100 });
  const now = desk.clock.now() + 1000;
  await snapshotEquity(desk.db, { now, marketAt: marketAt('50') });
  expect(await snapshotsOf(trader, now)).toEqual([{ balance: '1000.00000000', equity: '999.00000000' }]);
});

test('A108: a deposit during the snapshot run is not in an earlier snapshot', async () => {
  const trader = await desk.addTrader('1000');
  await desk.open(trader);
  const now = desk.clock.now();
  desk.clock.set(now + 20);
  await desk.actions.adjust_wallet_balance(await desk.addAdmin(), {
    p_user_id: trader.userId,
    p_amount: 500,
    p_reason: 'Bank wire',
  });
  await snapshotEquity(desk.db, { now, marketAt: marketAt('104') });
  expect(await snapshotsOf(trader, now)).toEqual([]);
  // The payment caused a snapshot, at the engine's mark of 100.
  expect(await snapshotsOf(trader, now + 20)).toEqual([
    { balance: '1500.00000000', equity: '1500.00000000' },
  ]);
});

test('A108: more accounts than one page holds have one snapshot each, also after a second run', async () => {
  await desk.db.query(
    `with trader as (
       insert into app.users (email, username, role)
       select n || '@example.test', 'trader-' || n, 'trader' from generate_series(1, 2100) n returning id
     ), wallet as (
       insert into app.wallets (user_id, available_balance, margin, version) select id, 90, 10, 2 from trader
     )
     insert into app.positions (id, user_id, symbol, side, entry_price, size, leverage, margin, liquidation_price, status,
                                rules, account_version)
     select gen_random_uuid(), id, 'BTCUSDT', 'BUY', 100, 1, 10, 10, 90.5, 'open', 'standard', 2 from trader`,
  );
  const now = desk.clock.now() + 1000;
  const at = { now, marketAt: marketAt('101') };
  expect(await snapshotEquity(desk.db, at)).toBe(2100);
  expect(await snapshotEquity(desk.db, at)).toBe(2100);
  const { rows } = await desk.db.query(
    'select count(*)::integer as count, min(equity) as min, max(equity) as max from app.equity_snapshots',
  );
  expect(rows).toEqual([{ count: 2100, min: '101.00000000', max: '101.00000000' }]);
});

test('A108: the work runs once an hour, not in the hour of the start, and again after a failure', async () => {
  const done: number[] = [];
  let fails: boolean = false;
  const beat = onceAnHour(10.5 * hourMs, async (now) => {
    if (fails) throw new Error('the database is away');
    done.push(now / hourMs);
  });
  for (const at of [10.9, 11, 11.01, 11.9, 14.25, 14.125, 13]) await beat(at * hourMs);
  expect(done).toEqual([11, 14.25]);
  fails = true;
  await expect(beat(15 * hourMs)).rejects.toThrow('away');
  fails = false;
  await beat(15.5 * hourMs);
  await beat(15.75 * hourMs);
  expect(done).toEqual([11, 14.25, 15.5]);
});
