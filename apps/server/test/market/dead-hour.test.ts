/**
 * Every source dead for an hour, with open positions: the whole server in `PRICE_FEED=live` on real sockets to loopback
 * providers, one virtual hour in seconds. The virtual clock is ahead of every real one, because the official client
 * reads the real one.
 */
import { texts } from '@fulcrum/contract';
import { hourMs, minuteMs } from '@fulcrum/domain';
import { expect, onTestFinished, test } from 'vitest';
import { catalogue } from '../../src/features/market/catalogue/index.ts';
import { loadConfig } from '../../src/platform/config/index.ts';
import { createOutbound } from '../../src/platform/outbound/index.ts';
import { eventually } from '../harness/eventually.ts';
import { startTestServer, type Trader, testLog } from '../harness/index.ts';
import { createManualTimers } from '../harness/manual-timers.ts';
import { startExchange } from './exchange-server.ts';
import { listPairs, startQuoteServer, withSettling } from './quote-server.ts';

/** A Friday on which everything is open: 10:00 in New York, 15:00 in London. */
const fridayMorning = Date.UTC(2096, 10, 23, 15, 0);

async function startWithProviders() {
  let settle = async (): Promise<void> => {};
  const timers = createManualTimers(fridayMorning, () => settle());
  const exchange = await startExchange(timers);
  const quotes = await startQuoteServer(timers.now);
  for (const { type, symbol, typical } of catalogue) {
    if (type === 'crypto') exchange.set(symbol, (typical?.price ?? 100).toFixed(8));
  }
  listPairs(quotes, catalogue, () => 100);
  const real = createOutbound({ allowPrivate: true, timers, log: testLog });
  const toExchange = exchange.through(real);
  const toQuotes = withSettling(real, quotes.held);
  settle = async () => {
    await exchange.settled();
    await toQuotes.settle();
  };
  const { providers } = loadConfig({
    BINANCE_URL: exchange.url,
    BINANCE_STREAM_URL: exchange.streamUrl,
    YAHOO_URL: quotes.url,
    QUOTES_PER_S: '2',
    ALLOW_PRIVATE_PROVIDERS: 'true',
  });
  const server = await startTestServer({
    feed: null,
    timers,
    outbound: {
      get: (url, options) =>
        url.startsWith(exchange.url) ? toExchange.get(url, options) : toQuotes.outbound.get(url, options),
      post: real.post,
      connect: toExchange.connect,
      close: () => real.close(),
    },
    config: { priceFeed: { kind: 'live' }, providers },
  });
  onTestFinished(async () => {
    await server.close();
    await exchange.close();
    await quotes.stop();
  });
  return { server, exchange, quotes, timers };
}

/** An access token lives for an hour, and the virtual hours are longer than the client's real ones. */
const signInAgain = async ({ client, email, password }: Trader) => {
  const { error } = await client.auth.signInWithPassword({ email, password });
  expect(error).toBeNull();
};

