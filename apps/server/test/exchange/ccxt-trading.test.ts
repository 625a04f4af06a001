/** Unmodified ccxt trades: every kind of order, amended and cancelled, the account, its history; figures are those of the app's rows. */
import { hourMs, parseDecimal, toDecimalString } from '@fulcrum/domain';
import type { binanceusdm, Order } from 'ccxt';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { appRows, sumOf } from './app-rows.ts';
import { type Bot, type Door, startDoor } from './door.ts';
import { type ForeignHostGuard, guardForeignHosts } from './foreign-hosts.ts';
import { createCcxt } from './recipes/ccxt.ts';

const symbol = 'BTC/USDT:USDT';
let guard: ForeignHostGuard;
let door: Door;
let bot: Bot;
let exchange: binanceusdm;
let rows: ReturnType<typeof appRows>;
let markets: binanceusdm;

beforeAll(async () => {
  guard = guardForeignHosts();
  door = await startDoor();
  markets = createCcxt(door.server.url);
  await markets.loadMarkets();
});
afterAll(async () => {
  await door.close();
  guard.remove();
  expect(guard.refused).toEqual([]);
});
beforeEach(async () => {
  door.feed.setPrice('BTCUSDT', '64000');
  door.feed.setPrice('ETHUSDT', '3000');
  bot = await door.join({ p_fill_profile: 'pro' });
  rows = appRows(door, bot);
  exchange = createCcxt(door.server.url, bot.key);
  exchange.setMarketsFromExchange(markets);
});

const id = (of: Order | undefined): string => String(of?.id);
const info = (of: { readonly info?: unknown }) => of.info as Record<string, string>;

test('the balance of a new account, and after a purchase', async () => {
  expect((await exchange.fetchBalance()).USDT).toEqual({ free: 100_000, used: 0, total: 100_000 });
  await exchange.createOrder(symbol, 'market', 'buy', 0.5);
  const { balance, available } = await rows.wallet();
  const [position] = await rows.positions();
  const held = await exchange.fetchBalance();
  expect(info(held).totalWalletBalance).toBe(balance);
  expect(info(held).totalPositionInitialMargin).toBe(position?.margin);
  expect(held.USDT).toMatchObject({ free: Number(available), used: Number(position?.margin) });
});

test('a market order is answered filled; average, fee, trade and position are the app’s', async () => {
  const order = await exchange.createOrder(symbol, 'market', 'buy', 0.5, undefined, {
    clientOrderId: 'first',
  });
  const [execution] = await rows.executions();
  expect(order).toMatchObject({
    ...{ clientOrderId: 'first', type: 'market', side: 'buy', status: 'closed', amount: 0.5, filled: 0.5 },
    ...{ remaining: 0, cost: Number(execution?.value), average: Number(execution?.price), symbol },
  });
  const [trade] = await exchange.fetchMyTrades(symbol);
  expect(trade).toMatchObject({
    ...{ id: execution?.number, order: order.id, side: 'buy', amount: 0.5, takerOrMaker: 'taker' },
    ...{ price: Number(execution?.price), cost: Number(execution?.value) },
    fee: { currency: 'USDT', cost: Number(execution?.fee) },
  });
  // 0.05 % of the value, to the nearest 1e-8.
  expect(execution?.fee).toBe(
    toDecimalString((parseDecimal(execution?.value ?? '') * 5n + 5_000n) / 10_000n),
  );
  const [position] = await exchange.fetchPositions([symbol]);
  const [stored] = await rows.positions();
  expect(position).toMatchObject({
    ...{ side: 'long', contracts: 0.5, entryPrice: Number(stored?.entry_price), markPrice: 64_000 },
    ...{ leverage: 20, marginMode: 'isolated', hedged: false },
    liquidationPrice: Number(stored?.liquidation_price),
  });
  expect(info(Object(position)).isolatedWallet).toBe(stored?.margin);
  expect(await exchange.fetchOrder(id(order), symbol)).toMatchObject({ status: 'closed', filled: 0.5 });
});

