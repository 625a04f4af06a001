/** The trader's realtime events equal the rows of the table API, in their order (A104, RULE-16). */
import { expect, test } from 'vitest';
import { subscribed, until } from '../realtime/realtime-server.ts';
import { done, floor, shareTradingServer, type TestUser } from './trading-server.ts';

shareTradingServer({ allowReset: true, tradingFeeRate: 60_000n });

type Row = Record<string, unknown> & { id: string };
const tables = ['orders', 'positions', 'wallets', 'notifications'] as const;
type Received = Record<(typeof tables)[number], { type: string; row: Row }[]>;

async function listen(trader: TestUser): Promise<Received> {
  const received: Received = { orders: [], positions: [], wallets: [], notifications: [] };
  await trader.client.realtime.setAuth();
  const channel = trader.client.channel(`user:${trader.id}`);
  for (const table of tables) {
    channel.on('postgres_changes', { event: '*', schema: 'public', table }, (change) => {
      received[table].push({ type: change.eventType, row: change.new as Row });
    });
  }
  expect(await subscribed(channel)).toEqual({ status: 'SUBSCRIBED' });
  return received;
}

/** The last event of every row, by id; nothing is open at the end, so nothing has a mark. */
const lastOf = (changes: Received['orders']) =>
  [...new Map(changes.map(({ row }) => [row.id, row])).values()].sort((one, two) =>
    one.id < two.id ? -1 : 1,
  );

const limit = { symbol: 'BTCUSDT', type: 'LIMIT', side: 'BUY', price: 90, size: 1, leverage: 10 };

test('A20: a MARKET order is announced as NEW and then as FILLED', async () => {
  const trader = await floor.addUser('trader');
  const received = await listen(trader);
  const { data } = await trader.client
    .from('orders')
    .insert({ ...limit, type: 'MARKET', price: null })
    .select();
  await until(() => received.notifications.length === 1);
  expect(received.orders.map(({ type, row }) => [type, row.status])).toEqual([
    ['INSERT', 'NEW'],
    ['UPDATE', 'FILLED'],
  ]);
  expect(received.orders[0]?.row).toEqual(data![0]);
  expect(received.notifications[0]?.row).toMatchObject({
    kind: 'order_filled',
    order_id: data![0].id,
    position_id: received.positions[0]?.row.id,
    message: 'Your MARKET order BUY 1 BTCUSDT was filled at 100.00.',
  });
});

test('RULE-16, A104: orders, positions, wallets and notices of everything that staff, prices and the trader do', async () => {
  const trader = await floor.addUser('trader');
  const received = await listen(trader);
  const staff = { p_user_id: trader.id, p_reason: 'Test' };

  const { data: orders } = await trader.client.from('orders').insert([limit, limit, limit]).select();
  done(await trader.client.from('orders').update({ status: 'CANCELED' }).eq('id', orders![0].id));
  const { id } = await floor.open(trader, { p_take_profit_price: 130 });
  await floor.call(trader, 'close_position', { p_position_id: id, p_size: 0.4 });
  done(await floor.admin.client.from('positions').update({ leverage: 8, reason: 'Test' }).eq('id', id));
  await floor.call(floor.admin, 'adjust_wallet_balance', { ...staff, p_amount: 12.5 });
  await floor.tick('90', async () => expect(await floor.rowsOf('positions', trader)).toHaveLength(4));
  await floor.tick('130', async () => {
    const { data } = await trader.client.from('positions').select('status').eq('id', id).single();
    expect(data?.status).toBe('closed');
  });
  done(await trader.client.from('orders').insert({ ...limit, price: 50 }));
  await floor.call(floor.admin, 'restrict_user', { ...staff, p_restricted: true });
  await floor.call(floor.admin, 'restrict_user', { ...staff, p_restricted: false });
  await floor.call(trader, 'reset_account', {});

  const { data: wallet } = await trader.client.from('wallets').select('*').single();
  await until(() => received.wallets.at(-1)?.row.version === wallet.version);
  for (const table of tables) {
    const { data: rows } = await trader.client.from(table).select('*').order('id');
    expect(lastOf(received[table])).toEqual(rows);
    expect(rows).not.toEqual([]);
  }
  expect(received.notifications.map(({ row }) => row.kind)).toEqual([
    'position_adjusted',
    'funds_changed',
    'order_filled',
    'order_filled',
    'margin_warning',
    'take_profit',
    'restricted',
    'order_canceled',
    'restriction_lifted',
  ]);
});
