import { texts } from '@fulcrum/contract';
import { hourMs, minuteMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { PriceError } from '../../src/features/market/price-error.ts';
import { startProxyServer } from './proxy-server.ts';
import type { QuoteMode } from './quote-server.ts';
import { fridayMorning, openSetting } from './yahoo-server.ts';

/** The message of a fetch that fails, and of its cause. */
async function failureOf(fetched: Promise<void>): Promise<readonly [string, string]> {
  const error = await fetched.then(
    () => null,
    (one: unknown) => one,
  );
  if (!(error instanceof PriceError) || !(error.cause instanceof Error)) throw error;
  return [error.message, error.cause.message];
}

test.for(['AAPL', 'EUR/USD', 'SPX'])(
  'FEED-29, FEED-33, FEED-67: one try and three more after 1, 2 and 3 s, then the failure of %s',
  async (symbol) => {
    const { server, timers, feed, settle } = await openSetting([symbol], { quotesPerS: 10 });
    server.mode = 'bad-gateway';
    const failure = failureOf(feed.fetch(symbol));
    await settle();
    await timers.advance(10_000);
    expect(server.requests.map(({ at }) => at - fridayMorning)).toEqual([0, 1_000, 3_000, 6_000]);
    expect(await failure).toEqual([`Failed to fetch price for ${symbol}`, 'HTTP error! status: 502']);
  },
);

test('A30: a commodity is tried once', async () => {
  const { server, timers, feed, settle } = await openSetting(['XAUUSD'], { quotesPerS: 10 });
  server.mode = 'bad-gateway';
  const failure = failureOf(feed.fetch('XAUUSD'));
  await settle();
  await timers.advance(5_000);
  expect(await failure).toEqual(['Failed to fetch price for XAUUSD', 'HTTP error! status: 502']);
  expect(server.requests).toHaveLength(1);
});

test('a retry that succeeds is the price of all waiting callers', async () => {
  const { server, timers, feed, ticks, start, settle } = await openSetting(['AAPL'], { quotesPerS: 10 });
  server.mode = 'reset';
  await start();
  const fetched = feed.fetch('AAPL');
  await settle();
  server.mode = 'ok';
  await timers.advance(1_000);
  await fetched;
  expect(ticks).toHaveLength(1);
});

test('FEED-28, FEED-30: when the tries fail, the price of any age remains, with its age', async () => {
  const { server, timers, feed, ticks, start, settle } = await openSetting(['AAPL'], { quotesPerS: 10 });
  await start();
  await timers.advance(5_000);
  server.mode = 'bad-gateway';
  const fetched = feed.fetch('AAPL');
  await settle();
  await timers.advance(6_000);
  await fetched;
  expect(ticks).toHaveLength(2);
  expect(ticks[1]).toMatchObject({ price: 100, receivedAt: fridayMorning });
  await timers.advance(hourMs);
  expect(ticks.every(({ receivedAt }) => receivedAt === fridayMorning)).toBe(true);
});

test('FEED-28, A30: after the tries failed the cached price serves for 10 s before the next request', async () => {
  const { server, timers, ticks, start } = await openSetting(['XAUUSD'], { quotesPerS: 10 });
  server.cacheControl = null;
  await start();
  await timers.advance(1_000);
  server.mode = 'bad-gateway';
  const before = server.requests.length;
  while (server.requests.length === before) await timers.advance(500);
  const failedAt = timers.now();
  await timers.advance(9_500);
  expect(server.requests).toHaveLength(before + 1);
  // The next interval, every 2 s, requests it again.
  await timers.advance(2_500);
  expect(server.requests).toHaveLength(before + 2);
  expect(server.requests.at(-1)!.at - failedAt).toBeGreaterThanOrEqual(9_500);
  expect(ticks.every(({ price }) => price === 100)).toBe(true);
});

test.for<[QuoteMode, string]>([
  ['bad-request', 'HTTP error! status: 400'],
  ['too-wide', 'HTTP error! status: 422'],
  ['bad-gateway', 'HTTP error! status: 502'],
  ['not-found', 'HTTP error! status: 404'],
  ['not-found-200', 'No price data available for XAUUSD'],
  ['no-result', 'No price data available for XAUUSD'],
  ['cut', 'Invalid response format'],
  ['empty', 'Invalid response format'],
  ['bare', 'Invalid response format'],
  ['other-symbol', 'Invalid response format'],
  ['reset', texts.allProxiesFailed],
  ['huge', texts.allProxiesFailed],
])('FEED-68, FEED-69, FEED-70: %s', async ([mode, message]) => {
  const { server, feed } = await openSetting(['XAUUSD']);
  server.mode = mode;
  expect(await failureOf(feed.fetch('XAUUSD'))).toEqual(['Failed to fetch price for XAUUSD', message]);
});

test.for([0, -1, '12,5', 1e15])(
  'FEED-35, FEED-36, ERR-31: refuses the price %j, and emits nothing',
  async (price) => {
    const { server, feed, ticks, start } = await openSetting(['XAUUSD']);
    server.list('GC=F', { price });
    await start();
    const failure = await failureOf(feed.fetch('XAUUSD'));
    expect(failure[1]).toBe(`Invalid price received for XAUUSD: ${price}`);
    expect(ticks).toEqual([]);
  },
);

test('a silent provider times out after 10 s', async () => {
  const { server, timers, feed, settle } = await openSetting(['XAUUSD']);
  server.mode = 'hang';
  const failure = failureOf(feed.fetch('XAUUSD'));
  await settle();
  await timers.advance(10_000);
  expect((await failure)[1]).toBe(texts.allProxiesFailed);
});

test.for<QuoteMode>(['too-many', 'prose', 'page', 'forbidden', 'redirect', 'crumb'])(
  '%s stops all requests for a minute, twice as long each time, and one request ends it',
  async (mode) => {
    const { server, timers, feed, start, ticks } = await openSetting(['AAPL', 'MSFT', 'XAUUSD', 'SPX']);
    server.mode = mode;
    await start();
    const first = server.requests.length;
    expect(feed.providers?.()).toMatchObject([
      { ok: false, fault: expect.stringContaining('next request at') },
    ]);
    await timers.advance(59_000);
    expect(server.requests).toHaveLength(first);
    await timers.advance(2_000);
    expect(server.requests).toHaveLength(first + 1);
    await timers.advance(118_000);
    expect(server.requests).toHaveLength(first + 1);
    server.mode = 'ok';
    await timers.advance(12_000);
    expect(feed.providers?.()).toMatchObject([{ ok: true, fault: null }]);
    expect(new Set(ticks.map(({ symbol }) => symbol)).size).toBe(4);
  },
);

test('while the provider refuses, a fetch answers at once: with the last price, or why there is none', async () => {
  const { server, timers, feed, start } = await openSetting(['AAPL', 'MSFT']);
  server.list('MSFT', { mode: 'bad-gateway' });
  await start();
  server.mode = 'too-many';
  await timers.advance(12_000);
  const requestCount = server.requests.length;
  await feed.fetch('AAPL');
  expect(await failureOf(feed.fetch('MSFT'))).toEqual([
    'Failed to fetch price for MSFT',
    'HTTP error! status: 429',
  ]);
  await expect(feed.candles('AAPL', '1d', { limit: 10, before: null })).rejects.toThrow(
    'HTTP error! status: 429',
  );
  expect(server.requests).toHaveLength(requestCount);
});

test.for<[QuoteMode, string, number]>([
  ['reset', 'seconds', 40_000],
  ['bad-gateway', 'seconds', 40_000],
  ['hang', 'seconds', 40_000],
  ['too-many', 'a quarter of an hour', 15 * minuteMs + 20_000],
])(
  'an hour of %s costs a bounded number of requests, changes no price, and is over within %s',
  async ([mode, , backWithinMs]) => {
    const symbols = ['AAPL', 'MSFT', 'NVDA', 'EUR/USD', 'GBP/USD', 'XAUUSD', 'WTIUSD', 'SPX'];
    const { server, timers, start, ticks, inUse } = await openSetting(symbols);
    inUse.add('AAPL');
    await start();
    await timers.advance(10_000);
    server.mode = mode;
    const before = server.requests.length;
    const tickCount = ticks.length;
    await timers.advance(hourMs);
    expect(server.requests.length - before).toBeLessThan(400);
    for (const tick of ticks.slice(tickCount))
      expect(tick.receivedAt).toBeLessThanOrEqual(fridayMorning + 20_000);
    server.mode = 'ok';
    const back = timers.now();
    await timers.advance(backWithinMs);
    const fresh = ticks.filter(({ receivedAt = 0 }) => receivedAt > back);
    expect(new Set(fresh.map(({ symbol }) => symbol))).toEqual(new Set(symbols));
  },
);

test('a symbol that the provider never knew is reported once and then skipped', async () => {
  const { server, timers, start, missing, feed, ticks } = await openSetting(['AAPL', 'XZNUSD', 'MSFT']);
  server.unlist('ZNC=F');
  server.unlist('MSFT');
  await start();
  await timers.advance(5 * minuteMs);
  expect(missing.toSorted((left, right) => left.localeCompare(right))).toEqual(['MSFT', 'XZNUSD']);
  expect(feed.sourceOf('MSFT')).toBeNull();
  expect(feed.hasTicker('MSFT')).toBe(true);
  const requestCount = server.requests.length;
  server.list('MSFT', { price: 1 });
  await expect(feed.fetch('MSFT')).rejects.toThrow('Failed to fetch price for MSFT');
  await timers.advance(minuteMs);
  expect(server.requests.slice(requestCount).every(({ ticker }) => ticker === 'AAPL')).toBe(true);
  expect(ticks.every(({ symbol }) => symbol === 'AAPL')).toBe(true);
});

test('without a fallback source, an unknown symbol is retried every five minutes', async () => {
  const { server, timers, start, ticks, feed } = await openSetting(['AAPL'], { standsIn: false });
  server.unlist('AAPL');
  await start();
  await timers.advance(hourMs);
  expect(feed.sourceOf('AAPL')).toBe('yahoo');
  expect(server.requests.length).toBeLessThan(80);
  server.list('AAPL', { price: 100 });
  await timers.advance(5 * minuteMs + 2_000);
  expect(ticks.map(({ price }) => price)).toContain(100);
});

test('a future that is unknown for a while keeps its price and its source', async () => {
  const { server, timers, start, missing, feed, ticks } = await openSetting(['XAUUSD']);
  await start();
  server.list('GC=F', { mode: 'not-found' });
  await timers.advance(hourMs);
  expect(missing).toEqual([]);
  expect(feed.sourceOf('XAUUSD')).toBe('yahoo');
  // Its own fault: the interval of the retries doubles each time, up to five minutes.
  expect(server.requests.length).toBeLessThan(20);
  server.list('GC=F', { mode: 'ok', price: 101 });
  await timers.advance(5 * minuteMs + 2_000);
  expect(ticks.at(-1)).toMatchObject({ price: 101 });
});

test('a quote in another unit is not shown; the last price remains', async () => {
  const { server, timers, start, ticks } = await openSetting(['COFFEEUSD']);
  await start();
  server.list('KC=F', { price: 2.84, currency: 'USD' });
  await timers.advance(minuteMs);
  expect(new Set(ticks.map(({ price }) => price))).toEqual(new Set([100]));
});

test('answers that come late are read in their place: one request per symbol at a time', async () => {
  const { server, timers, start, ticks, settle, feed } = await openSetting(['AAPL', 'MSFT'], {
    quotesPerS: 10,
  });
  server.list('AAPL', { mode: 'slow' });
  await start();
  const fetched = feed.fetch('AAPL');
  await timers.advance(8_000);
  expect(server.requests.filter(({ ticker }) => ticker === 'AAPL')).toHaveLength(1);
  server.list('AAPL', { price: 120 });
  server.letGo();
  await settle();
  await fetched;
  expect(ticks.filter(({ symbol }) => symbol === 'AAPL')).toHaveLength(1);
});

test('ten answers in a row that make no sense are the provider’s fault', async () => {
  const { server, timers, start, feed } = await openSetting(['AAPL', 'MSFT', 'NVDA'], { quotesPerS: 10 });
  server.mode = 'bare';
  await start();
  await timers.advance(10_000);
  expect(feed.providers?.()).toMatchObject([
    { ok: false, fault: expect.stringMatching(/^Invalid response format \(.*at chart\)$/) },
  ]);
  server.mode = 'ok';
  await timers.advance(minuteMs);
  expect(feed.providers?.()).toMatchObject([{ ok: true, fault: null }]);
});

test('A32: quotes go through a proxy first; one that answers something else is passed over', async () => {
  const proxy = await startProxyServer();
  try {
    const { server, feed, settle } = await openSetting(['AAPL', 'MSFT'], { proxies: [proxy.prefix] });
    await feed.fetch('AAPL');
    expect(proxy.requests).toHaveLength(1);
    expect(server.requests).toHaveLength(1);
    proxy.mode = () => '{"error":"quota"}';
    await feed.fetch('MSFT');
    expect(proxy.requests).toHaveLength(2);
    expect(server.requests.map(({ ticker }) => ticker).at(-1)).toBe('MSFT');
    await settle();
  } finally {
    await proxy.stop();
  }
});
