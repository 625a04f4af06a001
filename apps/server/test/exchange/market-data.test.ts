/** The market data of `/fapi` over HTTP, against the market's own figures (A119): without a key, in Binance's rows. */
import { type ExchangeRoute, exchangeRoutes } from '@fulcrum/contract/exchange';
import { asPrice, minuteMs, parseDecimal, toDecimalString } from '@fulcrum/domain';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Bar } from '../../src/features/market/index.ts';
import { server, shareTestServer } from '../harness/index.ts';

shareTestServer();
beforeAll(async () => {
  const { feed } = server;
  feed.setPrice('BTCUSDT', '64000.12', {
    day: { priceChangePercent: 1.25, volume: 1234.5, quoteVolume: 78_000_000.5, high: 64_500, low: 63_000.5 },
  });
  feed.setPrice('EUR/USD', '1.08512');
  feed.setPrice('AAPL', '271.4');
  feed.setPrice('XAUUSD', '4101.5');
  feed.setPrice('SPX', '6715.25');
});

const routeOf = (path: string): ExchangeRoute => {
  const route = (exchangeRoutes as readonly ExchangeRoute[]).find(({ paths }) =>
    paths.some((known) => known === `/fapi/${path}`),
  );
  if (!route) throw new Error(`no route ${path}`);
  return route;
};

const call = (path: string, params: Record<string, string | number> = {}) => {
  const sent = Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]);
  return fetch(`${server.url}/fapi/${path}?${new URLSearchParams(sent)}`);
};

/** The answer, which has exactly the shape that the contract declares. */
// biome-ignore lint/suspicious/noExplicitAny: each test states what it expects
async function read(path: string, params?: Record<string, string | number>): Promise<any> {
  const response = await call(path, params);
  const answer = await response.json();
  expect({ path, status: response.status, answer }).toMatchObject({ path, status: 200 });
  expect(routeOf(path).result.parse(answer)).toEqual(answer);
  return answer;
}

async function refusal(path: string, params?: Record<string, string | number>) {
  const response = await call(path, params);
  return { status: response.status, ...((await response.json()) as { code: number; msg: string }) };
}

const usedIn = ({ headers }: Response): number => Number(headers.get('x-mbx-used-weight-1m'));

/** What a call uses of a bucket that has filled up again. */
async function weightUsedBy(path: string, params?: Record<string, string | number>): Promise<number> {
  await expect.poll(async () => usedIn(await call('v1/ping'))).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  return usedIn(await call(path, params));
}

describe('exchangeInfo', () => {
  test('a pair is a linear perpetual whose filters are its own limits', async () => {
    const { symbols, rateLimits, assets, serverTime } = await read('v1/exchangeInfo');
    expect(symbols.find(({ symbol }: { symbol: string }) => symbol === 'EURUSDUSDT')).toEqual({
      symbol: 'EURUSDUSDT',
      pair: 'EURUSDUSDT',
      contractType: 'PERPETUAL',
      deliveryDate: 4_133_404_800_000,
      onboardDate: Date.UTC(2015, 0, 1),
      status: 'TRADING',
      maintMarginPercent: '0.3000',
      requiredMarginPercent: '0.8000',
      baseAsset: 'EURUSD',
      quoteAsset: 'USDT',
      marginAsset: 'USDT',
      pricePrecision: 5,
      quantityPrecision: 0,
      baseAssetPrecision: 8,
      quotePrecision: 8,
      underlyingType: 'FOREX',
      underlyingSubType: ['forex'],
      triggerProtect: '0',
      liquidationFee: '0',
      marketTakeBound: '1',
      filters: [
        { filterType: 'PRICE_FILTER', minPrice: '0.00001', maxPrice: '1000000', tickSize: '0.00001' },
        { filterType: 'LOT_SIZE', minQty: '1', maxQty: '10000000', stepSize: '1' },
        { filterType: 'MARKET_LOT_SIZE', minQty: '1', maxQty: '10000000', stepSize: '1' },
        { filterType: 'MAX_NUM_ORDERS', limit: 500 },
        { filterType: 'MIN_NOTIONAL', notional: '0.00000063' },
        { filterType: 'PERCENT_PRICE', multiplierUp: '10000', multiplierDown: '0', multiplierDecimal: '4' },
      ],
      orderTypes: [
        ...['MARKET', 'LIMIT', 'STOP', 'STOP_MARKET'],
        ...['TAKE_PROFIT', 'TAKE_PROFIT_MARKET', 'TRAILING_STOP_MARKET'],
      ],
      timeInForce: ['GTC', 'IOC', 'FOK', 'GTX', 'GTD'],
    });
    expect(rateLimits).toEqual([
      { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 2400 },
      { rateLimitType: 'ORDERS', interval: 'SECOND', intervalNum: 10, limit: 300 },
      { rateLimitType: 'ORDERS', interval: 'MINUTE', intervalNum: 1, limit: 1200 },
    ]);
    expect(assets).toEqual([{ asset: 'USDT', marginAvailable: true, autoAssetExchange: '0' }]);
    expect(Math.abs(serverTime - Date.now())).toBeLessThan(minuteMs);
  });

  test('every listed pair has a row, its kind of market with it', async () => {
    const { symbols } = await read('v1/exchangeInfo');
    const { data } = await server.client().from('trading_pairs').select('symbol').limit(1000);
    expect(symbols).toHaveLength(data?.length ?? 0);
    expect(symbols.length).toBeGreaterThanOrEqual(177);
    expect(new Set(symbols.map(({ symbol }: { symbol: string }) => symbol)).size).toBe(symbols.length);
    const typeOf = (id: string) =>
      symbols.find(({ symbol }: { symbol: string }) => symbol === id)?.underlyingType;
    expect(['BTCUSDT', 'AAPLUSDT', 'SPXUSDT', 'EURUSDUSDT'].map(typeOf)).toEqual([
      ...['COIN', 'EQUITY', 'INDEX', 'FOREX'],
    ]);
    expect(typeOf('XAUUSDUSDT')).toMatch(/^COMMODITY/);
  });
});

