import { expect, test } from 'vitest';
import { catalogue } from '../../src/features/market/catalogue/index.ts';
import { PriceError } from '../../src/features/market/price-error.ts';
import { listPairs } from './quote-server.ts';
import { fridayMorning, openSetting } from './yahoo-server.ts';

const pricesOf = (ticks: readonly { symbol: string; price: number | string }[], symbol: string) =>
  ticks.filter((tick) => tick.symbol === symbol).map(({ price }) => price);

test('FEED-20, FEED-22, FEED-23, FEED-24, FEED-25, FEED-26: requests each market’s ticker as a browser would', async () => {
  const { server, ticks, start, timers } = await openSetting([
    'AAPL',
    'EUR/USD',
    'USD/JPY',
    'GBP/CHF',
    'XAUUSD',
    'SPX',
  ]);
  await start();
  await timers.advance(3_000);
  expect(new Set(server.requests.map(({ target }) => target))).toEqual(
    new Set(
      ['AAPL', 'EURUSD%3DX', 'JPY%3DX', 'GBPCHF%3DX', 'GC%3DF', '%5EGSPC'].map(
        (ticker) => `/v8/finance/chart/${ticker}?interval=1m&range=1d`,
      ),
    ),
  );
  for (const { userAgent } of server.requests) expect(userAgent).toMatch(/^Mozilla\/5\.0 /);
  expect(ticks.map(({ symbol, price, source }) => ({ symbol, price, source }))).toContainEqual({
    symbol: 'USD/JPY',
    price: 100,
    source: 'yahoo',
  });
});

test('FEED-21, A34: a tick carries the price, its times and the figures of the day', async () => {
  const { server, ticks, start } = await openSetting(['AAPL']);
  const session = { from: Date.UTC(2026, 10, 20, 14, 30), to: Date.UTC(2026, 10, 20, 21, 0) };
  const time = fridayMorning / 1000 - 3;
  server.list('AAPL', { price: 210, time, previousClose: 200, high: 212, low: 199, volume: 10, session });
  await start();
  expect(ticks).toEqual([
    {
      symbol: 'AAPL',
      source: 'yahoo',
      price: 210,
      marketTime: fridayMorning - 3_000,
      receivedAt: fridayMorning,
      day: { priceChangePercent: 5, volume: 10, quoteVolume: 2070, high: 212, low: 199 },
    },
  ]);
});

test('FEED-07, FEED-27, FEED-31: polls stocks, forex and commodities every 2 s', async () => {
  const { server, timers, start } = await openSetting(['AAPL', 'EUR/USD', 'XAUUSD'], { quotesPerS: 10 });
  server.cacheControl = null;
  await start();
  await timers.advance(10_000);
  for (const ticker of ['AAPL', 'EURUSD=X', 'GC=F']) {
    const times = server.requests.filter((one) => one.ticker === ticker).map(({ at }) => at - fridayMorning);
    expect(times).toEqual([0, 2_000, 4_000, 6_000, 8_000, 10_000]);
  }
});

test('FEED-32: polls indices every 5 s', async () => {
  const { server, timers, start } = await openSetting(['SPX'], { quotesPerS: 10 });
  server.cacheControl = null;
  await start();
  await timers.advance(15_000);
  expect(server.requests.map(({ at }) => at - fridayMorning)).toEqual([0, 5_000, 10_000, 15_000]);
});

test('an answer with a max-age of 10 s is not requested again before', async () => {
  const { server, timers, start } = await openSetting(['AAPL'], { quotesPerS: 10 });
  await start();
  await timers.advance(30_000);
  expect(server.requests.map(({ at }) => at - fridayMorning)).toEqual([0, 10_000, 20_000, 30_000]);
});

const stocks = ['AAPL', 'MSFT', 'NVDA', 'AMZN', 'GOOGL', 'META', 'TSLA', 'AVGO', 'JPM', 'V'];

test('the other symbols are requested in rotation, within the budget', async () => {
  const { server, timers, start, takeTickers } = await openSetting(stocks);
  await start();
  await timers.advance(6_000);
  expect(takeTickers()).toEqual(stocks);
  await timers.advance(54_000);
  // Four at once at the start, then one a second.
  expect(server.requests.length).toBeLessThanOrEqual(64);
  expect(server.requests.length).toBeGreaterThan(58);
  const counts = stocks.map((ticker) => server.requests.filter((one) => one.ticker === ticker).length);
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
});

test('A27: every listed pair with a ticker has its price after one round, in the unit of its name', async () => {
  const polled = catalogue.filter(({ yahoo }) => yahoo !== null);
  const { server, timers, start, ticks, missing } = await openSetting(polled.map(({ symbol }) => symbol));
  listPairs(server, polled);
  await start();
  await timers.advance((polled.length + 5) * 1_000);
  const prices = new Map(ticks.map(({ symbol, price }) => [symbol, price]));
  expect(prices).toEqual(new Map(polled.map(({ symbol, typical }) => [symbol, typical?.price])));
  expect(missing).toEqual([]);
});