test('the book that was read is what a market order walks, level by level', async () => {
  const book = await exchange.fetchOrderBook(symbol, 20);
  const size = parseDecimal('3.217');
  let left = size;
  let cost = 0n;
  let walked = 0;
  for (const [price, amount] of book.asks) {
    if (left === 0n) break;
    const level = parseDecimal(String(amount));
    const taken = level < left ? level : left;
    cost += parseDecimal(String(price)) * taken;
    left -= taken;
    walked += 1;
  }
  expect(left).toBe(0n);
  expect(walked).toBeGreaterThan(1);
  const order = await exchange.createOrder(symbol, 'market', 'buy', 3.217);
  expect(info(order).cumQuote).toBe(toDecimalString(cost / 100_000_000n));
  // To the nearest 1e-8.
  expect(info(order).avgPrice).toBe(toDecimalString((cost + size / 2n) / size));
  const [execution] = await rows.executions();
  expect(execution).toMatchObject({ value: info(order).cumQuote, price: info(order).avgPrice });
});

test('orders that wait: limit, post-only, good till date, reduce-only', async () => {
  await exchange.createOrder(symbol, 'market', 'buy', 0.1);
  const till = Date.now() + hourMs;
  const placed = [
    await exchange.createOrder(symbol, 'limit', 'buy', 0.1, 60_000),
    await exchange.createOrder(symbol, 'limit', 'buy', 0.1, 60_100, { postOnly: true }),
    await exchange.createOrder(symbol, 'limit', 'buy', 0.1, 60_200, {
      timeInForce: 'GTD',
      goodTillDate: till,
    }),
    await exchange.createOrder(symbol, 'limit', 'sell', 0.1, 70_000, { reduceOnly: true }),
  ];
  expect(placed).toMatchObject([
    { status: 'open', price: 60_000, timeInForce: 'GTC', postOnly: false },
    { status: 'open', price: 60_100, timeInForce: 'PO', postOnly: true },
    { status: 'open', price: 60_200, timeInForce: 'GTD' },
    { status: 'open', price: 70_000, reduceOnly: true, side: 'sell' },
  ]);
  const open = await exchange.fetchOpenOrders(symbol);
  expect(open.map(id)).toEqual(placed.map(id));
  expect((await rows.orders()).slice(1)).toMatchObject([
    { type: 'LIMIT', time_in_force: 'GTC', price: '60000', status: 'NEW' },
    { type: 'LIMIT', time_in_force: 'GTX', price: '60100' },
    { type: 'LIMIT', time_in_force: 'GTD', price: '60200' },
    { type: 'LIMIT', reduce_only: 'true', side: 'SELL' },
  ]);
});

test('orders that do not wait: IOC, FOK, and what they and post-only ones are refused with', async () => {
  const ioc = await exchange.createOrder(symbol, 'limit', 'buy', 0.1, 64_100, { timeInForce: 'IOC' });
  expect(ioc).toMatchObject({ status: 'closed', filled: 0.1 });
  const none = await exchange.createOrder(symbol, 'limit', 'buy', 0.1, 63_000, { timeInForce: 'IOC' });
  expect(none).toMatchObject({ status: 'expired', filled: 0 });
  const fok = await exchange.createOrder(symbol, 'limit', 'buy', 0.1, 64_100, { timeInForce: 'FOK' });
  expect(fok).toMatchObject({ status: 'closed', filled: 0.1 });
  const unfillable = exchange.createOrder(symbol, 'limit', 'buy', 0.1, 63_000, { timeInForce: 'FOK' });
  await expect(unfillable).rejects.toMatchObject({ name: 'InvalidOrder' });
  const taking = exchange.createOrder(symbol, 'limit', 'buy', 0.1, 65_000, { postOnly: true });
  await expect(taking).rejects.toMatchObject({ name: 'InvalidOrder' });
  const nothing = exchange.createOrder(symbol, 'market', 'buy', 0.1, undefined, { reduceOnly: true });
  await expect(nothing).rejects.toThrow('ReduceOnly Order is rejected.');
  const tooLarge = exchange.createOrder(symbol, 'limit', 'buy', 900, 60_000);
  await expect(tooLarge).rejects.toMatchObject({ name: 'InsufficientFunds' });
});

