/** The effects of ticks: every kind of trigger, live, on a real ledger. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type EngineSetup, openEngine, type Trader } from './database-engine.ts';

let desk: EngineSetup;
let trader: Trader;
beforeEach(async () => {
  desk = await openEngine();
  trader = await desk.addTrader('1000');
});
afterEach(async () => {
  expect(await desk.invariants()).toMatchObject({ ok: true, violations: [] });
  expect(desk.trading.state()).toMatchObject({ halted: null, staleAccounts: 0, queued: 0 });
  await desk.dispose();
});

const positionOf = async (id: string) => {
  const { rows } = await desk.db.query<Record<string, unknown>>(
    `select status, close_price::float8, realized_pnl::float8, close_reason, close_price_source, margin_warned
     from app.positions where id = $1`,
    [id],
  );
  return rows[0];
};
const orderOf = async (id: string) => {
  const { rows } = await desk.db.query<Record<string, unknown>>(
    'select status, reason, reserved::float8, position_id from app.orders where id = $1',
    [id],
  );
  return rows[0];
};
const tick = async (price: string, more?: { stale?: boolean; marketOpen?: boolean }) => {
  desk.clock.advance(1_000);
  desk.tick('BTCUSDT', price, more);
  await desk.settle();
};

describe('positions', () => {
  test('RULE-38, A03, A04, A05: at the liquidation price the position ends at once, at the price of the tick', async () => {
    const { id, liquidation_price } = await desk.open(trader);
    expect(liquidation_price).toBe(90.5);
    await tick('90.51');
    expect(await positionOf(id)).toMatchObject({ status: 'open' });
    await tick('90.5');
    expect(await positionOf(id)).toMatchObject({
      status: 'closed',
      close_price: 90.5,
      realized_pnl: -9.5,
      close_reason: 'liquidation',
      close_price_source: 'live',
    });
    expect(await desk.notices(trader)).toEqual([
      { kind: 'margin_warning', message: expect.stringContaining('90.51') },
      { kind: 'liquidation', message: expect.stringContaining('90.50') },
    ]);
    expect(desk.trading.state()).toMatchObject({ armed: 0, positions: 0, crossings: 2 });
  });

  test('A03: a gap through the liquidation price loses the margin and no more', async () => {
    const { id } = await desk.open(trader);
    await tick('50');
    expect(await positionOf(id)).toMatchObject({ close_reason: 'liquidation', realized_pnl: -10 });
    expect(await desk.wallet(trader)).toMatchObject({
      balance: '990.00000000',
      available_balance: '990.00000000',
    });
  });

  test.each([
    ['BUY', 110, 95, '109.99', '110', 'take_profit', 10],
    ['BUY', 110, 95, '95.01', '95', 'stop_loss', -5],
    ['SELL', 90, 105, '90.01', '90', 'take_profit', 10],
    ['SELL', 90, 105, '104.99', '105.2', 'stop_loss', -5.2],
  ])(
    'A21: %s with take profit %d and stop loss %d waits at %s and closes at %s',
    async (side, p_take_profit_price, p_stop_loss_price, before, at, reason, pnl) => {
      const { id } = await desk.open(trader, { p_side: side, p_take_profit_price, p_stop_loss_price });
      await tick(before);
      expect(await positionOf(id)).toMatchObject({ status: 'open' });
      await tick(at);
      expect(await positionOf(id)).toMatchObject({
        status: 'closed',
        close_reason: reason,
        close_price: Number(at),
        realized_pnl: pnl,
      });
      expect((await desk.notices(trader)).map(({ kind }) => kind)).toEqual([reason]);
      expect(desk.trading.state().armed).toBe(0);
    },
  );

  test('A21: a stop loss that was moved fires at its new price, and a removed one never', async () => {
    const moved = await desk.open(trader, { p_stop_loss_price: 95 });
    const free = await desk.open(trader, { p_stop_loss_price: 96 });
    const protect = (id: string, stop: number | null) =>
      desk.trading.procedures.set_take_profit_stop_loss(trader.caller, {
        p_position_id: id,
        p_take_profit_price: null,
        p_stop_loss_price: stop,
      });
    await protect(moved.id, 93);
    await protect(free.id, null);
    await tick('94');
    expect(await positionOf(moved.id)).toMatchObject({ status: 'open' });
    expect(await positionOf(free.id)).toMatchObject({ status: 'open' });
    await tick('93');
    expect(await positionOf(moved.id)).toMatchObject({ close_reason: 'stop_loss' });
    expect(await positionOf(free.id)).toMatchObject({ status: 'open' });
  });

  test('A104: one margin warning on the way down, and another one only after the price was back', async () => {
    const { id } = await desk.open(trader);
    for (const price of ['92.4', '92.3', '92.5', '93', '92']) await tick(price);
    expect(await desk.notices(trader)).toHaveLength(1);
    expect(await positionOf(id)).toMatchObject({ margin_warned: true, status: 'open' });
    await desk.restart();
    await tick('92.1');
    expect(await desk.notices(trader)).toHaveLength(1);
    await tick('93.4');
    expect(await positionOf(id)).toMatchObject({ margin_warned: false });
    await tick('92.4');
    expect((await desk.notices(trader)).map(({ kind }) => kind)).toEqual([
      'margin_warning',
      'margin_warning',
    ]);
  });

  test('A37 A98: a stale price and a closed market trigger nothing; the reopening price does', async () => {
    const { id } = await desk.open(trader);
    await tick('90', { stale: true });
    await tick('89', { marketOpen: false });
    expect(await positionOf(id)).toMatchObject({ status: 'open' });
    await tick('88');
    expect(await positionOf(id)).toMatchObject({ close_reason: 'liquidation', close_price: 88 });
  });

  test('A05: one tick past all triggers liquidates', async () => {
    const { id } = await desk.open(trader, { p_stop_loss_price: 95 });
    await tick('90');
    expect(await positionOf(id)).toMatchObject({ close_reason: 'liquidation' });
    expect(await desk.notices(trader)).toHaveLength(1);
  });
});

describe('orders', () => {
  test('A20: a LIMIT fills at the price of the tick, with its protection, which is armed at once', async () => {
    const order = await desk.placeOrder(trader, {
      type: 'LIMIT',
      price: '95',
      take_profit_price: '99',
      stop_loss_price: '94',
    });
    expect(order).toMatchObject({ status: 'NEW', reserved: 9.5 });
    expect(await desk.wallet(trader)).toMatchObject({
      balance: '1000.00000000',
      available_balance: '990.50000000',
    });
    await tick('94.9');
    const filled = await orderOf(order.id);
    expect(filled).toMatchObject({ status: 'FILLED', reserved: 0 });
    expect(await desk.wallet(trader)).toMatchObject({ available_balance: '990.51000000' });
    await tick('99.5');
    expect(await positionOf(String(filled?.position_id))).toMatchObject({
      close_reason: 'take_profit',
      realized_pnl: 4.6,
    });
  });

  test('A20: a LIMIT that is already reached fills at once, a STOP waits for its price', async () => {
    const limit = await desk.placeOrder(trader, { type: 'LIMIT', price: '101' });
    const stop = await desk.placeOrder(trader, { type: 'STOP', price: '105' });
    await desk.settle();
    expect(await orderOf(limit.id)).toMatchObject({ status: 'FILLED' });
    expect(await orderOf(stop.id)).toMatchObject({ status: 'NEW', reserved: 10.5 });
    await tick('105');
    expect(await orderOf(stop.id)).toMatchObject({ status: 'FILLED' });
  });

  test('A20: a STOP that a gap makes too expensive is rejected with the text, and its reserve is free', async () => {
    const poor = await desk.addTrader('10.5');
    const order = await desk.placeOrder(poor, { type: 'STOP', price: '105' });
    await tick('110');
    expect(await orderOf(order.id)).toMatchObject({
      status: 'REJECTED',
      reason: 'Insufficient available balance. Required: 11.00 USDT, Available: 10.50 USDT',
      reserved: 0,
    });
    expect(await desk.notices(poor)).toMatchObject([{ kind: 'order_rejected' }]);
    expect(await desk.wallet(poor)).toMatchObject({ available_balance: '10.50000000' });
  });

  test('A20: a canceled order never fills', async () => {
    const order = await desk.placeOrder(trader, { type: 'LIMIT', price: '95' });
    await desk.trading.writes['orders.update'](trader.caller, [order.id], { status: 'CANCELED' });
    await tick('90');
    expect(await orderOf(order.id)).toMatchObject({ status: 'CANCELED', reserved: 0 });
    expect(desk.trading.state()).toMatchObject({ armed: 0, orders: 0 });
  });

  test('A98: an order placed in a closed market waits, and the reopening price fills it', async () => {
    desk.setPrice('BTCUSDT', '100', { marketOpen: false });
    const order = await desk.placeOrder(trader, { type: 'LIMIT', price: '101' });
    await desk.settle();
    expect(await orderOf(order.id)).toMatchObject({ status: 'NEW' });
    await tick('99');
    expect(await orderOf(order.id)).toMatchObject({ status: 'FILLED' });
  });

  test('A19 A20: a MARKET order is answered NEW, never waits, and both changes are announced', async () => {
    const order = await desk.placeOrder(trader, { type: 'MARKET', price: null });
    expect(order).toMatchObject({ status: 'NEW', reserved: 0, position_id: null, version: 1 });
    const filled = await orderOf(order.id);
    expect(filled).toMatchObject({ status: 'FILLED' });
    const ofOrder = desk.changes.filter(({ record }) => record?.id === order.id);
    expect(ofOrder.map(({ type, record }) => [type, record?.status, record?.version])).toEqual([
      ['INSERT', 'NEW', 1],
      ['UPDATE', 'FILLED', 2],
    ]);
    expect(desk.changes.map(({ table }) => table)).toEqual([
      'orders',
      'orders',
      'positions',
      'notifications',
      'wallets',
    ]);
    expect(await desk.wallet(trader)).toMatchObject({ available_balance: '990.00000000', version: '3' });

    const refused = await desk.placeOrder(trader, { type: 'MARKET', size: '1000' });
    expect(await orderOf(refused.id)).toMatchObject({
      status: 'REJECTED',
      reason: 'Insufficient available balance. Required: 10000.00 USDT, Available: 990.00 USDT',
    });
  });
});
