/**
 * A crash in one tick of a live exchange. A trader who knows the new price from elsewhere must not trade at the
 * previous one (A106, A110).
 */
import { expect, test } from 'vitest';
import type { Trader } from './database-engine.ts';
import { type LiveTrading, openLiveTrading } from './engine-server.ts';

const symbol = 'BTCUSDT';
const stale = { code: 'price_stale', message: 'Price is stale. Trading resumes with the next price.' };
const heldText = `The price of ${symbol} is held back. Please try again with its next price.`;

/** A live BTCUSDT at 60,000, an honest 20x long of it, and a second trader; then the exchange sends 36,000. */
async function crash() {
  const desk = await openLiveTrading();
  const report = async (price: string) => {
    desk.exchange.report(symbol, price);
    await desk.timers.advance(1);
  };
  await report('60000.00');
  const [honest, quick] = [await desk.addTrader('10000'), await desk.addTrader('10000')];
  const long = await desk.open(honest, { p_symbol: symbol, p_leverage: 20 });
  await desk.timers.advance(500);
  await report('36000.00');
  return { desk, report, honest, quick, long };
}
const leave = (desk: LiveTrading, { caller }: Trader, p_position_id: string) =>
  desk.trading.procedures.close_at_reopen(caller, { p_position_id, p_wanted: true });

/** The exchange repeats the price until it is confirmed. */
async function confirm(desk: LiveTrading, report: (price: string) => Promise<void>) {
  for (const price of ['36005.00', '35957.33']) {
    await desk.timers.advance(5_000);
    await report(price);
  }
  await desk.settle();
}

test('ENG-3 A110: a crash of 40 % in one tick causes no trade until it is confirmed: a sale at the old price is refused, the long neither closes nor is liquidated', async () => {
  const { desk, report, honest, quick, long } = await crash();
  expect(desk.market.price(symbol)).toMatchObject({ price: 60_000_00000000n, state: 'stale', held: true });
  expect(desk.ticks.at(-1)).toMatchObject({ symbol, price: 60_000, state: 'stale', held: true });
  expect(desk.market.state()).toMatchObject({ held: 1, states: { stale: 1 } });

  // 129,706 of 10,000 in eleven seconds, once.
  const sale = { p_symbol: symbol, p_side: 'SELL', p_size: 5, p_leverage: 125 };
  await expect(desk.open(quick, sale)).rejects.toMatchObject(stale);
  const order = { symbol, side: 'SELL', size: '0.1', leverage: 10 };
  // Reached at the previous price, and far from it at the next one.
  const { rows } = await desk.trading.writes['orders.insert'](quick.caller, [
    { ...order, type: 'MARKET' },
    { ...order, type: 'LIMIT', price: '59000' },
  ]);
  await expect(desk.close(honest, long.id)).rejects.toMatchObject(stale);
  await desk.timers.advance(900);
  await desk.settle();
  expect(await desk.position(long.id)).toMatchObject({ status: 'open' });
  const orders = await desk.db.query(
    'select status, reason from api.orders where id = any ($1) order by type',
    [rows.map(({ id }) => id)],
  );
  const waits = { status: 'NEW', reason: null };
  expect(orders.rows).toEqual([waits, { status: 'REJECTED', reason: stale.message }]);
  const pairs = await desk.db.query(`select state, price::float from api.trading_pairs where symbol = $1`, [
    symbol,
  ]);
  expect(pairs.rows).toEqual([{ state: 'stale', price: 60_000 }]);

  await confirm(desk, report);
  expect(desk.market.price(symbol)).toMatchObject({ price: 35_957_33000000n, state: 'live', held: false });
  expect(await desk.position(long.id)).toMatchObject({ close_reason: 'liquidation', close_price: 35_957.33 });
  expect([await desk.balance(honest), await desk.balance(quick)]).toEqual([7_000, 10_000]);
});