test('conditional orders of every type are listed apart, and as the app has them', async () => {
  await exchange.createOrder(symbol, 'market', 'buy', 0.1);
  const sell = (type: string, price: number | undefined, more: object) =>
    exchange.createOrder(symbol, type, 'sell', 0.1, price, more);
  const placed: readonly Order[] = [
    await sell('market', undefined, { stopLossPrice: 60_000, reduceOnly: true }),
    await sell('market', undefined, { takeProfitPrice: 70_000, reduceOnly: true }),
    await sell('limit', 59_900, { triggerPrice: 60_000 }),
    await sell('limit', 70_100, { takeProfitPrice: 70_000 }),
    await sell('market', undefined, { trailingPercent: 1.5, trailingTriggerPrice: 66_000, reduceOnly: true }),
    await exchange.createOrder(symbol, 'STOP_MARKET', 'sell', undefined as unknown as number, undefined, {
      ...{ stopPrice: 61_000, closePosition: true },
    }),
    await exchange.createOrder(
      symbol,
      'TAKE_PROFIT_MARKET',
      'sell',
      undefined as unknown as number,
      undefined,
      {
        ...{ stopPrice: 71_000, closePosition: true },
      },
    ),
  ];
  const stored = (await rows.orders()).slice(1);
  expect(stored).toMatchObject([
    { type: 'STOP_MARKET', trigger_price: '60000', reduce_only: 'true', size: '0.1' },
    { type: 'TAKE_PROFIT_MARKET', trigger_price: '70000', reduce_only: 'true' },
    { type: 'STOP', trigger_price: '60000', price: '59900' },
    { type: 'TAKE_PROFIT', trigger_price: '70000', price: '70100' },
    { type: 'TRAILING_STOP_MARKET', trail_rate: '1.5', trigger_price: '66000' },
    { type: 'STOP_MARKET', trigger_price: '61000', close_position: 'true' },
    { type: 'TAKE_PROFIT_MARKET', trigger_price: '71000', close_position: 'true' },
  ]);
  expect(placed.map(id)).toEqual(stored.map(({ number }) => number));
  expect(await exchange.fetchOpenOrders(symbol)).toEqual([]);
  const waiting = await exchange.fetchOpenOrders(symbol, undefined, undefined, { trigger: true });
  expect(waiting.map(id)).toEqual(placed.map(id));
  expect(waiting.map(({ triggerPrice }) => triggerPrice)).toEqual([
    ...[60_000, 70_000, 60_000, 70_000, 66_000, 61_000, 71_000],
  ]);
  const [stop, takeProfit] = placed;
  const fetched = await exchange.fetchOrder(id(stop), symbol, { trigger: true });
  expect(fetched).toMatchObject({ status: 'open', triggerPrice: 60_000, side: 'sell', amount: 0.1 });
  await exchange.cancelOrder(id(stop), symbol, { trigger: true });
  // Without the flag as well, as before there were algo orders.
  await exchange.cancelOrder(id(takeProfit), symbol);
  await exchange.cancelAllOrders(symbol, { trigger: true });
  expect(await exchange.fetchOpenOrders(symbol, undefined, undefined, { trigger: true })).toEqual([]);
  expect((await rows.orders()).slice(1).map(({ status }) => status)).toEqual(Array(7).fill('CANCELED'));
});

