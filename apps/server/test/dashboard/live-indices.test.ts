/** What the indices of the market ask of a live exchange: every market once, and afterwards next to nothing. */
import { expect, test } from 'vitest';
import { createMarketBars } from '../../src/features/dashboard/bars/index.ts';
import { createSentiment } from '../../src/features/dashboard/sentiment/index.ts';
import { catalogue } from '../../src/features/market/catalogue/index.ts';
import type { Market } from '../../src/features/market/index.ts';
import { type MarketSetting, openMarketSetting } from '../market/market-setting.ts';
import { testLog } from '../support/index.ts';

/** The indices' bars once everything that was due has come; what waits for its turn at the exchange needs time to pass. */
async function settledBars(market: Market, { timers }: MarketSetting) {
  const bars = createMarketBars({ market, timers, log: testLog });
  for (let round = 0; round < 60; round += 1) {
    const known = bars.read();
    await timers.advance(4_000);
    if ((await known).isSettled) break;
  }
  const { get_market_sentiment } = createSentiment({ bars, timers });
  return get_market_sentiment;
}

/** The exchange is found and has told every price by then. */
const pricesArriveMs = 10_000;

/** Bars that the exchange was asked for since the last look, as symbol, interval and how many. */
function takeAsked({ exchange }: MarketSetting): { symbol: string; interval: string; limit: number }[] {
  return exchange.requests.splice(0).flatMap((path) => {
    const { pathname, searchParams: query } = new URL(path, 'http://exchange');
    if (!pathname.endsWith('/klines')) return [];
    const { symbol = '', interval = '', limit } = Object.fromEntries(query);
    return [{ symbol, interval, limit: Number(limit) }];
  });
}

test('A41: a live exchange is asked for the hours and days of each market once, not again within the hour, and after a restart for the newest', async () => {
  const setting = await openMarketSetting();
  // Its bars count up from the price: those of a cheap coin would reach below zero, and be refused.
  for (const { type, symbol } of catalogue)
    if (type === 'crypto') setting.exchange.set(symbol, '1000.00000000');
  const first = await setting.open();
  await setting.timers.advance(pricesArriveMs);
  const sentiment = await settledBars(first, setting);
  const { points, markets } = await sentiment();
  expect(markets).toBe(50);
  expect(points.map(({ value }) => value)).not.toContain(null);
  const asked = takeAsked(setting);
  expect(asked).toHaveLength(100);
  expect(new Set(asked.map(({ symbol, interval }) => `${symbol} ${interval}`)).size).toBe(100);

  for (let look = 0; look < 6; look += 1) {
    await setting.timers.advance(5_000);
    await sentiment();
  }
  expect(takeAsked(setting)).toEqual([]);

  await first.stop();
  const again = await setting.open();
  await setting.timers.advance(pricesArriveMs);
  const known = await (await settledBars(again, setting))();
  expect(known.points.slice(0, -1)).toEqual(points.slice(0, -1));
  for (const { limit } of takeAsked(setting)) expect(limit).toBeLessThanOrEqual(5);
}, 60_000);
