/** PRICE_FEED=auto and live: the probes at the start, the decision, and its permanence (docs/market.md). */
import { randomUUID } from 'node:crypto';
import type { SignedIn } from '@fulcrum/contract';
import { hourMs, toNumber } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { catalogue } from '../../src/features/market/catalogue/index.ts';
import type { Market } from '../../src/features/market/index.ts';
import { openMarketServer } from './market-server.ts';

const countOf = (type: string) => catalogue.filter((pair) => pair.type === type).length;
const priceOf = (market: Market, symbol: string) => toNumber(market.price(symbol)?.price ?? 0n);
const stateOf = (market: Market, symbol: string) => market.price(symbol)?.state;

test('every market is live whose provider answers; a symbol without a ticker is simulated, and labelled so', async () => {
  const { open, timers, rows } = await openMarketServer();
  const market = await open();
  expect(market.state()).toMatchObject({ source: null, sources: {}, providers: [] });
  await timers.advance(10_000);
  const withoutTicker = catalogue.filter(({ type, yahoo }) => type !== 'crypto' && yahoo === null);
  expect(withoutTicker.map(({ symbol }) => symbol)).toContain('XNIUSD');
  expect(market.state()).toMatchObject({
    source: 'binance',
    live: true,
    sources: {
      binance: countOf('crypto'),
      simulated: withoutTicker.length,
      yahoo: catalogue.length - countOf('crypto') - withoutTicker.length,
    },
    symbols: { priced: catalogue.length, listed: catalogue.length },
  });
  const receivedAt = expect.stringMatching(/^2026-11-20T15:00:[01]\d\.\d{3}Z$/);
  expect(market.state().providers).toMatchObject([
    { source: 'binance', ok: true, fault: null, receivedAt },
    { source: 'yahoo', ok: true, fault: null, receivedAt },
  ]);
  // On a Friday at 15:00 UTC Asia sleeps.
  expect(['BTCUSDT', 'AAPL', 'XNIUSD', 'NIKKEI'].map((symbol) => stateOf(market, symbol))).toEqual([
    ...['live', 'live', 'simulated', 'closed'],
  ]);
  expect(await rows(`select count(*)::int as priced, source from app.last_prices group by source`)).toEqual(
    expect.arrayContaining([{ priced: withoutTicker.length, source: 'simulated' }]),
  );
});

test('without any provider everything is simulated, at once', async () => {
  const { open, timers, exchange, quotes } = await openMarketServer();
  exchange.refuse(true);
  quotes.mode = 'reset';
  const market = await open();
  await timers.advance(100);
  expect(market.state()).toMatchObject({
    ...{ source: 'simulated', live: true, sources: { simulated: catalogue.length } },
    configured: 'auto',
    providers: ['binance', 'yahoo'].map((source) => ({
      ...{ source, ok: false, receivedAt: null, symbols: 0 },
      fault: expect.stringMatching(
        /^Failed to fetch data: .*; its markets are simulated until the next start$/,
      ),
    })),
  });
  // No provider is probed again: a market's source does not change while the server runs.
  exchange.refuse(false);
  quotes.mode = 'ok';
  const requestCounts = [exchange.calls, quotes.requests.length];
  await timers.advance(60_000);
  expect([exchange.calls, quotes.requests.length]).toEqual(requestCounts);
  expect(market.state().sources).toEqual({ simulated: catalogue.length });
});

test('the first leader of a cluster chooses, and later ones keep to it until the operator removes the choice', async () => {
  const { open, timers, exchange, db, rows } = await openMarketServer();
  const start = async () => {
    const market = await open({}, undefined, { retainsSources: true });
    await timers.advance(2_500);
    const { sources } = market.state();
    await market.stop();
    return sources;
  };
  exchange.refuse(true);
  expect(await start()).not.toHaveProperty('binance');
  exchange.refuse(false);
  expect(await start()).not.toHaveProperty('binance');
  expect(
    await rows(`select market from app.market_sources where unused_because is null order by market`),
  ).toEqual(['commodity', 'forex', 'index', 'stock'].map((market) => ({ market })));
  await db.asOwner('delete from app.market_sources');
  expect(await start()).toHaveProperty('binance');
  // It stays live for a leader whom the exchange does not answer: its prices are stale, and never of another source.
  exchange.refuse(true);
  expect(await start()).toHaveProperty('binance');
});

test('a provider has two seconds; an answer after them changes nothing', async () => {
  const { open, timers, exchange, quotes } = await openMarketServer();
  exchange.hold();
  quotes.mode = 'slow';
  const market = await open();
  await timers.advance(1_999);
  expect(market.state()).toMatchObject({ source: null, symbols: { priced: 0 } });
  await timers.advance(1);
  expect(market.state().sources).toEqual({ simulated: catalogue.length });
  exchange.release();
  quotes.letGo();
  await timers.advance(10_000);
  expect(market.state().sources).toEqual({ simulated: catalogue.length });
});

test('each market is decided by itself, and the budget is for those that answered', async () => {
  const { open, timers, quotes } = await openMarketServer();
  quotes.list('EURUSD=X', { mode: 'bad-gateway' });
  const market = await open();
  await timers.advance(10_000);
  expect(
    ['BTCUSDT', 'AAPL', 'EUR/USD', 'GBP/USD', 'XAUUSD', 'SPX'].map((symbol) => market.price(symbol)?.source),
  ).toEqual(['binance', 'yahoo', 'simulated', 'simulated', 'yahoo', 'yahoo']);
  expect(quotes.requests.filter(({ ticker }) => ticker.endsWith('=X'))).toHaveLength(1);
});