test('ENG-3 A110: a close requested during the hold happens at the next accepted price, also with a profit, without a choice of two', async () => {
  const { desk, report, honest, quick, long } = await crash();
  // At leverage 1 a fall of 40 % liquidates nothing.
  await confirm(desk, report);
  const calm = await desk.open(quick, { p_symbol: symbol, p_size: '0.1', p_leverage: 1 });
  await desk.timers.advance(500);
  await report('60000.00');
  await expect(desk.close(quick, calm.id)).rejects.toMatchObject(stale);
  await leave(desk, quick, calm.id);
  await desk.settle();
  expect(await desk.position(calm.id)).toMatchObject({ status: 'open', close_at_reopen: true });
  for (const price of ['60010.00', '60020.00']) {
    await desk.timers.advance(5_000);
    await report(price);
  }
  await desk.settle();
  expect(await desk.position(calm.id)).toMatchObject({
    ...{ status: 'closed', close_price: 60_020, close_price_source: 'live', close_reason: 'manual' },
  });
  expect(await desk.position(long.id)).toMatchObject({ close_reason: 'liquidation' });
  expect(await desk.balance(honest)).toBe(7_000);
});

test.each([
  ['the exchange takes it back', 'return'],
  ['an admin rejects it', 'reject'],
  ['an admin accepts it', 'accept'],
] as const)('ENG-3 A110: trading resumes when %s', async (_, how) => {
  const { desk, report, quick } = await crash();
  const admin = await desk.addAdmin();
  const controls = { p_symbol: symbol, p_reason: 'Looked at other venues' };
  if (how === 'return') await report('59990.00');
  if (how === 'reject') await desk.market.controls.reject_price(admin, controls);
  if (how === 'accept') await desk.market.controls.accept_price(admin, controls);
  const price = { return: 59_990, reject: 60_000, accept: 36_000 }[how];
  expect(desk.ticks.at(-1)).toMatchObject({ symbol, price, state: 'live' });
  expect(desk.market.state().held).toBe(0);
  const opened = await desk.open(quick, { p_symbol: symbol, p_size: '0.1' });
  expect(opened.entry_price).toBe(price);
  expect((await desk.close(quick, opened.id)).close_price_source).toBe('live');
});

test('ENG-3 A110: a close requested during a hold happens at the price that an admin accepts', async () => {
  const { desk, report, quick } = await crash();
  await confirm(desk, report);
  const { id } = await desk.open(quick, { p_symbol: symbol, p_size: '0.1', p_leverage: 1 });
  await report('60000.00');
  await leave(desk, quick, id);
  const admin = await desk.addAdmin();
  await desk.market.controls.accept_price(admin, { p_symbol: symbol, p_reason: 'Every venue reports it' });
  await desk.settle();
  expect(await desk.position(id)).toMatchObject({ close_price: 60_000, close_reason: 'manual' });
});

test('ENG-3 A110, A102, A73: a reset and a deletion are refused during the hold; an edit by staff needs no price', async () => {
  const { desk, report, honest, long } = await crash();
  const { procedures, writes } = desk.trading;
  const admin = await desk.addAdmin();
  const refused = { code: 'price_held', message: heldText };
  await expect(procedures.reset_account(honest.caller, {})).rejects.toMatchObject(refused);
  const removal = { p_user_id: honest.userId, p_reason: 'Requested it' };
  await expect(desk.actions.delete_user_with_data(admin, removal)).rejects.toMatchObject(refused);
  await writes['positions.update'](admin, [long.id], { leverage: 10, reason: 'A correction' });
  expect(await desk.position(long.id)).toMatchObject({ status: 'open', leverage: 10 });
  await report('59990.00');
  await procedures.reset_account(honest.caller, {});
  expect(await desk.position(long.id)).toMatchObject({ status: 'closed', close_price: 59_990 });
  await desk.actions.delete_user_with_data(admin, removal);
});

/**
 * A crash with a server restart during its hold; the exchange then is dead, or with `auto` too slow. `calm` is a long
 * that no fall liquidates.
 */
