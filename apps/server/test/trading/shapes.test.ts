/** The shapes of transactions, positions and orders for a client, and their closed lists (ENT-12 to ENT-22). */
import { beforeAll, expect, test } from 'vitest';
import { done, floor, shareTradingServer, type TestUser } from './trading-server.ts';

let trader: TestUser;
shareTradingServer({ tradingFeeRate: 60_000n });
beforeAll(async () => {
  trader = await floor.addUser('trader');
});

const firstOf = async (table: string, column: string, value: string) => {
  const { data, error } = await trader.client.from(table).select('*').eq(column, value).limit(1).single();
  if (error) throw error;
  return data as Record<string, unknown>;
};
const time = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/);
const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);

test('ENT-12, ENT-13, ENT-14: a transaction has the stated fields; its type and status are of the lists', async () => {
  const { id } = await floor.open(trader);
  await floor.call(trader, 'close_position', { p_position_id: id });
  await floor.call(floor.admin, 'adjust_wallet_balance', {
    p_user_id: trader.id,
    p_amount: -5,
    p_reason: 'Test',
  });
  for (const [type, amount] of [
    ['deposit', 10_000],
    ['withdrawal', -5],
    ['position_closed', 0],
    ['fee', -0.06],
  ] as const) {
    expect(await firstOf('transactions', 'type', type)).toEqual({
      id: uuid,
      user_id: trader.id,
      wallet_id: uuid,
      type,
      amount,
      status: 'completed',
      created_at: time,
      completed_at: time,
      description: expect.any(String),
    });
  }
});

test('ENT-15 … ENT-18: a position has the stated fields, open and closed; side, leverage and status are of the lists', async () => {
  const { id } = await floor.open(trader, { p_take_profit_price: 120, p_stop_loss_price: 95 });
  const stated = {
    id,
    user_id: trader.id,
    symbol: 'BTCUSDT',
    side: 'BUY',
    entry_price: 100,
    size: 1,
    leverage: 10,
    liquidation_price: expect.any(Number),
    created_at: time,
    updated_at: time,
    take_profit_price: 120,
    stop_loss_price: 95,
  };
  await floor.call(trader, 'update_position_mark_prices', {});
  expect(await firstOf('positions', 'id', id)).toMatchObject({
    ...stated,
    status: 'open',
    mark_price: 100,
    unrealized_pnl: 0,
    close_price: null,
    realized_pnl: null,
    closed_at: null,
  });
  await floor.call(trader, 'close_position', { p_position_id: id });
  expect(await firstOf('positions', 'id', id)).toMatchObject({
    ...stated,
    status: 'closed',
    mark_price: null,
    unrealized_pnl: null,
    close_price: 100,
    realized_pnl: 0,
    closed_at: time,
  });
  for (const wrong of [{ p_side: 'LONG' }, { p_leverage: 1.5 }]) {
    const terms = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 1, p_leverage: 1, ...wrong };
    expect((await floor.call(trader, 'open_position', terms)).status).toBe(400);
  }
});

test('ENT-19, ENT-20, ENT-21: an order has the stated fields; the client’s quantity is `size`', async () => {
  const order = { symbol: 'BTCUSDT', type: 'LIMIT', side: 'SELL', price: 110, size: 0.5, leverage: 3 };
  done(await trader.client.from('orders').insert({ user_id: trader.id, ...order, status: 'NEW' }));
  expect(await firstOf('orders', 'status', 'NEW')).toMatchObject({
    id: uuid,
    user_id: trader.id,
    ...order,
    status: 'NEW',
    created_at: time,
    updated_at: time,
  });
  expect((await trader.client.from('orders').insert({ ...order, quantity: 1 })).error?.code).toBe('42703');
});
