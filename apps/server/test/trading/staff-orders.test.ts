/** Waiting orders of a trader who becomes staff: cancelled, with their reserves released; positions stay. */
import { beforeEach, expect, test } from 'vitest';
import { floor, shareTradingServer, type TestUser } from './trading-server.ts';

let trader: TestUser;
shareTradingServer();
beforeEach(async () => {
  floor.feed.setPrice('BTCUSDT', '100', { breaks: false });
  trader = await floor.addUser('trader');
  await floor.open(trader);
  const order = { symbol: 'BTCUSDT', side: 'BUY', size: 1, leverage: 10 };
  await trader.client
    .from('orders')
    .insert([
      { ...order, type: 'LIMIT', price: 90 },
      { ...order, type: 'STOP', price: 110 },
    ] as never)
    .throwOnError();
  expect(await floor.wallet(trader)).toEqual({ balance: 10_000, available: 9_970 });
});

const statuses = async () =>
  (await floor.rowsOf<{ status: string }>('orders', trader)).map(({ status }) => status);
const areCanceled = () => expect.poll(statuses).toEqual(['CANCELED', 'CANCELED']);

test('A80: waiting orders are cancelled when a trader becomes staff, and nothing else changes', async () => {
  const other = await floor.addUser('trader');
  const waiting = { symbol: 'BTCUSDT', type: 'LIMIT', side: 'BUY', price: 90, size: 1, leverage: 10 };
  await other.client
    .from('orders')
    .insert(waiting as never)
    .throwOnError();
  const promotion = { user_id: trader.id, new_role: 'manager' };
  expect((await floor.admin.client.rpc('safe_update_user_profile', promotion)).error).toBeNull();
  await areCanceled();
  expect(await floor.wallet(trader)).toEqual({ balance: 10_000, available: 9_990 });
  expect(await floor.rowsOf('positions', trader)).toMatchObject([{ status: 'open' }]);
  expect(await floor.rowsOf('orders', other)).toMatchObject([{ status: 'NEW' }]);
});

test('an unannounced change of a role is found at the next start', async () => {
  await floor.db.query(`update app.users set role = 'support' where id = $1`, [trader.id]);
  await floor.restart();
  await areCanceled();
  expect(await floor.wallet(trader)).toEqual({ balance: 10_000, available: 9_990 });
});
