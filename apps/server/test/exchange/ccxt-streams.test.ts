/** Unmodified ccxt.pro: market streams, the events of its account, and orders over a socket; what it ends with is what REST and the app have. */
import { minuteMs } from '@fulcrum/domain';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { appRows } from './app-rows.ts';
import { type Bot, type Door, startDoor } from './door.ts';
import { type ForeignHostGuard, guardForeignHosts } from './foreign-hosts.ts';
import { type CcxtPro, createCcxtPro } from './recipes/ccxt.ts';

const symbol = 'BTC/USDT:USDT';
let guard: ForeignHostGuard;
let door: Door;
let bot: Bot;
let exchange: CcxtPro;
let markets: CcxtPro;
let rows: ReturnType<typeof appRows>;
let price = 64_000;

beforeAll(async () => {
  guard = guardForeignHosts();
  door = await startDoor();
  const opened = Math.floor(Date.now() / minuteMs) * minuteMs;
  const bar = { open: 63_990, high: 64_010, low: 63_980, close: 64_000, volume: 5, quote_volume: 320_000 };
  door.feed.setCandles(
    'BTCUSDT',
    [3, 2, 1].map((ago) => ({ ...bar, open_time: new Date(opened - ago * minuteMs).toISOString() })),
  );
  markets = await createCcxtPro(door.server.url);
  await markets.loadMarkets();
});
afterAll(async () => {
  await markets.close();
  await door.close();
  guard.remove();
  expect(guard.refused).toEqual([]);
});
beforeEach(async () => {
  price = 64_000;
  door.feed.setPrice('BTCUSDT', String(price));
  door.feed.setPrice('ETHUSDT', '3000');
  bot = await door.join({ p_fill_profile: 'pro' });
  rows = appRows(door, bot);
  exchange = await createCcxtPro(door.server.url, bot.key);
  exchange.setMarketsFromExchange(markets);
});
afterEach(() => exchange.close());

/** Moves the price until `read` resolves. */
async function moving<Result>(read: () => Promise<Result>): Promise<Result> {
  const timer = setInterval(() => {
    price += 1;
    door.feed.setPrice('BTCUSDT', String(price));
  }, 100);
  try {
    return await read();
  } finally {
    clearInterval(timer);
  }
}

/** Watches again and again, and keeps what came, until the client closes. */
function follow<Result>(read: () => Promise<Result>): Result[] {
  const got: Result[] = [];
  const run = async (): Promise<void> => {
    for (;;) got.push(await read());
  };
  run().catch((error: Error) => {
    if (error.constructor.name !== 'ExchangeClosedByUser') throw error;
  });
  return got;
}

const info = (row: object): Record<string, string> => (row as { info: Record<string, string> }).info;

describe('market streams', () => {
  test('the book goes on from its snapshot, and is that of REST', async () => {
    const book = await moving(async () => {
      await exchange.watchOrderBook(symbol);
      await exchange.watchOrderBook(symbol);
      return exchange.watchOrderBook(symbol);
    });
    const fetched = await markets.fetchOrderBook(symbol, 20);
    await eventually(() => {
      expect(book.asks.slice(0, 20)).toEqual(fetched.asks);
      expect(book.bids.slice(0, 20)).toEqual(fetched.bids);
    }, 20);
  });

  test('trades, candles, tickers, best prices and marks', async () => {
    const [trades, candles, ticker, tickers, bests, mark] = await moving(() =>
      Promise.all([
        exchange.watchTrades(symbol),
        exchange.watchOHLCV(symbol, '1m'),
        exchange.watchTicker(symbol),
        exchange.watchTickers(),
        exchange.watchBidsAsks([symbol]),
        exchange.watchMarkPrice(symbol),
      ]),
    );
    const isNear = (value: unknown): boolean => Math.abs(Number(value) / price - 1) < 0.01;
    expect(trades[0]).toMatchObject({ symbol, side: expect.stringMatching(/^(buy|sell)$/) });
    const shown = [trades[0]?.price, candles.at(-1)?.[4], ticker.last, tickers[symbol]?.last, mark.markPrice];
    expect(shown.map(isNear)).toEqual(Array(5).fill(true));
    expect(candles.at(-1)?.[0]).toBe(Math.floor(Number(candles.at(-1)?.[0]) / minuteMs) * minuteMs);
    expect(Number(bests[symbol]?.bid)).toBeLessThan(Number(bests[symbol]?.ask));
  });
});