test('a stop that fires closes the position, and its trade belongs to the order that it became', async () => {
  await exchange.createOrder(symbol, 'market', 'buy', 0.1);
  const stop = await exchange.createOrder(
    symbol,
    'STOP_MARKET',
    'sell',
    undefined as unknown as number,
    undefined,
    {
      ...{ stopPrice: 63_000, closePosition: true },
    },
  );
  door.feed.setPrice('BTCUSDT', '62990');
  await eventually(async () => expect(await exchange.fetchPositions([symbol])).toEqual([]), 20);
  const fired = await exchange.fetchOrder(id(stop), symbol, { trigger: true });
  expect(fired.status).toBe('closed');
  const actual = await exchange.fetchOrder(String(info(fired).actualOrderId), symbol);
  const execution = (await rows.executions()).at(-1);
  expect(actual).toMatchObject({ status: 'closed', filled: 0.1, average: Number(execution?.price) });
  const trades = await exchange.fetchMyTrades(symbol);
  expect(trades.at(-1)).toMatchObject({ order: actual.id, side: 'sell', amount: 0.1 });
  expect(info(trades.at(-1) ?? {}).realizedPnl).toBe(execution?.pnl);
});

test('take profit and stop loss with an order are those of the position', async () => {
  await exchange.createOrder(symbol, 'market', 'buy', 0.1, undefined, {
    ...{ stopLoss: { triggerPrice: 62_000 }, takeProfit: { triggerPrice: 68_000 } },
  });
  expect(await rows.positions()).toMatchObject([{ take_profit_price: '68000', stop_loss_price: '62000' }]);
  const legs = await exchange.fetchOpenOrders(symbol, undefined, undefined, { trigger: true });
  expect(legs).toMatchObject([
    { triggerPrice: 68_000, side: 'sell', reduceOnly: true },
    { triggerPrice: 62_000, side: 'sell', reduceOnly: true },
  ]);
  await exchange.cancelOrder(id(legs[1]), symbol, { trigger: true });
  expect(await rows.positions()).toMatchObject([{ take_profit_price: '68000', stop_loss_price: null }]);
});

test('amended, cancelled one by one, several at once, and all', async () => {
  const order = await exchange.createOrder(symbol, 'limit', 'buy', 0.1, 60_000);
  const amended = await exchange.editOrder(id(order), symbol, 'limit', 'buy', 0.2, 60_500);
  expect(amended).toMatchObject({ id: order.id, amount: 0.2, price: 60_500, status: 'open' });
  expect(await rows.orders()).toMatchObject([{ size: '0.2', price: '60500' }]);
  expect(await exchange.cancelOrder(id(order), symbol)).toMatchObject({ id: order.id, status: 'canceled' });
  await expect(exchange.cancelOrder(id(order), symbol)).rejects.toMatchObject({ name: 'OrderNotFound' });

  const limit = (price: number, more: object = {}) => ({
    ...{ symbol, type: 'limit', side: 'buy', amount: 0.1, price, params: more },
  });
  const batch = await exchange.createOrders([
    limit(60_000, { clientOrderId: 'batch-1' }),
    limit(60_001),
    { ...limit(0), type: 'market', price: undefined as unknown as number },
  ] as Parameters<typeof exchange.createOrders>[0]);
  expect(batch).toMatchObject([
    { clientOrderId: 'batch-1', status: 'open' },
    { price: 60_001, status: 'open' },
    { type: 'market', filled: 0.1, status: 'closed' },
  ]);
  const edited = await exchange.editOrders([
    { id: batch[0]?.id, symbol, type: 'limit', side: 'buy', amount: 0.3, price: 59_000 },
  ] as unknown as Parameters<typeof exchange.editOrders>[0]);
  expect(edited).toMatchObject([{ id: batch[0]?.id, amount: 0.3, price: 59_000 }]);
  const ids = batch.slice(0, 2).map(id);
  expect(await exchange.cancelOrders(ids, symbol)).toMatchObject([
    { status: 'canceled' },
    { status: 'canceled' },
  ]);
  await exchange.createOrder(symbol, 'limit', 'buy', 0.1, 60_000);
  await exchange.createOrder('ETH/USDT:USDT', 'limit', 'buy', 1, 2_000);
  await exchange.cancelAllOrders(symbol);
  expect(await exchange.fetchOpenOrders(symbol)).toEqual([]);
  expect(await exchange.fetchOpenOrders('ETH/USDT:USDT')).toMatchObject([{ amount: 1, price: 2_000 }]);
  const history = await exchange.fetchOrders(symbol);
  expect(history.map(id)).toEqual(
    (await rows.orders()).filter((row) => row.symbol === 'BTCUSDT').map(({ number }) => number),
  );
  expect((await exchange.fetchClosedOrders(symbol)).map(id)).toEqual([batch[2]?.id]);
  expect(await exchange.fetchCanceledOrders(symbol)).toHaveLength(4);
});

