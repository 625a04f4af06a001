/** Unmodified ccxt reads the simulated market of this server, and no other host (C2 of the research: `enableDemoTrading`). */

import { hourMs, minuteMs } from '@fulcrum/domain';
import type { binanceusdm } from 'ccxt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../harness/index.ts';
import { createCcxt, type ForeignHostGuard, guardForeignHosts } from './clients.ts';

let server: TestServer;
let guard: ForeignHostGuard;
let exchange: binanceusdm;

/** One of each kind of market. */
const symbols = ['BTC/USDT:USDT', 'EURUSD/USDT:USDT', 'AAPL/USDT:USDT', 'XAUUSD/USDT:USDT', 'SPX/USDT:USDT'];

beforeAll(async () => {
  guard = guardForeignHosts();
  server = await startTestServer({
    feed: null,
    config: { priceFeed: { kind: 'simulated', seed: 'ccxt reads the market' } },
  });
  exchange = createCcxt(server.url);
  await exchange.loadMarkets();
});
afterAll(async () => {
  await server.close();
  guard.remove();
  expect(guard.refused).toEqual([]);
});

/** What the market itself has. */
async function readPrice(symbol: string): Promise<number> {
  const { data } = await server.client().from('trading_pairs').select('*').eq('symbol', symbol).single();
  return Number((data as { price: number } | null)?.price);
}

test('the guard refuses another host', async () => {
  const foreign = createCcxt('http://exchange.example.test');
  await expect(foreign.fetchTime()).rejects.toThrow();
  expect(guard.refused).toEqual(['exchange.example.test']);
  (guard.refused as string[]).length = 0;
});

test('all kinds of markets are linear swaps that are active', () => {
  expect(exchange.symbols.length).toBeGreaterThanOrEqual(177);
  for (const symbol of exchange.symbols)
    expect(exchange.market(symbol)).toMatchObject({
      ...{ type: 'swap', swap: true, linear: true, inverse: false, active: true },
      ...{ settle: 'USDT', quote: 'USDT', contractSize: 1 },
    });
  expect(exchange.market('EURUSD/USDT:USDT')).toMatchObject({
    id: 'EURUSDUSDT',
    precision: { price: 0.00001, amount: 1 },
    limits: {
      amount: { min: 1, max: 10_000_000 },
      price: { min: 0.00001, max: 1_000_000 },
      cost: { min: 6.3e-7 },
    },
  });
});

test('the time is the server’s', async () => {
  expect(Math.abs(Number(await exchange.fetchTime()) - Date.now())).toBeLessThan(minuteMs);
});

test('tickers, best prices and last prices of all markets, near the market’s own', async () => {
  const tickers = await exchange.fetchTickers();
  const bests = await exchange.fetchBidsAsks();
  const lasts = await exchange.fetchLastPrices();
  const marks = await exchange.fetchMarkPrices();
  for (const symbol of exchange.symbols) {
    const [ticker, best] = [tickers[symbol], bests[symbol]];
    expect({ symbol, last: ticker?.last }).toEqual({ symbol, last: expect.any(Number) });
    expect({ symbol, mark: marks[symbol]?.markPrice }).toEqual({ symbol, mark: expect.any(Number) });
    expect({ symbol, last: lasts[symbol]?.price }).toEqual({ symbol, last: expect.any(Number) });
    expect({ symbol, isSound: Number(best?.bid) < Number(best?.ask) }).toEqual({ symbol, isSound: true });
    expect(Number(ticker?.high)).toBeGreaterThanOrEqual(Number(ticker?.low));
  }
  for (const [symbol, own] of [
    ['BTC/USDT:USDT', 'BTCUSDT'],
    ['EURUSD/USDT:USDT', 'EUR/USD'],
  ] as const) {
    const price = await readPrice(own);
    const { last } = await exchange.fetchTicker(symbol);
    expect(Math.abs(Number(last) / price - 1)).toBeLessThan(0.005);
  }
});

test.each(symbols)('%s: candles, books and trades', async (symbol) => {
  const candles = await exchange.fetchOHLCV(symbol, '1h', undefined, 100);
  expect(candles).toHaveLength(100);
  for (const [index, [open]] of candles.entries())
    expect(open).toBe(Number(candles[0]?.[0]) + index * hourMs);
  const since = Number(candles[40]?.[0]);
  expect((await exchange.fetchOHLCV(symbol, '1h', since, 5)).map(([open]) => open)).toEqual(
    candles.slice(40, 45).map(([open]) => open),
  );
  expect(await exchange.fetchOHLCV(symbol, '2h', undefined, 10)).toHaveLength(10);
  expect(await exchange.fetchMarkOHLCV(symbol, '5m', undefined, 3)).toHaveLength(3);

  const book = await exchange.fetchOrderBook(symbol, 20);
  expect(book.bids).toHaveLength(20);
  expect(book.asks).toHaveLength(20);
  expect(Number(book.bids[0]?.[0])).toBeLessThan(Number(book.asks[0]?.[0]));
  expect(Number.isSafeInteger(book.nonce)).toBe(true);

  await expect.poll(async () => (await exchange.fetchTrades(symbol)).length).toBeGreaterThan(2);
  const trades = await exchange.fetchTrades(symbol, undefined, 3);
  const ids = trades.map(({ id }) => Number(id));
  expect(ids).toEqual(ids.toSorted((left, right) => left - right));
  for (const { side, price, amount } of trades) {
    expect(['buy', 'sell']).toContain(side);
    expect(Number(price)).toBeGreaterThan(0);
    expect(Number(amount)).toBeGreaterThan(0);
  }
});

test('funding: present rates, their intervals, and past ones', async () => {
  const rate = await exchange.fetchFundingRate('BTC/USDT:USDT');
  expect(rate).toMatchObject({ fundingRate: 0.0001, interestRate: 0.0001 });
  expect(Number(rate.markPrice)).toBeGreaterThan(0);
  expect(Number(rate.fundingTimestamp ?? rate.nextFundingTimestamp)).toBeGreaterThan(Date.now());
  const rates = await exchange.fetchFundingRates();
  expect(Object.keys(rates)).toHaveLength(exchange.symbols.length);
  const intervals = await exchange.fetchFundingIntervals();
  expect(intervals).toMatchObject({
    'BTC/USDT:USDT': { interval: '8h' },
    'AAPL/USDT:USDT': { interval: '24h' },
  });
  const since = Date.UTC(2026, 0, 1);
  const past = await exchange.fetchFundingRateHistory('BTC/USDT:USDT', since, 3);
  expect(past.map(({ timestamp, fundingRate }) => [timestamp, fundingRate])).toEqual([
    [since, 0.0001],
    [since + 8 * hourMs, 0.0001],
    [since + 16 * hourMs, 0.0001],
  ]);
  expect((await exchange.fetchMarkPrice('EURUSD/USDT:USDT')).markPrice).toBeGreaterThan(0.5);
});

test('errors have the class that ccxt documents', async () => {
  await expect(exchange.fapiPublicGetKlines({ symbol: 'NOPEUSDT', interval: '1m' })).rejects.toMatchObject({
    name: 'BadSymbol',
  });
  await expect(exchange.fapiPublicGetKlines({ symbol: 'BTCUSDT', interval: '7m' })).rejects.toMatchObject({
    name: 'BadRequest',
  });
});