async function crashAndDie(kind: 'live' | 'auto') {
  const before = await openLiveTrading();
  const report = async (price: string) => {
    before.exchange.report(symbol, price);
    await before.timers.advance(1);
  };
  await report('60000.00');
  const [honest, quick] = [await before.addTrader('10000'), await before.addTrader('10000')];
  const long = await before.open(honest, { p_symbol: symbol, p_leverage: 20 });
  const calm = await before.open(quick, { p_symbol: symbol, p_size: '0.1', p_leverage: 1 });
  await before.timers.advance(500);
  await report('36000.00');
  // What is held is stored with the last prices, within a second.
  await before.timers.advance(1_000);
  if (kind === 'live') before.exchange.refuse(true);
  else before.exchange.hold();
  const desk = await before.restart({ priceFeed: kind === 'live' ? { kind } : { kind, seed: null } });
  return { desk, honest, quick, long, calm };
}

/** No trade at the old price: no opening, no close, no reset; an order waits, and so does a close. */
async function expectNoTrade({ desk, honest, quick, long, calm }: Awaited<ReturnType<typeof crashAndDie>>) {
  expect(desk.market.price(symbol)).toMatchObject({ price: 60_000_00000000n, state: 'stale', held: true });
  expect(desk.market.ticks()).toContainEqual(expect.objectContaining({ symbol, state: 'stale', held: true }));
  expect(desk.market.state()).toMatchObject({ held: 1 });
  const sale = { p_symbol: symbol, p_side: 'SELL', p_size: '0.1', p_leverage: 10 };
  await expect(desk.open(quick, sale)).rejects.toMatchObject(stale);
  await expect(desk.close(honest, long.id)).rejects.toMatchObject(stale);
  await expect(desk.close(quick, calm.id)).rejects.toMatchObject(stale);
  const reset = desk.trading.procedures.reset_account(honest.caller, {});
  await expect(reset).rejects.toMatchObject({ code: 'price_held', message: heldText });
  // Reached at the previous price, and far from it at the next one.
  const limit = { symbol, side: 'SELL', type: 'LIMIT', price: '59000', size: '0.1', leverage: 20 };
  const { rows } = await desk.trading.writes['orders.insert'](honest.caller, [limit]);
  await leave(desk, quick, calm.id);
  const expectWaiting = async () => {
    await desk.settle();
    const orders = await desk.db.query('select status from api.orders where id = $1', [rows[0]?.id]);
    expect(orders.rows).toEqual([{ status: 'NEW' }]);
  };
  await desk.timers.advance(20_000);
  await expectWaiting();
  for (const { id } of [long, calm]) expect(await desk.position(id)).toMatchObject({ status: 'open' });
  return { expectWaiting };
}

test.each([
  ['an admin accepts it', true],
  ['the exchange is back and confirms it again', false],
])(
  'ENG-3: a restart preserves a hold (A110): with a dead exchange nothing trades at the old price, and everything waiting happens at the new one once %s',
  async (_, isAccepted) => {
    const crashed = await crashAndDie('live');
    const { desk, honest, quick, long, calm } = crashed;
    const { expectWaiting } = await expectNoTrade(crashed);
    if (isAccepted) {
      const seen = { p_symbol: symbol, p_reason: 'Every venue reports it', p_price: 36_000 };
      await desk.market.controls.accept_price(await desk.addAdmin(), seen);
      expect(desk.market.price(symbol)).toMatchObject({ price: 36_000_00000000n, held: false });
    }
    desk.exchange.set(symbol, '36005.00');
    desk.exchange.refuse(false);
    while (desk.market.state().lastTickAt === null) await desk.timers.advance(500);
    // Prices from before the restart confirm nothing: the exchange has to send it three times again.
    expect(desk.market.price(symbol)).toMatchObject({ held: !isAccepted });
    await desk.timers.advance(60_000);
    await expectWaiting();
    expect(await desk.position(long.id)).toMatchObject({ close_reason: 'liquidation', close_price: 36_005 });
    expect(await desk.position(calm.id)).toMatchObject({ close_reason: 'manual', close_price: 36_005 });
    expect([await desk.balance(honest), await desk.balance(quick)]).toEqual([7_000, 7_600.5]);
    const stored = 'select held_price from app.last_prices where held_price is not null';
    expect((await desk.db.query(stored)).rows).toEqual([]);
  },
);

test('ENG-3: a restart preserves a hold (A110), while PRICE_FEED=auto waits for a slow exchange, and when it has found another source', async () => {
  await expectNoTrade(await crashAndDie('auto'));
});