describe('events of the account', () => {
  test('orders, trades, balance and positions', async () => {
    const [balances, positions] = [
      follow(() => exchange.watchBalance()),
      follow(() => exchange.watchPositions()),
    ];
    const [orders, trades] = [follow(() => exchange.watchOrders()), follow(() => exchange.watchMyTrades())];
    await new Promise((resolve) => setTimeout(resolve, 500));
    const opened = await exchange.createOrder(symbol, 'market', 'buy', 0.5, undefined, {
      clientOrderId: 'opens',
    });
    const [first] = await rows.executions();
    await eventually(() => {
      expect(
        orders.flat().find(({ clientOrderId, status }) => clientOrderId === 'opens' && status === 'closed'),
      ).toMatchObject({
        ...{ id: opened.id, filled: 0.5, average: Number(first?.price), cost: Number(first?.value) },
      });
      expect(trades.flat()[0]).toMatchObject({
        ...{ id: first?.number, order: opened.id, price: Number(first?.price), amount: 0.5 },
        fee: { cost: Number(first?.fee), currency: 'USDT' },
      });
      expect(positions.flat().find(({ contracts }) => contracts === 0.5)).toMatchObject({
        ...{ symbol, side: 'long', entryPrice: Number(first?.price) },
      });
    }, 20);
    const waits = await exchange.createOrder(symbol, 'limit', 'sell', 0.5, 70_000);
    await exchange.editOrder(String(waits.id), symbol, 'limit', 'sell', 0.4, 71_000);
    await exchange.cancelOrder(String(waits.id), symbol);
    door.feed.setPrice('BTCUSDT', '64500');
    await exchange.createOrder(symbol, 'market', 'sell', 0.5);
    const last = (await rows.executions()).at(-1);
    const { balance } = await rows.wallet();
    await eventually(() => {
      expect(
        orders
          .flat()
          .filter(({ id }) => id === waits.id)
          .at(-1),
      ).toMatchObject({ status: 'canceled', price: 71_000 });
      const closing = trades.flat().find(({ id }) => id === last?.number);
      expect(closing).toMatchObject({ price: Number(last?.price), fee: { cost: Number(last?.fee) } });
      expect(info(closing ?? { info: {} }).rp).toBe(last?.pnl);
      expect(balances.at(-1)?.USDT?.total).toBe(Number(balance));
      expect(positions.flat().at(-1)).toMatchObject({ symbol, contracts: 0 });
    }, 20);
  });

  test('each of many quick orders has its steps once, in order', async () => {
    // The client keeps the last state of each order only, so the steps are counted as they arrive.
    const steps: { name: string; execution: string; trade: number }[] = [];
    const handle = exchange.handleMessage.bind(exchange);
    exchange.handleMessage = (client, message) => {
      const { e: event, o: order } = message as { e?: string; o: { c: string; x: string; t: number } };
      if (event === 'ORDER_TRADE_UPDATE') steps.push({ name: order.c, execution: order.x, trade: order.t });
      return handle(client, message);
    };
    follow(() => exchange.watchOrders());
    await new Promise((resolve) => setTimeout(resolve, 500));
    const names = Array.from({ length: 24 }, (_, index) => `quick-${index}`);
    for (const [index, clientOrderId] of names.entries()) {
      if (index % 3 === 2) {
        const { id } = await exchange.createOrder(symbol, 'limit', 'buy', 0.01, 60_000, { clientOrderId });
        await exchange.cancelOrder(String(id), symbol);
      } else {
        const side = index % 2 === 0 ? 'buy' : 'sell';
        await exchange.createOrder(symbol, 'market', side, 0.01, undefined, { clientOrderId });
      }
    }
    await eventually(() => expect(steps.length).toBeGreaterThanOrEqual(2 * names.length), 50);
    // A step that comes twice has come by then.
    await new Promise((resolve) => setTimeout(resolve, 300));
    const stepsOf = (name: string) =>
      steps.filter((step) => step.name === name).map(({ execution }) => execution);
    expect(names.map((name) => [name, ...stepsOf(name)])).toEqual(
      names.map((name, index) => [name, 'NEW', index % 3 === 2 ? 'CANCELED' : 'TRADE']),
    );
    const traded = steps.filter(({ execution }) => execution === 'TRADE').map(({ trade }) => String(trade));
    expect(traded).toEqual((await rows.executions()).map(({ number }) => number));
  });

  test('a liquidation, and a stop that fires', async () => {
    const orders = follow(() => exchange.watchOrders());
    await new Promise((resolve) => setTimeout(resolve, 500));
    await exchange.createOrder(symbol, 'market', 'buy', 0.1);
    const stop = await exchange.createOrder(symbol, 'STOP_MARKET', 'sell', 0.1, undefined, {
      stopPrice: 63_500,
    });
    door.feed.setPrice('BTCUSDT', '63490');
    await eventually(async () => expect(await rows.positions()).toEqual([]), 20);
    const fired = await exchange.fetchOrder(String(stop.id), symbol, { trigger: true });
    const actual = await exchange.fetchOrder(String(info(fired).actualOrderId), symbol);
    await eventually(() => {
      expect(orders.flat().find(({ id }) => id === actual.id)).toMatchObject({
        filled: 0.1,
        status: 'closed',
      });
    }, 20);
    await exchange.setLeverage(100, symbol);
    await exchange.createOrder(symbol, 'market', 'buy', 1);
    door.feed.setPrice('BTCUSDT', '60000');
    await eventually(() => {
      const forced = orders
        .flat()
        .find(({ clientOrderId }) => String(clientOrderId).startsWith('autoclose-'));
      expect(forced).toMatchObject({ side: 'sell', filled: 1, status: 'closed' });
    }, 20);
  });
});