describe('present prices', () => {
  test('24hr: the figures of the last day, the open by its change', async () => {
    const row = await read('v1/ticker/24hr', { symbol: 'BTCUSDT' });
    // 64000.12 / 1.0125 = 63209.99506
    expect(row).toMatchObject({
      symbol: 'BTCUSDT',
      lastPrice: '64000.12',
      openPrice: '63210.00',
      priceChange: '790.12',
      priceChangePercent: '1.250',
      highPrice: '64500.00',
      lowPrice: '63000.50',
      quoteVolume: '78000000.50000000',
    });
    expect(Number(row.volume)).toBe(1234.5);
    expect(row.closeTime - row.openTime).toBe(24 * 60 * minuteMs);
    expect(row.weightedAvgPrice).toBe((78_000_000.5 / 1234.5).toFixed(2));
  });

  test('a list has all that have a price, and nothing else', async () => {
    for (const path of [
      'v1/ticker/24hr',
      'v1/ticker/bookTicker',
      'v1/ticker/price',
      'v2/ticker/price',
      'v1/premiumIndex',
    ]) {
      const rows = await read(path);
      expect({ path, symbols: rows.map(({ symbol }: { symbol: string }) => symbol).sort() }).toEqual({
        path,
        symbols: ['AAPLUSDT', 'BTCUSDT', 'EURUSDUSDT', 'SPXUSDT', 'XAUUSDUSDT'],
      });
    }
  });

  test('the price is the last one, at the pair’s precision', async () => {
    expect(await read('v2/ticker/price', { symbol: 'EURUSDUSDT' })).toEqual({
      symbol: 'EURUSDUSDT',
      price: '1.08512',
      time: expect.any(Number),
    });
    expect(await read('v1/ticker/price', { symbol: 'aaplusdt' })).toMatchObject({ price: '271.40' });
  });

  test('A119: the book is that of a `pro` account, without a key', async () => {
    const trader = await server.signUpTrader();
    const { data: own } = await trader.client.rpc('get_book', { p_symbol: 'BTCUSDT' });
    const book = await read('v1/depth', { symbol: 'BTCUSDT', limit: 100 });
    const toNumbers = (levels: [string, string][]) =>
      levels.map(([price, size]) => ({ price: Number(price), size: Number(size) }));
    expect(own?.bids.length).toBeGreaterThan(5);
    expect(toNumbers(book.bids)).toEqual(own?.bids);
    expect(toNumbers(book.asks)).toEqual(own?.asks);
    expect(book.lastUpdateId).toBe(Date.parse(String(own?.priced_at)));
    expect(book.T).toBe(book.lastUpdateId);
    const five = await read('v1/depth', { symbol: 'BTCUSDT', limit: 5 });
    expect(five.bids).toEqual(book.bids.slice(0, 5));

    const [bid, ask] = [book.bids[0], book.asks[0]];
    const { time: _, lastUpdateId: __, ...best } = await read('v1/ticker/bookTicker', { symbol: 'BTCUSDT' });
    expect(best).toEqual({
      symbol: 'BTCUSDT',
      bidPrice: bid[0],
      bidQty: bid[1],
      askPrice: ask[0],
      askQty: ask[1],
    });
    expect(Number(bid[0])).toBeLessThan(Number(ask[0]));
  });

  test('ids of books ascend with the price', async () => {
    const before = await read('v1/depth', { symbol: 'XAUUSDUSDT' });
    await new Promise((resolve) => setTimeout(resolve, 5));
    server.feed.setPrice('XAUUSD', '4101.6');
    const after = await read('v1/depth', { symbol: 'XAUUSDUSDT' });
    expect(after.lastUpdateId).toBeGreaterThan(before.lastUpdateId);
  });
});