test('A37 A24 FEED-16 FEED-30: an hour without any source loses no position, fires nothing on stale prices, and ends by itself', async () => {
  const { server, exchange, quotes, timers } = await startWithProviders();
  const trader = await server.signUpTrader({ balance: 10_000 });
  const rows = async (text: string) => (await server.db.query(text)).rows;
  const priceOf = (symbol: string) => server.server.market.price(symbol);
  exchange.report('BTCUSDT', '100000.00');
  await eventually(() => expect(priceOf('BTCUSDT')?.state).toBe('live'));
  await eventually(async () => {
    await timers.advance(1_000);
    expect(priceOf('AAPL')?.state).toBe('live');
    expect(priceOf('EUR/USD')?.state).toBe('live');
  });

  const open = (symbol: string, side: string, size: number, leverage: number, entry: number) =>
    trader.client.rpc('open_position', {
      p_user_id: trader.userId,
      p_symbol: symbol,
      p_side: side,
      p_size: size,
      p_leverage: leverage,
      p_entry_price: entry,
      p_required_margin: 1,
    });
  /** An order fetches its polled price first, which takes virtual time. */
  const meanwhile = async <Result>(work: PromiseLike<Result>): Promise<Result> => {
    let isOver = false;
    const result = Promise.resolve(work).finally(() => {
      isOver = true;
    });
    while (!isOver) await timers.advance(100);
    return result;
  };
  exchange.report('BTCUSDT', '100000.00');
  await timers.advance(0);
  const bitcoin = await open('BTCUSDT', 'BUY', 0.01, 10, 100_000);
  const apple = await meanwhile(open('AAPL', 'SELL', 1, 5, 100));
  const euro = await meanwhile(open('EUR/USD', 'BUY', 10, 5, 100));
  for (const { error } of [bitcoin, apple, euro]) expect(error).toBeNull();
  const { error: stopError } = await trader.client.rpc('set_take_profit_stop_loss', {
    p_position_id: bitcoin.data.id,
    p_take_profit_price: null,
    p_stop_loss_price: 95_000,
  });
  expect(stopError).toBeNull();
  const { error: orderError } = await trader.client.from('orders').insert({
    user_id: trader.userId,
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'LIMIT',
    price: 90_000,
    size: 0.01,
    leverage: 10,
  });
  expect(orderError).toBeNull();
  await timers.advance(2_000);
  const before = await rows(`select id, status, close_price from app.positions order by id`);
  expect(before).toHaveLength(3);

  // Everything dies at once; the exchange's world goes on without us, through the stop and the liquidation.
  exchange.refuse(true);
  quotes.mode = 'reset';
  const callsBefore = { quotes: quotes.requests.length, exchange: exchange.calls };
  exchange.set('BTCUSDT', '80000.00');
  await timers.advance(61 * minuteMs);

  expect(await rows(`select id, status, close_price from app.positions order by id`)).toEqual(before);
  expect(await rows(`select status from app.orders`)).toEqual([{ status: 'NEW' }]);
  for (const symbol of ['BTCUSDT', 'AAPL', 'EUR/USD']) {
    expect(priceOf(symbol)).toMatchObject({ state: 'stale' });
    expect(timers.now() - priceOf(symbol)!.pricedAt).toBeGreaterThan(hourMs);
  }
  expect(await rows(`select distinct state from api.trading_pairs where price is not null`)).toEqual([
    { state: 'stale' },
  ]);
  // An outage costs the providers little: at most one request a second each, however long it lasts.
  expect(exchange.calls - callsBefore.exchange).toBeLessThan(2 * 61 * 60);
  expect(quotes.requests.length - callsBefore.quotes).toBeLessThan(2 * 61 * 60);

  await signInAgain(trader);
  const refused = await open('BTCUSDT', 'BUY', 0.001, 10, 100_000);
  expect(refused.error?.message).toBe(texts.priceStale);
  const health = await (await fetch(`${server.url}/health`)).json();
  expect(health).toMatchObject({ status: 'degraded' });

  // The sources return without a restart of the server, and the stop fires at the price of that time.
  exchange.refuse(false);
  quotes.mode = 'ok';
  exchange.set('BTCUSDT', '94000.00');
  await eventually(async () => {
    await timers.advance(5_000);
    exchange.report('BTCUSDT', '94000.00');
    expect(priceOf('BTCUSDT')).toMatchObject({ state: 'live', price: 94_000_00000000n });
    expect(priceOf('AAPL')?.state).toBe('live');
    expect(priceOf('EUR/USD')?.state).toBe('live');
  });
  await eventually(async () =>
    expect(
      await rows(`select symbol, status, close_reason, close_price from app.positions order by symbol`),
    ).toEqual([
      { symbol: 'AAPL', status: 'open', close_reason: null, close_price: null },
      { symbol: 'BTCUSDT', status: 'closed', close_reason: 'stop_loss', close_price: '94000.00000000' },
      { symbol: 'EUR/USD', status: 'open', close_reason: null, close_price: null },
    ]),
  );
  await eventually(() => expect(exchange.open).toBe(1));
}, 120_000);
