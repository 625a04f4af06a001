/** Requests of the market's indices to a live exchange: every market once, and afterwards next to nothing. */
import { isRankedMarket } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { createMarketBars } from '../../src/features/dashboard/bars/index.ts';
import { createSentiment } from '../../src/features/dashboard/sentiment/index.ts';
import { catalogue } from '../../src/features/market/catalogue/index.ts';
import type { Market } from '../../src/features/market/index.ts';
import { testLog } from '../harness/index.ts';
import { type MarketServer, openMarketServer } from '../market/market-server.ts';

/** The indices' bars once everything due has come; requests queued at the exchange need time to pass. */
async function settledBars(market: Market, { timers }: MarketServer) {
  const bars = createMarketBars(
    { market, timers, log: testLog },
    { includes: isRankedMarket, timeframes: ['1h', '1d'] },
  );
  for (let round = 0; round < 60; round += 1) {
    const known = bars.read();
    await timers.advance(4_000);
    if ((await known).isSettled) break;
  }
  const { get_market_sentiment } = createSentiment({ bars, timers });
  return get_market_sentiment;
}

/** By then the exchange is found and has sent every price. */
const pricesArriveMs = 10_000;

/** Requested bars since the last call, as symbol, interval and count. */
function takeRequests({ exchange }: MarketServer): { symbol: string; interval: string; limit: number }[] {
  return exchange.requests.splice(0).flatMap((path) => {
    const { pathname, searchParams: query } = new URL(path, 'http://exchange');
    if (!pathname.endsWith('/klines')) return [];
    const { symbol = '', interval = '', limit } = Object.fromEntries(query);
    return [{ symbol, interval, limit: Number(limit) }];
  });
}

test('A41: the indices request the bars of each market once an hour, and after a restart only the newest', async () => {
  const setting = await openMarketServer();
  // Its bars count up from the price: those of a cheap coin would reach below zero, and be refused.
  for (const { type, symbol } of catalogue)
    if (type === 'crypto') setting.exchange.set(symbol, '1000.00000000');
  const first = await setting.open();
  await setting.timers.advance(pricesArriveMs);
  const sentiment = await settledBars(first, setting);
  const { points, markets } = await sentiment();
  expect(markets).toBe(50);
  expect(points.map(({ value }) => value)).not.toContain(null);
  const requests = takeRequests(setting);
  expect(requests).toHaveLength(100);
  expect(new Set(requests.map(({ symbol, interval }) => `${symbol} ${interval}`)).size).toBe(100);

  for (let attempt = 0; attempt < 6; attempt += 1) {
    await setting.timers.advance(5_000);
    await sentiment();
  }
  expect(takeRequests(setting)).toEqual([]);

  await first.stop();
  const again = await setting.open();
  await setting.timers.advance(pricesArriveMs);
  const known = await (await settledBars(again, setting))();
  expect(known.points.slice(0, -1)).toEqual(points.slice(0, -1));
  for (const { limit } of takeRequests(setting)) expect(limit).toBeLessThanOrEqual(5);
}, 60_000);