describe('trades', () => {
  test('each has a stable id that ascends in time, and its taker’s side', async () => {
    for (const price of ['1.08513', '1.08511', '1.08514']) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      server.feed.setPrice('EUR/USD', price);
    }
    const trades = await read('v1/trades', { symbol: 'EURUSDUSDT' });
    const [up, down, back] = trades.slice(-3);
    expect([up, down, back].map(({ price, isBuyerMaker }) => [price, isBuyerMaker])).toEqual([
      ['1.08513', false],
      ['1.08511', true],
      ['1.08514', false],
    ]);
    expect(up.id).toBe(up.time * 1000);
    expect(back.id).toBeGreaterThan(down.id);
    expect(Number.isSafeInteger(back.id)).toBe(true);
    const value = (parseDecimal(up.price) * parseDecimal(up.qty)) / 100_000_000n;
    expect(toDecimalString(asPrice(value))).toBe(toDecimalString(asPrice(parseDecimal(up.quoteQty))));

    expect(await read('v1/trades', { symbol: 'EURUSDUSDT' })).toEqual(trades);
    expect(await read('v1/trades', { symbol: 'EURUSDUSDT', limit: 2 })).toEqual(trades.slice(-2));
    expect(await read('v1/historicalTrades', { symbol: 'EURUSDUSDT', fromId: up.id, limit: 2 })).toEqual([
      up,
      down,
    ]);
    const aggregated = await read('v1/aggTrades', { symbol: 'EURUSDUSDT', startTime: down.time });
    expect(aggregated).toEqual(
      [down, back].map(({ id, price, qty, time, isBuyerMaker }) => ({
        ...{ a: id, p: price, q: qty, f: id, l: id, T: time, m: isBuyerMaker },
      })),
    );
    const ticker = await read('v1/ticker/24hr', { symbol: 'EURUSDUSDT' });
    expect(ticker).toMatchObject({ lastId: back.id, lastQty: back.qty, count: trades.length });
  });
});

