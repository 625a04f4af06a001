import { type Candle, timeframes } from '@fulcrum/contract';
import { dayMs, hourMs, minuteMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { PriceError } from '../../src/features/market/price-error.ts';
import { chart, failing, gaps, live, names, open, restart, start } from './candles-server.ts';

test('the first read of a chart fetches it once, stores it and returns it', async () => {
  const setting = await open(start);
  const { provider } = setting;
  const first = await chart(setting, '1h');
  expect(first).toHaveLength(300);
  expect(first.at(-2)).toEqual({ ...provider.barAt(start - hourMs), gap: false });
  expect(gaps(first)).toEqual([]);
  expect(provider.requests).toEqual([{ symbol: 'BTCUSDT', timeframe: '1h', limit: 301, before: null }]);
  expect(await chart(setting, '1h')).toEqual(first);
  expect(await chart(setting, '1h', 50)).toEqual(first.slice(-50));
  expect(provider.requests).toHaveLength(1);
  const { rows } = await setting.db.query(
    'select sampled, count(*)::int as count from app.candles group by 1 order by 1',
  );
  // The running bar is not final.
  expect(rows).toEqual([
    { sampled: false, count: 300 },
    { sampled: true, count: 1 },
  ]);
});

test('a stored chart is one query, and a restart requests only the newest bars', async () => {
  const setting = await open(start);
  await chart(setting, '1h', 1000);
  await setting.candles.stop();
  const next = restart(setting);
  const before = next.statements();
  expect(await chart(next, '1h', 1000, start - 10 * hourMs)).toHaveLength(1000);
  expect(next.provider.requests).toEqual([
    { symbol: 'BTCUSDT', timeframe: '1h', limit: 1000, before: start - 999 * hourMs },
  ]);
  expect(await chart(next, '1h', 500, start - 10 * hourMs)).toHaveLength(500);
  expect(next.statements() - before).toBe(3);
  next.provider.requests.length = 0;
  await chart(next, '1h', 500);
  expect(next.provider.requests).toEqual([{ symbol: 'BTCUSDT', timeframe: '1h', limit: 3, before: null }]);
});

test('paging back fetches page after page, until the provider has no more, and that is remembered', async () => {
  const setting = await open(start);
  const { provider } = setting;
  provider.hasNone = (instant) => instant < start - 700 * hourMs;
  const pages: Candle[][] = [];
  for (let before: number | null = null; pages.at(-1)?.length !== 0; ) {
    const page = await chart(setting, '1h', 300, before);
    pages.push(page);
    before = page[0] ? Date.parse(page[0].open_time) : before;
  }
  expect(pages.map(({ length }) => length)).toEqual([300, 300, 101, 0]);
  const requestCount = provider.requests.length;
  for (const before of [null, start - 299 * hourMs, start - 599 * hourMs, start - 700 * hourMs])
    await chart(setting, '1h', 300, before);
  expect(provider.requests).toHaveLength(requestCount);
});

test('a holiday and hours before the listing are requested once', async () => {
  const setting = await open(start);
  const { provider } = setting;
  provider.hasNone = (instant) =>
    instant < start - 20 * dayMs || (instant >= Date.UTC(2026, 10, 18) && instant < Date.UTC(2026, 10, 19));
  const first = await chart(setting, '15m', 1000, null, 'AAPL');
  expect(gaps(first)).toEqual([]);
  await chart(setting, '15m', 1000, null, 'AAPL');
  const requestCount = provider.requests.length;
  for (let attempt = 0; attempt < 5; attempt += 1) await chart(setting, '15m', 1000, null, 'AAPL');
  expect(provider.requests).toHaveLength(requestCount);
  expect(requestCount).toBeLessThanOrEqual(2);
});

test('requests that arrive together share one question', async () => {
  const setting = await open(start);
  const charts = await Promise.all(Array.from({ length: 20 }, () => chart(setting, '5m')));
  expect(setting.provider.requests).toHaveLength(1);
  expect(new Set(charts.map((one) => JSON.stringify(one))).size).toBe(1);
});

test('a request that read the store before an answer was stored reads it again', async () => {
  const setting = await open(start);
  const { promise: answered, resolve } = Promise.withResolvers<void>();
  let reads = 0;
  setting.delay(async (statement) => {
    if (statement !== 'candles-read-bars') return;
    reads += 1;
    if (reads === 1) await answered;
  });
  const late = chart(setting, '5m');
  while (reads === 0) await new Promise((next) => setImmediate(next));
  const first = await chart(setting, '5m');
  resolve();
  expect(await late).toEqual(first);
  expect(setting.provider.requests).toHaveLength(1);
});

test('no more than eight requests run at once, and the others follow', async () => {
  const setting = await open(start);
  let underWay = 0;
  let most = 0;
  const { promise: eightAsk, resolve: letGo } = Promise.withResolvers<void>();
  setting.provider.before = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    if (underWay === 8) letGo();
    await eightAsk;
    // A ninth would show itself now.
    for (let round = 0; round < 10; round += 1) await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
  };
  const charts = await Promise.all(
    timeframes.flatMap((timeframe) =>
      ['BTCUSDT', 'ETHUSDT'].map((symbol) => chart(setting, timeframe, 10, null, symbol)),
    ),
  );
  expect(charts.every(({ length }) => length === 10)).toBe(true);
  expect(most).toBe(8);
});

