/** A112: the day of an account with own limits, as the engine and the screen read it: its first equity. */
import { dayMs, hourMs, minuteMs, utcDayStart } from '@fulcrum/domain';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTradingServer, type TestUser, type TradingServer } from '../trading/trading-server.ts';

let floor: TradingServer;
beforeAll(async () => {
  floor = await startTradingServer();
});
afterAll(() => floor.close());
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
