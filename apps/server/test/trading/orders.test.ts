/** Orders by the table API, as the documents write them (CALL-44 … CALL-46, A20). */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { done, floor, refusal, shareTradingServer, type TestUser } from './trading-server.ts';

let trader: TestUser;
shareTradingServer();
beforeEach(async () => {
  floor.feed.setPrice('BTCUSDT', '100');
  trader = await floor.addUser('trader');
});

const order = (more: Record<string, unknown> = {}) => ({
  user_id: trader.id,
  symbol: 'BTCUSDT',
  type: 'LIMIT',
  side: 'BUY',
  price: 90,
  size: 1,
  leverage: 10,
  status: 'NEW',
  ...more,
});
const placeOrders = (rows: Record<string, unknown> | Record<string, unknown>[], by = trader) =>
  by.client
    .from('orders')
    .insert(rows as never)
    .select();
const cancel = (id: string, by = trader) =>
  by.client.from('orders').update({ status: 'CANCELED' }).eq('id', id).select('id, status');
const orderOf = async (id: string) => {
  const { data } = await trader.client.from('orders').select('*').eq('id', id).single();
  return data;
};

describe('a LIMIT order', () => {
  test('CALL-45, A20: it waits, reserves its margin, and fills at its price with its TP and SL', async () => {
    const { data, error } = await placeOrders(order({ take_profit_price: 120, stop_loss_price: 85 }));
    expect(error).toBeNull();
    const [placed] = data!;
    expect(placed).toMatchObject({ user_id: trader.id, status: 'NEW', reserved: 9, position_id: null });
    expect(placed).toEqual(await orderOf(placed.id));
    expect(await floor.wallet(trader)).toEqual({ balance: 10_000, available: 9_991 });

    await floor.tick('90', async () => expect((await orderOf(placed.id))?.status).toBe('FILLED'));
    const [position] = await floor.rowsOf<Record<string, unknown>>('positions', trader);
    expect(position).toMatchObject({
      entry_price: 90,
      size: 1,
      margin: 9,
      take_profit_price: 120,
      stop_loss_price: 85,
      initial_stop_loss_price: 85,
    });
    expect(await orderOf(placed.id)).toMatchObject({ reserved: 0, position_id: position?.id });
    expect(await floor.wallet(trader)).toEqual({ balance: 10_000, available: 9_991 });
    expect(await floor.notices(trader)).toEqual([
      { kind: 'order_filled', message: 'Your LIMIT order BUY 1 BTCUSDT was filled at 90.00.' },
    ]);
  });

  test('A20: a SELL whose better price cannot be paid and would liquidate it at its own is rejected, without a loss', async () => {
    const { data } = await placeOrders(order({ side: 'SELL', price: 110, size: 900 }));
    const [placed] = data!;
    expect(placed).toMatchObject({ status: 'NEW', reserved: 9_900 });
    // Sold at 110 it would be liquidated at 120.45.
    await floor.tick('125', async () => expect((await orderOf(placed.id))?.status).toBe('REJECTED'));
    expect(await orderOf(placed.id)).toMatchObject({
      reason: 'Insufficient available balance. Required: 11250.00 USDT, Available: 10000.00 USDT',
      reserved: 0,
    });
    expect(await floor.rowsOf('positions', trader)).toEqual([]);
    expect(await floor.wallet(trader)).toEqual({ balance: 10_000, available: 10_000 });
  });

  test('A20: an order beyond the balance is refused with both figures', async () => {
    expect(refusal(await placeOrders(order({ size: 2_000 })))).toEqual({
      status: 400,
      code: 'insufficient_balance',
      message: 'Insufficient available balance. Required: 18000.00 USDT, Available: 10000.00 USDT',
    });
  });

  test('CALL-46, RULE-14: CANCELED releases the reserve, and a repeat is no error', async () => {
    const { data } = await placeOrders(order());
    const [placed] = data!;
    expect((await cancel(placed.id)).data).toEqual([{ id: placed.id, status: 'CANCELED' }]);
    expect(await floor.wallet(trader)).toEqual({ balance: 10_000, available: 10_000 });
    expect((await cancel(placed.id)).data).toEqual([{ id: placed.id, status: 'CANCELED' }]);
    expect(await floor.notices(trader)).toEqual([]);
  });

  test('CALL-46: a filled order is refused, another user’s is not found, no other status is accepted', async () => {
    const { data } = await placeOrders(order());
    const [placed] = data!;
    const other = await floor.addUser('trader');
    expect((await cancel(placed.id, other)).data).toEqual([]);
    expect(
      refusal(await trader.client.from('orders').update({ status: 'FILLED' }).eq('id', placed.id)),
    ).toMatchObject({ status: 400, code: 'invalid_argument' });
    await floor.tick('90', async () => expect((await orderOf(placed.id))?.status).toBe('FILLED'));
    expect(refusal(await cancel(placed.id))).toEqual({
      status: 409,
      code: 'order_final',
      message: 'This order is already FILLED.',
    });
  });

  test('CALL-46: of many that a filter matches, the waiting ones are cancelled and the others stay', async () => {
    const { data } = await placeOrders([
      order(),
      order({ type: 'MARKET', price: null }),
      order({ price: 80 }),
    ]);
    const { data: canceled, error } = await trader.client
      .from('orders')
      .update({ status: 'CANCELED' })
      .eq('symbol', 'BTCUSDT')
      .select('id');
    expect(error).toBeNull();
    expect(new Set(canceled!.map(({ id }) => id))).toEqual(new Set([data![0].id, data![2].id]));
    expect(await orderOf(data![1].id)).toMatchObject({ status: 'FILLED' });
  });
});

