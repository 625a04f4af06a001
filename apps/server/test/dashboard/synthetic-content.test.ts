/** The synthetic content through the whole server: a trader's official client, prices and bars under the test's control. */
import { newsCategories, socialPlatforms } from '@fulcrum/contract';
import { hourMs, minuteMs } from '@fulcrum/domain';
import { expect, onTestFinished, test } from 'vitest';
import { startTestServer, type TestServer, type Trader } from '../harness/index.ts';
import { createManualTimers } from '../harness/manual-timers.ts';

/** A Wednesday on which New York trades. */
const start = Date.UTC(2026, 10, 18, 16, 7);
const quarterMs = 15 * minuteMs;

async function open() {
  const timers = createManualTimers(start);
  const server = await startTestServer({ timers });
  onTestFinished(() => server.close());
  return { timers, server, trader: await server.signUpTrader() };
}

/** Bars of a quarter of an hour up to `end`, still but for a ripple; the last one begins at `price`. */
function setBars({ feed }: TestServer, symbol: string, price: number, end = start): void {
  const first = Math.floor(end / quarterMs) * quarterMs - 399 * quarterMs;
  feed.setCandles(
    symbol,
    Array.from({ length: 400 }, (_, index) => {
      const [from, to] = [price * (1 + ((index + 1) % 5) / 5_000), price * (1 + ((index + 2) % 5) / 5_000)];
      return {
        open_time: new Date(first + index * quarterMs).toISOString(),
        open: from,
        close: to,
        high: Math.max(from, to),
        low: Math.min(from, to),
        volume: 10,
        quote_volume: 10 * price,
      };
    }),
  );
}

async function ask<Answer>({ client }: Trader, procedure: string): Promise<Answer> {
  const { data, error } = await client.rpc(procedure);
  expect(error).toBeNull();
  return data as Answer;
}
interface Item {
  readonly id: string;
  readonly at: string;
  readonly category: string;
  readonly headline: string;
  readonly symbol: string | null;
}

test('DASH-30, DASH-33, DASH-36: a trader gets ten events, ten items and four platforms; no other role does', async () => {
  const { server, trader } = await open();
  for (const [symbol, price] of [
    ['BTCUSDT', 97_000],
    ['ETHUSDT', 3_600],
    ['XAUUSD', 4_000],
    ['AAPL', 256],
    ['MSFT', 524],
  ] as const) {
    setBars(server, symbol, price);
    server.feed.setPrice(symbol, price);
  }
  expect(await ask(trader, 'get_economic_calendar')).toHaveLength(10);
  const news = await ask<Item[]>(trader, 'get_news_feed');
  expect(news).toHaveLength(10);
  expect(new Set(news.map(({ category }) => category))).toEqual(new Set(newsCategories));
  const social = await ask<{ platform: string; tags: string[] }[]>(trader, 'get_social_sentiment');
  expect(social.map(({ platform }) => platform)).toEqual([...socialPlatforms]);
  for (const { tags } of social) expect(tags).toHaveLength(3);

  const other = await server.signUpTrader();
  expect(await ask(other, 'get_news_feed')).toEqual(news);
  for (const procedure of ['get_economic_calendar', 'get_news_feed', 'get_social_sentiment']) {
    const { error } = await server.client().rpc(procedure);
    expect(error).not.toBeNull();
  }
});

test('a jump in gold has its headline within the minute, and keeps it after a restart', async () => {
  const { server, trader, timers } = await open();
  setBars(server, 'XAUUSD', 4_000);
  server.feed.setPrice('XAUUSD', '4000');
  const jumpNews = async () =>
    (await ask<Item[]>(trader, 'get_news_feed')).filter(
      ({ symbol, headline }) => symbol === 'XAUUSD' && /4\.0%.*4,160\.00/.test(headline),
    );
  expect(await jumpNews()).toEqual([]);

  await timers.advance(10_000);
  server.feed.setPrice('XAUUSD', '4160');
  await timers.advance(6_000);
  const [item] = await jumpNews();
  expect(item).toMatchObject({ category: 'market' });
  expect(Date.parse(item?.at ?? '')).toBeGreaterThanOrEqual(start - (start % hourMs));
  expect(Date.parse(item?.at ?? '')).toBeLessThanOrEqual(timers.now());

  const social = await ask(trader, 'get_social_sentiment');
  const calendar = await ask(trader, 'get_economic_calendar');
  await server.restart();
  expect((await jumpNews()).map(({ headline }) => headline)).toEqual([item?.headline]);
  expect(await ask(trader, 'get_economic_calendar')).toEqual(calendar);
  expect(await ask(trader, 'get_social_sentiment')).toEqual(social);
});

test('without a price or a bar there are still ten, and bars are not requested repeatedly', async () => {
  const { server, trader, timers } = await open();
  expect(await ask(trader, 'get_news_feed')).toHaveLength(10);
  setBars(server, 'BTCUSDT', 97_000);
  server.feed.setPrice('BTCUSDT', '97000');
  let requestCount = 0;
  const { candles } = server.feed;
  server.feed.candles = async (...of) => {
    requestCount += 1;
    return candles(...of);
  };
  for (let seconds = 0; seconds < 120; seconds += 10) {
    await timers.advance(10_000);
    server.feed.setPrice('BTCUSDT', '97000');
    expect(await ask(trader, 'get_news_feed')).toHaveLength(10);
  }
  expect(requestCount).toBe(1);
});

test('headlines on polled markets use their own day, and their provider gets no request for bars', async () => {
  const { server, trader, timers } = await open();
  server.feed.changeSource('yahoo');
  let requestCount = 0;
  server.feed.candles = async () => {
    requestCount += 1;
    return [];
  };
  const day = { priceChangePercent: 1.23, volume: 1, quoteVolume: 1, high: null, low: null };
  const symbols = ['AAPL', 'MSFT', 'NVDA', 'AMZN', 'GOOGL', 'META', 'TSLA', 'JPM', 'XOM', 'SPX', 'NDX'];
  const headlines: string[] = [];
  for (let quarter = 0; quarter < 8; quarter += 1) {
    for (const symbol of symbols) server.feed.setPrice(symbol, '256.12', { day });
    const news = await ask<Item[]>(trader, 'get_news_feed');
    expect(news).toHaveLength(10);
    headlines.push(...news.map(({ headline }) => headline));
    await timers.advance(quarterMs);
  }
  expect(headlines.filter((headline) => /1\.2% .*on the day|on the day.*256\.12/.test(headline))).not.toEqual(
    [],
  );
  expect(requestCount).toBe(0);
});