describe('funding', () => {
  const eightHours = 8 * 60 * minuteMs;

  test('of crypto 0.01 % each eight hours, of other markets the financing of a long position each day', async () => {
    const crypto = await read('v1/premiumIndex', { symbol: 'BTCUSDT' });
    expect(crypto).toMatchObject({
      markPrice: '64000.12',
      indexPrice: '64000.12',
      lastFundingRate: '0.00010000',
      interestRate: '0.00010000',
    });
    expect(crypto.nextFundingTime % eightHours).toBe(0);
    expect(crypto.nextFundingTime).toBeGreaterThan(Date.now());
    const stock = await read('v1/premiumIndex', { symbol: 'AAPLUSDT' });
    // (3.75 % + 2.5 %) / 360
    expect(stock.lastFundingRate).toBe('0.00017361');
    expect(new Date(stock.nextFundingTime).getUTCHours()).toBe(21);
    const intervals = await read('v1/fundingInfo');
    const infoOf = (id: string) => intervals.find(({ symbol }: { symbol: string }) => symbol === id);
    expect(infoOf('BTCUSDT')).toEqual({
      symbol: 'BTCUSDT',
      adjustedFundingRateCap: '0.00010000',
      adjustedFundingRateFloor: '0.00010000',
      fundingIntervalHours: 8,
      disclaimer: false,
    });
    expect(infoOf('AAPLUSDT').fundingIntervalHours).toBe(24);
  });

  test('past rates are those that were charged, from a beginning on or the newest', async () => {
    const startTime = Date.UTC(2025, 9, 29);
    const rates = await read('v1/fundingRate', { symbol: 'AAPLUSDT', startTime, limit: 2 });
    // The base rate fell from 4.25 % to 4 % on 30 October 2025.
    expect(rates).toEqual([
      {
        symbol: 'AAPLUSDT',
        fundingRate: '0.00018750',
        fundingTime: Date.UTC(2025, 9, 29, 21),
        markPrice: '',
      },
      {
        symbol: 'AAPLUSDT',
        fundingRate: '0.00018056',
        fundingTime: Date.UTC(2025, 9, 30, 21),
        markPrice: '',
      },
    ]);
    const newest = await read('v1/fundingRate', { symbol: 'BTCUSDT', limit: 3 });
    expect(newest).toHaveLength(3);
    const last = newest.at(-1).fundingTime;
    expect(newest.map(({ fundingTime }: { fundingTime: number }) => last - fundingTime)).toEqual([
      ...[2 * eightHours, eightHours, 0],
    ]);
    expect(last).toBeLessThanOrEqual(Date.now());
    expect(last).toBeGreaterThan(Date.now() - eightHours);
    expect(await read('v1/fundingRate', { limit: 7 })).toHaveLength(7);
    expect(await read('v1/fundingRate', { symbol: 'BTCUSDT', startTime: Date.now() + eightHours })).toEqual(
      [],
    );
  });
});

describe('candles', () => {
  const first = Date.UTC(2026, 10, 20, 10);
  const barOf = (index: number): Bar => ({
    open_time: new Date(first + index * minuteMs).toISOString(),
    open: 100 + index,
    high: 101.5 + index,
    low: 99.25 + index,
    close: 100.5 + index,
    volume: 10,
    quote_volume: 1005.5,
  });

  beforeAll(() =>
    server.feed.setCandles(
      'AAPL',
      Array.from({ length: 30 }, (_, index) => barOf(index)),
    ),
  );

  test('rows of twelve, the newest ones, closing a millisecond before the next', async () => {
    const rows = await read('v1/klines', { symbol: 'AAPLUSDT', interval: '1m', limit: 2 });
    expect(rows).toEqual([
      [
        ...[first + 28 * minuteMs, '128.00', '129.50', '127.25', '128.50', '10.00'],
        ...[first + 29 * minuteMs - 1, '1005.50000000', 0, '0', '0', '0'],
      ],
      [
        ...[first + 29 * minuteMs, '129.00', '130.50', '128.25', '129.50', '10.00'],
        ...[first + 30 * minuteMs - 1, '1005.50000000', 0, '0', '0', '0'],
      ],
    ]);
    expect(
      await read('v1/continuousKlines', {
        pair: 'AAPLUSDT',
        contractType: 'PERPETUAL',
        interval: '1m',
        limit: 2,
      }),
    ).toEqual(rows);
  });

  test('the oldest from a start on; up to an end the newest', async () => {
    const opens = async (params: Record<string, number>) =>
      (await read('v1/klines', { symbol: 'AAPLUSDT', interval: '1m', ...params })).map(
        ([openTime]: [number]) => (openTime - first) / minuteMs,
      );
    expect(await opens({ startTime: first + 5 * minuteMs, limit: 3 })).toEqual([5, 6, 7]);
    expect(await opens({ startTime: first + 5 * minuteMs + 1, limit: 2 })).toEqual([6, 7]);
    expect(await opens({ startTime: 0, limit: 2 })).toEqual([0, 1]);
    expect(await opens({ startTime: first + 25 * minuteMs, endTime: first + 27 * minuteMs })).toEqual([
      25, 26, 27,
    ]);
    expect(await opens({ endTime: first + 10 * minuteMs, limit: 2 })).toEqual([9, 10]);
    expect(await opens({ startTime: first + 30 * minuteMs })).toEqual([]);
    expect(await opens({})).toHaveLength(30);
  });

  test('three minutes are put together of single ones, whole ones only', async () => {
    const rows = await read('v1/klines', { symbol: 'AAPLUSDT', interval: '3m', limit: 2 });
    expect(rows).toEqual([
      [
        ...[first + 24 * minuteMs, '124.00', '127.50', '123.25', '126.50', '30.00'],
        ...[first + 27 * minuteMs - 1, '3016.50000000', 0, '0', '0', '0'],
      ],
      [
        ...[first + 27 * minuteMs, '127.00', '130.50', '126.25', '129.50', '30.00'],
        ...[first + 30 * minuteMs - 1, '3016.50000000', 0, '0', '0', '0'],
      ],
    ]);
  });

  test('mark and index have no volume, and the premium is zero', async () => {
    const terms = { interval: '1m', limit: 1 };
    const open = first + 29 * minuteMs;
    const row = [
      open,
      '129.00',
      '130.50',
      '128.25',
      '129.50',
      '0.00',
      open + minuteMs - 1,
      '0.00000000',
      0,
      '0',
      '0',
      '0',
    ];
    expect(await read('v1/markPriceKlines', { symbol: 'AAPLUSDT', ...terms })).toEqual([row]);
    expect(await read('v1/indexPriceKlines', { pair: 'AAPLUSDT', ...terms })).toEqual([row]);
    const [premium] = await read('v1/premiumIndexKlines', { symbol: 'AAPLUSDT', ...terms });
    expect(premium.slice(1, 5)).toEqual(['0.00', '0.00', '0.00', '0.00']);
  });
});

