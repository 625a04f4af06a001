/** A polled source is refreshed before a trade on it, including the close of a position (RULE-19, A24, A37). */
import { expect, test } from 'vitest';
import { type LiveTrading, openLiveTrading } from './engine-server.ts';

const symbol = 'AAPL';

/** A trader bought 1 AAPL at 256; 2.5 s later the quote is 260, which nothing has fetched yet. */
async function bought() {
  const desk = await openLiveTrading();
  desk.quotes.list(symbol, { price: 256 });
  const trader = await desk.addTrader('10000');
  const position = await desk.open(trader, { p_symbol: symbol });
  expect(position.entry_price).toBe(256);
  await desk.timers.advance(2_500);
  desk.quotes.list(symbol, { price: 260 });
  const earlier = desk.quotes.requests.length;
  const requests = () => desk.quotes.requests.slice(earlier).map(({ ticker }) => ticker);
  return { desk, trader, position, requests };
}
const priceOf = (desk: LiveTrading) => Number(desk.market.price(symbol)?.price) / 1e8;

test('RULE-19, A24: a close fetches the price first, and books that one as live', async () => {
  const { desk, trader, position, requests } = await bought();
  expect(priceOf(desk)).toBe(256);
  expect(await desk.close(trader, position.id)).toMatchObject({
    ...{ close_price: 260, close_price_source: 'live', realized_pnl: 4 },
  });
  expect(requests()).toEqual([symbol]);
});

test('RULE-19, A23: so does the close of a part', async () => {
  const { desk, trader } = await bought();
  const whole = await desk.open(trader, { p_symbol: symbol, p_size: 2 });
  await desk.timers.advance(2_500);
  desk.quotes.list(symbol, { price: 261 });
  const { caller } = trader;
  const part = { p_position_id: whole.id, p_size: 1 };
  expect(await desk.trading.procedures.close_position(caller, part)).toMatchObject({
    close_price: 261,
    size: 1,
  });
});

test('RULE-19: a silent provider delays the close by 2 s, then the last price counts', async () => {
  const { desk, trader, position } = await bought();
  desk.quotes.mode = 'hang';
  desk.quotes.list(symbol, { price: 260, mode: 'hang' });
  let isClosed = false;
  const closing = desk.close(trader, position.id).finally(() => {
    isClosed = true;
  });
  await expect.poll(() => desk.quotes.held()).toBeGreaterThan(0);
  await desk.timers.advance(1_900);
  expect(isClosed).toBe(false);
  await desk.timers.advance(200);
  expect(await closing).toMatchObject({ close_price: 256, close_price_source: 'live' });
});

test('RULE-19: another user’s or an unknown position causes no request', async () => {
  const { desk, position, requests } = await bought();
  const stranger = await desk.addTrader('100');
  await expect(desk.close(stranger, position.id)).rejects.toMatchObject({ code: 'position_not_found' });
  expect(requests()).toEqual([]);
});

test('A37: an amended order is checked at a fetched price: a stop that this price has reached is refused', async () => {
  const { desk, trader, requests } = await bought();
  const order = { symbol, side: 'BUY', type: 'STOP', price: '266', size: '1', leverage: 10 };
  const { ids } = await desk.trading.writes['orders.insert'](trader.caller, [order]);
  await desk.timers.advance(2_500);
  const before = requests().length;
  desk.quotes.list(symbol, { price: 263 });
  const amended = desk.trading.procedures.amend_order(trader.caller, { p_order_id: ids[0]!, p_price: 262 });
  await expect(amended).rejects.toMatchObject({ code: 'stop_reached' });
  expect(requests().slice(before)).toEqual([symbol]);
  expect(priceOf(desk)).toBe(263);
});

test('A37: a new order that waits is checked at a fetched price, too', async () => {
  const { desk, trader, requests } = await bought();
  const order = { symbol, side: 'BUY', type: 'STOP', price: '259', size: '1', leverage: 10 };
  const placed = desk.trading.writes['orders.insert'](trader.caller, [order]);
  await expect(placed).rejects.toMatchObject({ code: 'stop_reached' });
  expect(requests()).toEqual([symbol]);
});