test('orders over a socket: market, limit, conditional, amended, cancelled', async () => {
  const filled = await exchange.createOrderWs(symbol, 'market', 'buy', 0.1);
  const [execution] = await rows.executions();
  expect(filled).toMatchObject({ status: 'closed', average: Number(execution?.price), filled: 0.1 });
  const waits = await exchange.createOrderWs(symbol, 'limit', 'sell', 0.1, 70_000);
  expect(waits).toMatchObject({ status: 'open', price: 70_000 });
  const amended = await exchange.editOrderWs(String(waits.id), symbol, 'limit', 'sell', 0.05, 70_500);
  expect(amended).toMatchObject({ id: waits.id, amount: 0.05, price: 70_500 });
  expect(await exchange.fetchOrderWs(String(waits.id), symbol)).toMatchObject({
    status: 'open',
    amount: 0.05,
  });
  expect(await exchange.cancelOrderWs(String(waits.id), symbol)).toMatchObject({ status: 'canceled' });
  const stop = await exchange.createOrderWs(symbol, 'market', 'sell', 0.1, undefined, {
    stopLossPrice: 60_000,
  });
  expect((await rows.orders()).map(({ number, type, status }) => [number, type, status])).toEqual([
    [filled.id, 'MARKET', 'FILLED'],
    [waits.id, 'LIMIT', 'CANCELED'],
    [stop.id, 'STOP_MARKET', 'NEW'],
  ]);
  expect(await exchange.fetchBalanceWs()).toMatchObject({ USDT: { total: expect.any(Number) } });
  expect(await exchange.fetchPositionsWs([symbol])).toMatchObject([{ contracts: 0.1, side: 'long' }]);
  await expect(exchange.createOrderWs(symbol, 'limit', 'buy', 900, 60_000)).rejects.toThrow(
    'insufficient balance',
  );
});