test('the provider’s bars replace sampled ones once they are over', async () => {
  const setting = await open(start);
  await live(setting, 10);
  const bars = await chart(setting, '1m', 15);
  expect(bars.slice(0, -2).every(({ volume }) => volume === 7)).toBe(true);
  expect(gaps(bars)).toEqual([]);
  const { rows } = await setting.db.query(
    `select count(*)::int as count from app.candles where timeframe = '1m' and sampled`,
  );
  expect(rows[0]).toEqual({ count: 1 });
  // Bars sampled from then on are added to it, and there is no request for a while.
  const requestCount = setting.provider.requests.length;
  setting.tick('BTCUSDT', 5000);
  expect((await chart(setting, '1m', 5)).at(-1)).toMatchObject({ high: 5000, close: 5000 });
  expect((await chart(setting, '1h', 5)).at(-1)).toMatchObject({ high: 5000, close: 5000 });
  expect(setting.provider.requests.filter(({ timeframe }) => timeframe === '1m')).toHaveLength(requestCount);
});

test('a day that began before the process is the provider’s, with our ticks over it', async () => {
  const setting = await open(start);
  await live(setting, 2);
  const [today] = await chart(setting, '1d', 1);
  expect(today).toMatchObject({
    open: setting.provider.barAt(Date.UTC(2026, 10, 20)).open,
    volume: 7,
  });
  setting.tick('BTCUSDT', 9);
  expect((await chart(setting, '1d', 1))[0]).toMatchObject({
    open: today!.open,
    low: 9,
    close: 9,
    volume: 7,
  });
  await setting.timers.advance(minuteMs);
  expect((await chart(setting, '1d', 1))[0]).toMatchObject({ open: today!.open, low: 9, volume: 7 });
});

test('minutes from before the retention are neither requested nor stored', async () => {
  const setting = await open(start, { candleDays: 1 });
  await chart(setting, '1m', 1000);
  await chart(setting, '1m', 1000, start - 999 * minuteMs);
  const all = await chart(setting, '1m', 1000, start - 999 * minuteMs);
  expect(names(all)[0]).toBe(start - dayMs + minuteMs);
  setting.provider.requests.length = 0;
  expect(await chart(setting, '1m', 1000, start - 2 * dayMs)).toEqual([]);
  expect(setting.provider.requests).toEqual([]);
});

test('an answer that cannot be stored is still an answer', async () => {
  const setting = await open(start);
  setting.provider.before = async () => setting.breakDatabase(true);
  expect(await chart(setting, '1h', 20)).toHaveLength(20);
});

test('simulated and recorded bars come straight from their feed, with gaps marked, and are not stored', async () => {
  const setting = await open(start);
  const { provider } = setting;
  provider.sourceOf = () => 'simulated';
  expect(gaps(await chart(setting, '1m'))).toEqual([]);
  provider.sourceOf = () => 'replay';
  provider.hasNone = (instant) => instant >= start - 10 * minuteMs && instant < start - 5 * minuteMs;
  expect(gaps(await chart(setting, '1m', 20, null, 'AAPL'))).toEqual([
    new Date(start - 5 * minuteMs).toISOString(),
  ]);
  // The first bar is judged against the one before it.
  expect(gaps(await chart(setting, '1m', 6, null, 'AAPL'))).toHaveLength(1);
  expect(setting.statements()).toBe(0);
});

test('bars of one source are never mixed with those of another', async () => {
  const setting = await open(start);
  await chart(setting, '1h', 10);
  setting.provider.sourceOf = () => 'yahoo';
  setting.provider.before = failing;
  await expect(chart(setting, '1h', 10)).rejects.toThrow(PriceError);
});

test('an unknown symbol is refused', async () => {
  const setting = await open(start);
  await expect(chart(setting, '1h', 10, null, 'NOPE')).rejects.toMatchObject({ code: 'unknown_symbol' });
});

test('reading a chart, writing and deleting go through indexes', async () => {
  const { db } = await open(start);
  await db.query(
    `insert into app.candles
     select symbol, 'binance', '1m', $1::timestamptz - n * interval '1 minute', 1, 1, 1, 1, 0, 0, true
     from generate_series(1, 30000) n, unnest(array['BTCUSDT', 'ETHUSDT']) symbol`,
    [new Date(start).toISOString()],
  );
  await db.asOwner('vacuum analyze app.candles');
  const planOf = async (text: string) =>
    (await db.query<{ 'QUERY PLAN': string }>(`explain ${text}`)).rows
      .map((row) => row['QUERY PLAN'])
      .join('\n');
  expect(
    await planOf(`select open from app.candles where symbol = 'BTCUSDT' and source = 'binance' and timeframe = '1m'
      and open_time < 'infinity' order by open_time desc limit 1000`),
  ).toMatch(/Index Scan Backward using candles_pkey/);
  expect(
    await planOf(
      `select ctid from app.candles where timeframe = '1m' and open_time < '2026-11-01' limit 5000`,
    ),
  ).not.toMatch(/Seq Scan/);
});