test('weights are Binance’s, by limit and by symbol', async () => {
  const cases: [string, Record<string, string | number>, number][] = [
    ['v1/klines', { symbol: 'AAPLUSDT', interval: '1m', limit: 99 }, 1],
    ['v1/klines', { symbol: 'AAPLUSDT', interval: '1m' }, 5],
    ['v1/klines', { symbol: 'AAPLUSDT', interval: '1m', limit: 1500 }, 10],
    ['v1/depth', { symbol: 'BTCUSDT', limit: 50 }, 2],
    ['v1/depth', { symbol: 'BTCUSDT' }, 10],
    ['v1/ticker/24hr', { symbol: 'BTCUSDT' }, 1],
    ['v1/ticker/24hr', {}, 40],
    ['v1/ticker/bookTicker', {}, 5],
  ];
  for (const [path, params, weight] of cases)
    expect({ path, params, weight: await weightUsedBy(path, params) }).toEqual({ path, params, weight });
});

test('what is not there is refused in Binance’s words', async () => {
  const cases: [string, Record<string, string | number>, number, number, string][] = [
    ['v1/klines', { symbol: 'NOPEUSDT', interval: '1m' }, 400, -1121, 'Invalid symbol.'],
    ['v1/klines', { symbol: 'EUR/USD', interval: '1m' }, 400, -1121, 'Invalid symbol.'],
    ['v1/klines', { symbol: 'AAPLUSDT', interval: '1s' }, 400, -1120, 'Invalid interval.'],
    [
      'v1/klines',
      { symbol: 'AAPLUSDT', interval: '1h', limit: 1501 },
      400,
      -1100,
      "Illegal value of parameter 'limit'",
    ],
    ['v1/klines', { interval: '1m' }, 400, -1102, "Mandatory parameter 'symbol'"],
    [
      'v1/continuousKlines',
      { pair: 'BTCUSDT', contractType: 'CURRENT_QUARTER', interval: '1m' },
      400,
      -1100,
      'contractType',
    ],
    ['v1/depth', { symbol: 'BTCUSDT', limit: 7 }, 400, -4021, 'Invalid depth limit.'],
    ['v1/depth', { symbol: 'NVDAUSDT' }, 503, -1008, 'No current price for NVDA.'],
    ['v1/ticker/price', { symbol: 'NOPEUSDT' }, 400, -1121, 'Invalid symbol.'],
    ['v1/ticker/24hr', { symbol: 'NVDAUSDT' }, 503, -1008, 'No current price for NVDA.'],
    [
      'v1/openInterest',
      { symbol: 'BTCUSDT' },
      404,
      -5000,
      'Path /fapi/v1/openInterest, Method GET is invalid',
    ],
  ];
  for (const [path, params, status, code, text] of cases) {
    const answer = await refusal(path, params);
    expect({ path, ...answer }).toEqual({ path, status, code, msg: expect.stringContaining(text) });
  }
});