describe('a STOP order', () => {
  test('A20: it fills once the price reaches it', async () => {
    const { data } = await placeOrders(order({ type: 'STOP', price: 110 }));
    const [placed] = data!;
    expect(placed).toMatchObject({ status: 'NEW', reserved: 11 });
    await floor.tick('110', async () => expect((await orderOf(placed.id))?.status).toBe('FILLED'));
    expect(await floor.rowsOf('positions', trader)).toMatchObject([{ entry_price: 110, margin: 11 }]);
  });

  test('A20: one that is reached already is refused', async () => {
    expect(refusal(await placeOrders(order({ type: 'STOP', price: 95 })))).toEqual({
      status: 400,
      code: 'stop_reached',
      message: 'The stop price must be above the market price of 100.00.',
    });
  });

  test('A20: a gap that its reserve and the balance do not cover rejects it with the insufficient text', async () => {
    const { data } = await placeOrders(order({ type: 'STOP', price: 110, size: 900 }));
    const [placed] = data!;
    await floor.tick('120', async () => expect((await orderOf(placed.id))?.status).toBe('REJECTED'));
    const text = 'Insufficient available balance. Required: 10800.00 USDT, Available: 10000.00 USDT';
    expect(await orderOf(placed.id)).toMatchObject({ reason: text, reserved: 0 });
    expect(await floor.wallet(trader)).toEqual({ balance: 10_000, available: 10_000 });
    expect(await floor.notices(trader)).toEqual([
      { kind: 'order_rejected', message: `Your STOP order BUY 900 BTCUSDT was rejected. ${text}` },
    ]);
  });
});

describe('a MARKET order', () => {
  test('A19, A20: the answer is NEW, the stored row FILLED', async () => {
    const { data } = await placeOrders(order({ type: 'MARKET', price: null }));
    const [placed] = data!;
    expect(placed).toMatchObject({ status: 'NEW', reserved: 0, position_id: null });
    const [position] = await floor.rowsOf<{ id: string }>('positions', trader);
    expect(await orderOf(placed.id)).toMatchObject({ status: 'FILLED', position_id: position?.id });
    expect(position).toMatchObject({ entry_price: 100, margin: 10 });
  });

  test('A19, A20: one that cannot be filled answers NEW and becomes REJECTED with its reason', async () => {
    const { data, error } = await placeOrders(order({ type: 'MARKET', price: null, size: 2_000 }));
    expect(error).toBeNull();
    expect(data![0]).toMatchObject({ status: 'NEW', reason: null });
    expect(await orderOf(data![0].id)).toMatchObject({
      status: 'REJECTED',
      reason: 'Insufficient available balance. Required: 20000.00 USDT, Available: 10000.00 USDT',
    });
  });
});