test('a symbol that the provider does not know is simulated', async () => {
  const { open, timers, quotes } = await openMarketServer();
  quotes.unlist('MSFT');
  const market = await open();
  await timers.advance(15_000);
  expect([market.price('AAPL')?.source, market.price('MSFT')?.source]).toEqual(['yahoo', 'simulated']);
});

test('a provider that dies leaves its market stale, never simulated, and comes back by itself', async () => {
  const { open, timers, exchange, quotes, ticks } = await openMarketServer();
  const market = await open({ priceFeed: { kind: 'live' } });
  await timers.advance(10_000);
  exchange.refuse(true);
  exchange.cut();
  quotes.mode = 'reset';
  await timers.advance(90_000);
  const beforeTheHour = ticks.length;
  await timers.advance(hourMs);
  expect([stateOf(market, 'BTCUSDT'), stateOf(market, 'AAPL')]).toEqual(['stale', 'stale']);
  expect([market.isStale('BTCUSDT', timers.now()), market.isStale('AAPL', timers.now())]).toEqual([
    true,
    true,
  ]);
  expect(ticks.slice(beforeTheHour).filter(({ state }) => state !== 'closed')).toEqual([]);
  expect(market.state().providers).toMatchObject([
    { source: 'binance', ok: false, fault: expect.any(String) },
    { source: 'yahoo', ok: false, fault: expect.any(String) },
  ]);
  exchange.refuse(false);
  quotes.mode = 'ok';
  await timers.advance(16 * 60_000);
  expect([stateOf(market, 'BTCUSDT'), stateOf(market, 'AAPL')]).toEqual(['live', 'live']);
}, 120_000);

test('a simulated market that takes over goes on from the last known price, and so after every restart', async () => {
  const { open, timers, exchange, quotes, rows } = await openMarketServer();
  exchange.set('BTCUSDT', '43210.00000000');
  const live = await open();
  await timers.advance(10_000);
  expect(priceOf(live, 'BTCUSDT')).toBe(43_210);
  await live.stop();

  exchange.refuse(true);
  quotes.mode = 'reset';
  const simulated = await open();
  await timers.advance(100);
  expect(simulated.price('BTCUSDT')?.source).toBe('simulated');
  expect(priceOf(simulated, 'BTCUSDT') / 43_210).toBeCloseTo(1, 2);
  const scales = await rows('select symbol, scale, since from app.simulated_scales order by symbol');
  await timers.advance(20_000);
  const before = priceOf(simulated, 'BTCUSDT');
  await simulated.stop();

  const again = await open();
  await timers.advance(0);
  expect(priceOf(again, 'BTCUSDT') / before).toBeCloseTo(1, 3);
  expect(await rows('select symbol, scale, since from app.simulated_scales order by symbol')).toEqual(scales);
  await again.stop();
  // The price does not move either when the operator keeps that setting.
  const chosen = await open({ priceFeed: { kind: 'simulated', seed: 'fulcrum' } });
  expect(priceOf(chosen, 'BTCUSDT') / before).toBeCloseTo(1, 3);
});

test('with live prices alone, a symbol that no provider serves has no price', async () => {
  const { open, timers, exchange } = await openMarketServer();
  exchange.refuse(true);
  const market = await open({ priceFeed: { kind: 'live' } });
  await timers.advance(10_000);
  expect([market.price('BTCUSDT'), market.price('XNIUSD')]).toEqual([undefined, undefined]);
  expect(market.price('AAPL')).toMatchObject({ source: 'yahoo', state: 'live' });
  expect(market.state().providers[0]).toMatchObject({ source: 'binance', ok: false });
  expect(market.isStale('BTCUSDT', timers.now())).toBe(true);
});

test('FEED-64, FEED-67, FEED-69, ERR-33, ERR-35: a request for a price returns the reason why a live provider has none', async () => {
  const { open, timers, quotes } = await openMarketServer();
  // The provider knows the share, and returns everything but its price.
  quotes.list('WMT', { price: undefined });
  const market = await open({ priceFeed: { kind: 'live' } });
  await timers.advance(10_000);
  const trader = { role: 'trader', userId: randomUUID() } as SignedIn;
  const fetched = (p_symbol: string) => market.procedures.fetch_price(trader, { p_symbol });
  await expect(fetched('XNIUSD')).rejects.toMatchObject({
    code: 'source_unavailable',
    message: 'Failed to fetch price for XNIUSD',
    details: 'Unsupported commodity symbol: XNIUSD',
  });
  const refused = expect(fetched('WMT')).rejects.toMatchObject({
    code: 'source_unavailable',
    message: 'Failed to fetch price for WMT',
    details: 'No price data available for WMT',
  });
  await timers.advance(20_000);
  await refused;
});

test('FEED-48: the crypto market is that of the exchange once it answers, new pairs included', async () => {
  const { open, timers, exchange, rows } = await openMarketServer();
  exchange.set('NEWUSDT', '7.50000000', { quoteVolume: '99999999999' });
  const market = await open();
  expect(market.pair('NEWUSDT')).toBeUndefined();
  await timers.advance(10_000);
  expect(market.pair('NEWUSDT')).toMatchObject({ type: 'crypto', baseAsset: 'NEW', sortOrder: 0 });
  expect(market.price('NEWUSDT')).toMatchObject({ price: 7_50000000n, source: 'binance', state: 'live' });
  expect(await rows(`select count(*)::int as listed from app.trading_pairs where listed`)).toEqual([
    { listed: catalogue.length },
  ]);
  const [gone] = await rows<{ symbol: string }>(
    `select symbol from app.trading_pairs where type = 'crypto' and not listed`,
  );
  expect(market.pair(gone?.symbol ?? '')).toBeUndefined();
});