test('leverage, modes, margin and fees', async () => {
  expect(await exchange.setLeverage(10, symbol)).toMatchObject({ leverage: 10, symbol: 'BTCUSDT' });
  expect(await exchange.fetchLeverage(symbol)).toMatchObject({ longLeverage: 10, marginMode: 'isolated' });
  await exchange.setMarginMode('isolated', symbol);
  await expect(exchange.setMarginMode('cross', symbol)).rejects.toThrow('Cross margin is not offered here');
  expect(await exchange.fetchPositionMode(symbol)).toMatchObject({ hedged: false });
  await exchange.setPositionMode(false);
  await expect(exchange.setPositionMode(true)).rejects.toThrow('Hedge mode is not offered here');
  const fees = { maker: 0.0002, taker: 0.0005 };
  expect(await exchange.fetchTradingFee(symbol)).toMatchObject(fees);
  const { [symbol]: tiers = [] } = await exchange.fetchLeverageTiers([symbol]);
  expect(tiers[0]).toMatchObject({
    minNotional: 0,
    maxLeverage: 125,
    maintenanceMarginRate: 0.004,
  });

  await exchange.createOrder(symbol, 'market', 'sell', 0.5);
  const [before] = await rows.positions();
  expect(before).toMatchObject({ side: 'SELL', leverage: '10' });
  await exchange.addMargin(symbol, 100.5);
  await exchange.reduceMargin(symbol, 0.25);
  const [after] = await rows.positions();
  expect(after?.margin).toBe(sumOf([before?.margin ?? '', '100.25']));
  const [position] = await exchange.fetchPositions([symbol]);
  expect(position).toMatchObject({ side: 'short', contracts: 0.5, leverage: 10 });
  expect(info(Object(position))).toMatchObject({ isolatedWallet: after?.margin, positionAmt: '-0.5' });
  expect(position?.liquidationPrice).toBe(Number(after?.liquidation_price));
  await expect(exchange.setLeverage(5, symbol)).rejects.toThrow();
});

test('trades and income are the executions and the ledger', async () => {
  await exchange.createOrder(symbol, 'market', 'buy', 0.5);
  door.feed.setPrice('BTCUSDT', '64321.07');
  await exchange.createOrder(symbol, 'market', 'sell', 0.3, undefined, { reduceOnly: true });
  const trades = await exchange.fetchMyTrades(symbol);
  const executions = await rows.executions();
  expect(
    trades.map((trade) => [
      trade.id,
      info(trade).price,
      info(trade).qty,
      info(trade).commission,
      info(trade).realizedPnl,
    ]),
  ).toEqual(executions.map(({ number, price, size, fee, pnl }) => [number, price, size, fee, pnl]));
  const incomes = await exchange.fetchLedger('USDT', undefined, 100);
  const of = (type: string) =>
    sumOf(incomes.filter((row) => info(row).incomeType === type).map((row) => String(info(row).income)));
  expect(of('REALIZED_PNL')).toBe(sumOf(executions.map(({ pnl }) => pnl ?? '')));
  expect(of('COMMISSION')).toBe(`-${sumOf(executions.map(({ fee }) => fee ?? ''))}`);
  expect(of('TRANSFER')).toBe('100000');
  expect(sumOf(incomes.map((row) => String(info(row).income)))).toBe((await rows.wallet()).balance);
});
