/** Conditional orders of accounts with net positions, and orders of a position (A113), through the official client and over restarts. */
import { randomUUID } from 'node:crypto';
import { minuteMs } from '@fulcrum/domain';
import type { SupabaseClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { createManualClock } from '../../src/platform/clock/index.ts';
import { eventually } from '../harness/eventually.ts';
import { server, shareTestServer, startTestServer } from '../harness/index.ts';

shareTestServer();

interface Trader {
  readonly accountId: string;
  readonly main: SupabaseClient;
  client: SupabaseClient;
}

async function join(profile = 'ideal'): Promise<Trader> {
  const { client: main } = await server.signUpTrader();
  const terms = { p_rules: 'perpetual', p_fill_profile: profile, p_start_balance: 100_000 };
  const { data } = await main.rpc('create_account', { p_name: randomUUID(), ...terms }).throwOnError();
  return { accountId: data.id, main, client: await server.clientIn(main, data.id) };
}

async function restart(trader: Trader): Promise<void> {
  await server.restart();
  trader.client = await server.clientIn(trader.main, trader.accountId);
}
const placeOrder = ({ client }: Pick<Trader, 'client'>, row: Record<string, unknown>) =>
  client
    .from('orders')
    .insert({ symbol: 'BTCUSDT', side: 'SELL', leverage: 20, ...row })
    .select()
    .single();
const orderOf = async ({ client }: Trader, id: string) =>
  (await client.from('orders').select().eq('id', id).single().throwOnError()).data;
const open = async ({ client }: Trader, size = 0.1) =>
  (
    await client
      .rpc('open_position', { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: size, p_leverage: 20 })
      .throwOnError()
  ).data;
const openIds = async ({ client }: Trader): Promise<string[]> =>
  (await client.from('positions').select('id').eq('status', 'open').throwOnError()).data.map(({ id }) => id);

test('A113: a stop waits without a reserve, outlives a restart, and trades at the market when it is reached', async () => {
  server.feed.setPrice('BTCUSDT', '64000');
  const trader = await join();
  const position = await open(trader);
  const { data: stop } = await placeOrder(trader, {
    ...{ type: 'STOP_MARKET', size: 0.1, trigger_price: 63_000, reduce_only: true },
  }).throwOnError();
  expect(stop).toMatchObject({
    ...{ status: 'NEW', reserved: 0, price: null, trigger_price: 63_000, triggered_at: null, size: 0.1 },
  });
  await restart(trader);
  server.feed.setPrice('BTCUSDT', '63000.01');
  server.feed.setPrice('BTCUSDT', '62990');
  await eventually(async () => expect((await orderOf(trader, stop.id)).status).toBe('FILLED'));
  const filled = await orderOf(trader, stop.id);
  expect(filled).toMatchObject({ filled_size: 0.1, position_id: position.id });
  expect(filled.triggered_at).not.toBeNull();
  expect(await openIds(trader)).toEqual([]);
  const { data: fills } = await trader.client
    .from('executions')
    .select()
    .eq('order_id', stop.id)
    .throwOnError();
  expect(fills).toMatchObject([{ mid: 62_990, size: 0.1, liquidity: 'taker' }]);
});

test('A113: a trailing stop follows every tick, keeps its best price over a restart, and closes the position', async () => {
  server.feed.setPrice('BTCUSDT', '64000');
  const trader = await join();
  await open(trader);
  const { data: trailing } = await placeOrder(trader, {
    ...{ type: 'TRAILING_STOP_MARKET', size: 0.1, trail_rate: 1, reduce_only: true },
  }).throwOnError();
  expect(trailing).toMatchObject({ peak_price: 64_000, trail_rate: 1, trigger_price: null });
  // The best price is one of many ticks; it is written within a second.
  for (const price of ['64500', '66000', '65900', '65800']) server.feed.setPrice('BTCUSDT', price);
  await eventually(async () => expect((await orderOf(trader, trailing.id)).peak_price).toBe(66_000));
  await restart(trader);
  server.feed.setPrice('BTCUSDT', '65340.01');
  expect((await orderOf(trader, trailing.id)).status).toBe('NEW');
  // A new best price and the fall from it come before the next second: both count.
  for (const price of ['67000', '66330']) server.feed.setPrice('BTCUSDT', price);
  await eventually(async () => expect((await orderOf(trader, trailing.id)).status).toBe('FILLED'));
  expect(await orderOf(trader, trailing.id)).toMatchObject({ peak_price: 67_000 });
  expect(await openIds(trader)).toEqual([]);
});

test('A113: an order that closes the position takes its size of then, and others of the position end with it', async () => {
  server.feed.setPrice('BTCUSDT', '64000');
  const trader = await join();
  await open(trader);
  const closing = { close_position: true, type: 'STOP_MARKET', trigger_price: 63_000 };
  const { data: stop } = await placeOrder(trader, closing).throwOnError();
  expect(stop).toMatchObject({ size: 0, close_position: true, reduce_only: true });
  expect((await placeOrder(trader, closing)).error).toMatchObject({ code: 'close_order_exists' });
  const { data: profit } = await placeOrder(trader, {
    ...{ close_position: true, type: 'TAKE_PROFIT_MARKET', trigger_price: 66_000 },
  }).throwOnError();
  const { data: limit } = await placeOrder(trader, {
    ...{ type: 'LIMIT', size: 0.05, price: 70_000, bound_position_id: stop.bound_position_id },
  }).throwOnError();
  expect(limit).toMatchObject({ reserved: 0, reduce_only: true });
  await open(trader, 0.2);
  server.feed.setPrice('BTCUSDT', '66010');
  await eventually(async () => expect((await orderOf(trader, profit.id)).status).toBe('FILLED'));
  expect(await orderOf(trader, profit.id)).toMatchObject({ size: 0.3, filled_size: 0.3 });
  expect((await orderOf(trader, stop.id)).status).toBe('EXPIRED');
  expect((await orderOf(trader, limit.id)).status).toBe('EXPIRED');
});

test('A113: bad conditions are refused in words, and nothing is placed', async () => {
  server.feed.setPrice('BTCUSDT', '64000');
  const trader = await join();
  const stop = { type: 'STOP_MARKET', size: 0.1, side: 'BUY' };
  const messageOf = async (row: Record<string, unknown>, by: Pick<Trader, 'client'> = trader) =>
    (await placeOrder(by, row)).error?.message;
  expect(await messageOf({ ...stop, trigger_price: 63_000 })).toBe(
    'The trigger price must be above the market price of 64000.00.',
  );
  expect(await messageOf(stop)).toContain('Trigger price must be between');
  expect(await messageOf({ ...stop, trigger_price: 65_000, price: 65_000 })).toBe(
    'A STOP_MARKET order has no limit price.',
  );
  expect(await messageOf({ type: 'TRAILING_STOP_MARKET', size: 0.1, trail_rate: 25 })).toContain(
    '0.1 % and 20 %',
  );
  expect(await messageOf({ ...stop, type: 'LIMIT', price: 60_000, time_in_force: 'GTD' })).toContain(
    '10 minutes',
  );
  expect(
    await messageOf({ ...stop, type: 'LIMIT', price: 60_000, time_in_force: 'GTD', expires_at: 'soon' }),
  ).toBeDefined();
  // The main account has none of it.
  expect(await messageOf({ ...stop, trigger_price: 65_000 }, { client: trader.main })).toBe(
    'Only an account with perpetual rules can do this.',
  );
  const { data: orders } = await trader.client.from('orders').select('id').throwOnError();
  expect(orders).toEqual([]);
  // Another user's position.
  const other = await join();
  const { id } = await open(other);
  expect(await messageOf({ type: 'LIMIT', size: 0.1, price: 65_000, bound_position_id: id })).toBe(
    'Position not found',
  );
});

test('A113: in the main account a ladder of limit orders closes its position in parts and ends with it', async () => {
  server.feed.setPrice('BTCUSDT', '64000');
  const { client } = await server.signUpTrader();
  const trader = { client };
  const { data: position } = await client
    .rpc('open_position', { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.03, p_leverage: 10 })
    .throwOnError();
  const step = (price: number) => ({
    ...{ type: 'LIMIT', size: 0.01, price, leverage: 10 },
    ...{ reduce_only: true, bound_position_id: position.id },
  });
  const { data: first } = await placeOrder(trader, step(65_000)).throwOnError();
  const { data: second } = await placeOrder(trader, step(66_000)).throwOnError();
  expect([first.reserved, second.reserved]).toEqual([0, 0]);
  const read = async (id: string) =>
    (await client.from('orders').select().eq('id', id).single().throwOnError()).data;
  server.feed.setPrice('BTCUSDT', '65010');
  await eventually(async () => expect((await read(first.id)).status).toBe('FILLED'));
  const { data: parts } = await client
    .from('positions')
    .select()
    .eq('split_from', position.id)
    .throwOnError();
  expect(parts).toMatchObject([
    { size: 0.01, close_price: 65_010, close_reason: 'manual', realized_pnl: 10.1 },
  ]);
  expect((await read(first.id)).position_id).toBe(parts[0]?.id);
  await client.rpc('close_position', { p_position_id: position.id }).throwOnError();
  expect((await read(second.id)).status).toBe('EXPIRED');
});

test('A113: an order until a time ends within a second of it, after a restart too', async () => {
  const clock = createManualClock(Date.now());
  const timed = await startTestServer({ clock });
  try {
    timed.feed.setPrice('BTCUSDT', '64000');
    const { client: main } = await timed.signUpTrader();
    const terms = { p_name: 'Timed', p_rules: 'perpetual', p_fill_profile: 'ideal' };
    const { data: account } = await main.rpc('create_account', terms).throwOnError();
    const enter = () => timed.clientIn(main, account.id);
    const client = await enter();
    const untilIn = (minutes: number) => ({
      ...{ type: 'LIMIT', side: 'BUY', size: 0.01, price: 60_000, time_in_force: 'GTD' },
      expires_at: new Date(clock.now() + minutes * minuteMs).toISOString(),
    });
    const { data: first } = await placeOrder({ client }, untilIn(10)).throwOnError();
    const { data: second } = await placeOrder({ client }, untilIn(20)).throwOnError();
    expect(first).toMatchObject({ status: 'NEW', time_in_force: 'GTD', reserved: 30 });
    // The tokens have expired by then.
    const statuses = async () => {
      const { rows } = await timed.db.query<{ id: string; status: string; reserved: number }>(
        'select id, status, reserved::float from app.orders where user_id = $1',
        [account.id],
      );
      return rows.map(({ id, status, reserved }) => [id === first.id ? 'first' : 'second', status, reserved]);
    };
    clock.advance(10 * minuteMs);
    await eventually(async () => expect(await statuses()).toContainEqual(['first', 'EXPIRED', 0]));
    expect(await statuses()).toContainEqual(['second', 'NEW', 30]);
    clock.advance(10 * minuteMs);
    await timed.restart();
    await eventually(async () => expect(await statuses()).toContainEqual(['second', 'EXPIRED', 0]));
    expect(second.expires_at).not.toBeNull();
  } finally {
    await timed.close();
  }
});

test('A113: an order with latency is a row at once, is filled half a second later, and after a restart too', async () => {
  server.feed.setPrice('BTCUSDT', '64000');
  const trader = await join('stress');
  const { data: order } = await placeOrder(trader, { type: 'MARKET', side: 'BUY', size: 0.1 }).throwOnError();
  expect(order).toMatchObject({ status: 'NEW', filled_size: 0, reserved: 0 });
  expect(Date.parse(order.due_at) - Date.parse(order.created_at)).toBe(500);
  server.feed.setPrice('BTCUSDT', '64100');
  await eventually(async () => expect((await orderOf(trader, order.id)).status).toBe('FILLED'));
  const filled = await orderOf(trader, order.id);
  expect(Date.parse(filled.updated_at)).toBeGreaterThanOrEqual(Date.parse(order.due_at));
  const fillsOf = async (id: string) =>
    (await trader.client.from('executions').select().eq('order_id', id).throwOnError()).data;
  expect(await fillsOf(order.id)).toMatchObject([{ mid: 64_000, latency_cost: 100 }]);

  const { data: second } = await placeOrder(trader, {
    type: 'MARKET',
    size: 0.1,
    reduce_only: true,
  }).throwOnError();
  server.feed.setPrice('BTCUSDT', '64200');
  await restart(trader);
  await eventually(async () => expect((await orderOf(trader, second.id)).status).toBe('FILLED'));
  // Sold, and the market rose meanwhile.
  expect(await fillsOf(second.id)).toMatchObject([{ mid: 64_100, latency_cost: -100 }]);
  expect(await openIds(trader)).toEqual([]);
});

test('A113: a click with latency is answered when it is filled, and costs what the market moved by', async () => {
  server.feed.setPrice('BTCUSDT', '64000');
  const trader = await join('stress');
  const start = performance.now();
  const opening = open(trader);
  await new Promise((resolve) => setTimeout(resolve, 100));
  server.feed.setPrice('BTCUSDT', '64050');
  const position = await opening;
  expect(performance.now() - start).toBeGreaterThanOrEqual(500);
  const { data } = await trader.client.from('executions').select().throwOnError();
  expect(data).toMatchObject([{ position_id: position.id, mid: 64_000, latency_cost: 50 }]);
  // The same id, sent twice before it is filled, opens once.
  const again = {
    p_symbol: 'BTCUSDT',
    p_side: 'BUY',
    p_size: 0.1,
    p_leverage: 20,
    p_client_id: randomUUID(),
  };
  const twice = await Promise.all([
    trader.client.rpc('open_position', again),
    trader.client.rpc('open_position', again),
  ]);
  expect(twice.map(({ data: row }) => row?.size)).toEqual([0.2, 0.2]);
  const { error } = await trader.client.rpc('close_position', { p_position_id: position.id });
  expect(error).toBeNull();
  expect(await openIds(trader)).toEqual([]);
});