describe('many orders in one request', () => {
  test('A20: each row has its own outcome, in the order of the rows', async () => {
    const { data, error } = await placeOrders([
      order({ type: 'MARKET', price: null }),
      order({ size: 5_000 }),
      order({ type: 'STOP', price: 50 }),
      order(),
    ]);
    expect(error).toBeNull();
    expect(data!.map(({ status, reason }) => [status, reason])).toEqual([
      ['NEW', null],
      ['REJECTED', 'Insufficient available balance. Required: 45000.00 USDT, Available: 9990.00 USDT'],
      ['REJECTED', 'The stop price must be above the market price of 100.00.'],
      ['NEW', null],
    ]);
    expect(await floor.wallet(trader)).toEqual({ balance: 10_000, available: 9_981 });
    expect((await floor.notices(trader)).map(({ kind }) => kind).sort()).toEqual([
      'order_filled',
      'order_rejected',
      'order_rejected',
    ]);
  });

  test.each([
    ['Row 2: Unknown symbol: NOPE', { symbol: 'NOPE' }],
    ['Row 2: Amount must be between 0.00001 and 9000 in steps of 0.00001.', { size: 0.000001 }],
    ['Row 2: Price must be between 0.01 and 1000000 in steps of 0.01.', { price: 90.001 }],
    ['Row 2: Leverage must be a whole number from 1 to 125.', { leverage: 126 }],
    ['Row 2: Side must be BUY or SELL.', { side: 'buy' }],
    ['Row 2: Type must be MARKET, LIMIT or STOP.', { type: 'TRAILING' }],
    ['Row 2: You can only place your own orders.', { user_id: randomUUID() }],
    ['Row 2: The status of a new order is NEW.', { status: 'FILLED' }],
  ])('A22: nothing is placed while one row can be no order: %s', async (message, more) => {
    expect(refusal(await placeOrders([order(), order(more)])).message).toBe(message);
    expect(await floor.rowsOf('orders', trader)).toEqual([]);
    expect(await floor.wallet(trader)).toEqual({ balance: 10_000, available: 10_000 });
  });

  test('a row that names no size is refused', async () => {
    const { size: _, ...sizeless } = order();
    expect(refusal(await placeOrders(sizeless))).toMatchObject({ status: 400, message: 'size is missing' });
  });
});

describe('client_id', () => {
  test('a repeat returns the same order and places nothing, in one request and in the next', async () => {
    const row = order({ client_id: 'a' });
    const { data: first } = await placeOrders([row, row]);
    expect(first!.map(({ id }) => id)).toEqual([first![0].id, first![0].id]);
    const { data: again } = await placeOrders(row);
    expect(again).toEqual([first![0]]);
    expect(await floor.wallet(trader)).toEqual({ balance: 10_000, available: 9_991 });
  });

  test('a repeat of a MARKET order still answers NEW', async () => {
    const row = order({ type: 'MARKET', price: null, client_id: 'm' });
    const { data: first } = await placeOrders(row);
    const { data: again } = await placeOrders(row);
    expect(again).toEqual(first);
    expect(await floor.rowsOf('positions', trader)).toHaveLength(1);
  });

  test('another order under the same id is a conflict; two in one request place nothing', async () => {
    done(await placeOrders(order({ client_id: 'a' })));
    expect(refusal(await placeOrders(order({ client_id: 'a', size: 2 })))).toMatchObject({
      status: 409,
      code: 'idempotency_conflict',
    });
    const { message } = refusal(
      await placeOrders([order({ client_id: 'b' }), order({ client_id: 'b', size: 2 })]),
    );
    expect(message).toBe('Row 2: Two rows with one client_id are not the same order.');
    expect(await floor.rowsOf('orders', trader)).toHaveLength(1);
  });
});

test('CALL-45: own orders only, and only traders place any', async () => {
  const other = await floor.addUser('trader');
  expect(refusal(await placeOrders(order({ user_id: other.id })))).toEqual({
    status: 403,
    code: 'not_allowed',
    message: 'You can only place your own orders.',
  });
  for (const role of ['manager', 'support', 'admin'] as const) {
    const staff = await floor.addUser(role);
    expect((await placeOrders(order({ user_id: staff.id }), staff)).status).toBe(403);
  }
});

test('A45: placing and cancelling during impersonation is in the audit log with both names', async () => {
  await floor.impersonate(floor.admin, trader);
  const { data, error } = await placeOrders(order(), floor.admin);
  expect(error).toBeNull();
  expect(data![0]).toMatchObject({ user_id: trader.id, status: 'NEW' });
  done(await cancel(data![0].id, floor.admin));
  await floor.call(floor.admin, 'end_impersonation', {});
  await floor.admin.client.auth.refreshSession();
  const auditRows = (await floor.audit(trader.id)).filter(({ action }) => action.startsWith('order.'));
  expect(auditRows).toMatchObject([
    { actor_id: floor.admin.id, action: 'order.place', detail: { id: data![0].id } },
    { actor_id: floor.admin.id, action: 'order.cancel', detail: { id: data![0].id, status: 'CANCELED' } },
  ]);
});