test('symbols of positions and orders come first, then watched ones, then the rest', async () => {
  const { timers, start, takeTickers, inUse, shown } = await openSetting([...stocks, 'EUR/USD'], {
    quotesPerS: 0.5,
  });
  await start();
  await timers.advance(20_000);
  takeTickers();
  inUse.add('TSLA');
  shown.add('JPM').add('V');
  await timers.advance(60_000);
  const tickers = takeTickers();
  // Thirty requests in a minute: TSLA, JPM and V as soon as they are due, the others with what is left.
  const count = (ticker: string) => tickers.filter((one) => one === ticker).length;
  expect(count('TSLA')).toBeGreaterThanOrEqual(5);
  expect(count('JPM')).toBeGreaterThanOrEqual(5);
  expect(count('V')).toBeGreaterThanOrEqual(5);
  expect(count('EURUSD=X')).toBeGreaterThanOrEqual(1);
  expect(tickers.length).toBeLessThanOrEqual(30);
});

test('when not even the symbols in use fit the budget, they alternate and get all of it', async () => {
  const { timers, start, takeTickers, inUse } = await openSetting(stocks, { quotesPerS: 0.2 });
  await start();
  await timers.advance(20_000);
  for (const symbol of ['AAPL', 'MSFT', 'NVDA']) inUse.add(symbol);
  takeTickers();
  await timers.advance(60_000);
  const tickers = takeTickers();
  expect(new Set(tickers)).toEqual(new Set(['AAPL', 'MSFT', 'NVDA']));
  expect(tickers.filter((one) => one === 'AAPL')).toHaveLength(4);
});

test('A37: a fetch goes ahead of the queue, not beyond the budget, and shares a request under way', async () => {
  const { timers, start, takeTickers, feed, ticks, settle } = await openSetting(stocks);
  await start();
  takeTickers();
  const fetched = Promise.all([feed.fetch('V'), feed.fetch('V'), feed.fetch('JPM')]);
  await settle();
  expect(takeTickers()).toEqual([]);
  await timers.advance(2_000);
  expect(takeTickers()).toEqual(['V', 'JPM']);
  await fetched;
  expect(pricesOf(ticks, 'V')).toEqual([100]);
});

test('FEED-07: a price younger than 2 s is not fetched again', async () => {
  const { timers, start, takeTickers, feed, settle } = await openSetting(['AAPL']);
  await start();
  await timers.advance(1_999);
  await feed.fetch('AAPL');
  expect(takeTickers()).toEqual(['AAPL']);
  await timers.advance(1);
  const fetched = feed.fetch('AAPL');
  await settle();
  await fetched;
  expect(takeTickers()).toEqual(['AAPL']);
});

test('fetches of many symbols and symbols in use alternate', async () => {
  const { server, timers, start, takeTickers, feed, inUse } = await openSetting(stocks);
  server.cacheControl = null;
  await start();
  await timers.advance(10_000);
  inUse.add('AAPL').add('MSFT').add('NVDA');
  await timers.advance(2_000);
  takeTickers();
  const fetched = Promise.all(['AMZN', 'GOOGL', 'META', 'TSLA', 'JPM', 'V'].map((one) => feed.fetch(one)));
  await timers.advance(8_000);
  const used = takeTickers().filter((ticker) => inUse.has(ticker));
  expect(used.length).toBeGreaterThanOrEqual(3);
  await timers.advance(10_000);
  await fetched;
});

test('repeated fetches of all symbols starve none: displayed symbols are polled too', async () => {
  const { server, timers, start, takeTickers, feed, shown } = await openSetting(stocks);
  server.cacheControl = null;
  await start();
  await timers.advance(10_000);
  shown.add('AAPL');
  takeTickers();
  const fetched: Promise<unknown>[] = [];
  for (let second = 0; second < 20; second += 1) {
    for (const symbol of stocks) if (symbol !== 'AAPL') fetched.push(feed.fetch(symbol));
    await timers.advance(1_000);
  }
  expect(takeTickers().filter((ticker) => ticker === 'AAPL').length).toBeGreaterThanOrEqual(5);
  await timers.advance(30_000);
  await Promise.all(fetched);
});

test('A98: reports that an exchange is closed on a holiday and after an early close, and polls it once a minute', async () => {
  const at = Date.UTC(2026, 10, 27, 17, 59);
  const { server, timers, start, ticks } = await openSetting(['AAPL'], { at });
  // The day after Thanksgiving: shut at 13:00 in New York.
  server.list('AAPL', {
    session: { from: Date.UTC(2026, 10, 27, 14, 30), to: Date.UTC(2026, 10, 27, 18, 0) },
  });
  await start();
  await timers.advance(70_000);
  expect(ticks[0]).not.toHaveProperty('marketOpen');
  expect(ticks.at(-1)).toMatchObject({ marketOpen: false });
  const before = server.requests.length;
  await timers.advance(10 * 60_000);
  expect(server.requests.length - before).toBeLessThanOrEqual(10);
});

test('A98: forex on a Saturday is looked at once a minute, round the clock as at any other time', async () => {
  const at = Date.UTC(2026, 10, 21, 12, 0);
  const count = async (sessions: 'honour' | '24x7') => {
    const { server, timers, start, feed } = await openSetting(['EUR/USD'], { at, sessions });
    await start();
    await timers.advance(10 * 60_000);
    await feed.stop();
    return server.requests.length;
  };
  expect(await count('honour')).toBe(11);
  expect(await count('24x7')).toBe(61);
});

test('open markets that need the whole budget leave a shut one its closing price', async () => {
  // Tokyo is closed, and ten open stocks need one request a second between them.
  const { server, timers, start } = await openSetting([...stocks, 'NIKKEI']);
  await start();
  await timers.advance(30 * 60_000);
  const tokyo = server.requests.filter(({ ticker }) => ticker === '^N225').length;
  expect(tokyo).toBeGreaterThanOrEqual(3);
  expect(tokyo).toBeLessThanOrEqual(31);
});

test('a closed market is requested again the moment it opens', async () => {
  const open = Date.UTC(2026, 10, 20, 14, 30);
  const { server, timers, start, takeTickers } = await openSetting(['AAPL'], { at: open - 90_000 });
  await start();
  await timers.advance(90_000);
  takeTickers();
  await timers.advance(2_000);
  expect(server.requests.some(({ at }) => at >= open)).toBe(true);
});

test('a symbol without a ticker has no source and a reason (FEED-64, FEED-65, FEED-66, FEED-67)', async () => {
  const { feed } = await openSetting(['XNIUSD', 'AAPL']);
  expect(feed.hasTicker('XNIUSD')).toBe(false);
  expect(feed.sourceOf('XNIUSD')).toBeNull();
  expect(feed.sourceOf('AAPL')).toBe('yahoo');
  const failure = async (symbol: string) => {
    const error = await feed.fetch(symbol).catch((one: unknown) => one);
    if (!(error instanceof PriceError) || !(error.cause instanceof PriceError)) throw error;
    return [error.message, error.cause.message];
  };
  expect(await failure('XNIUSD')).toEqual([
    'Failed to fetch price for XNIUSD',
    'Unsupported commodity symbol: XNIUSD',
  ]);
  expect(await failure('DAX')).toEqual(['Failed to fetch price for DAX', 'Unsupported index symbol: DAX']);
  expect(await failure('BTCUSDT')).toEqual(['Failed to fetch price for BTCUSDT', 'Unsupported market type']);
  expect(await failure('IBM')).toEqual(['Failed to fetch price for IBM', 'No price data available for IBM']);
});

test('probes of all markets go out at once, and their prices are emitted at the start', async () => {
  const { feed, server, ticks, start } = await openSetting(['AAPL', 'EUR/USD', 'XAUUSD', 'SPX', 'MSFT']);
  server.list('GC=F', { mode: 'too-wide' });
  const probed = await Promise.allSettled(
    (['stock', 'forex', 'commodity', 'index'] as const).map((type) => feed.probe(type)),
  );
  expect(probed.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(ticks).toEqual([]);
  await start();
  expect(ticks.slice(0, 3).map(({ symbol }) => symbol)).toEqual(['AAPL', 'EUR/USD', 'SPX']);
  expect(feed.providers?.()).toEqual([
    { source: 'yahoo', ok: true, fault: null, receivedAt: fridayMorning, symbols: 5 },
  ]);
});

test('after the stop nothing is emitted or requested, and no caller waits for ever', async () => {
  const { feed, server, ticks, timers, start, settle } = await openSetting(['AAPL', 'MSFT']);
  server.list('MSFT', { mode: 'slow' });
  await start();
  const waiting = feed.fetch('MSFT').catch((error: unknown) => error);
  const bars = feed.candles('MSFT', '1d', { limit: 10, before: null }).catch((error: unknown) => error);
  await feed.stop();
  expect(await waiting).toBeInstanceOf(PriceError);
  const tickCount = ticks.length;
  server.letGo();
  await settle();
  await timers.advance(60_000);
  expect(await bars).toBeInstanceOf(PriceError);
  expect(ticks).toHaveLength(tickCount);
  const requestCount = server.requests.length;
  await expect(feed.fetch('MSFT')).rejects.toBeInstanceOf(PriceError);
  await expect(feed.candles('MSFT', '1h', { limit: 10, before: null })).rejects.toBeInstanceOf(PriceError);
  expect(server.requests).toHaveLength(requestCount);
});

test('after the clock was set back by twenty minutes a symbol is requested as before', async () => {
  const { timers, start, takeTickers, ticks, setClock } = await openSetting(['AAPL'], { quotesPerS: 10 });
  await start();
  await timers.advance(10_000);
  setClock(-20 * 60_000);
  ticks.length = 0;
  takeTickers();
  // An answer calls itself fresh for ten seconds.
  await timers.advance(31_000);
  expect(takeTickers().length).toBeGreaterThanOrEqual(3);
  expect(ticks.length).toBeGreaterThanOrEqual(3);
});
