import { type Candle, type Timeframe, timeframes } from '@fulcrum/contract';
import { afterEach, expect, test } from 'vitest';
import type { Bar } from '../../src/features/market/feed.ts';
import { PriceError } from '../../src/features/market/price-error.ts';
import { createSetting, type Setting } from './candle-provider.ts';

/** A Friday, 18:00 UTC: New York trades. */
const start = Date.UTC(2026, 10, 20, 18);
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const opened: Setting[] = [];
afterEach(async () => {
  for (const { candles } of opened) await candles.stop();
  await opened.splice(0)[0]?.db.close();
});
async function open(...options: Parameters<typeof createSetting>): Promise<Setting> {
  const setting = await createSetting(...options);
  opened.push(setting);
  return setting;
}
function restart(setting: Setting): Setting {
  const next = setting.restart();
  opened.push(next);
  return next;
}
const chart = (
  { candles }: Setting,
  timeframe: Timeframe,
  limit = 300,
  before: number | null = null,
  symbol = 'BTCUSDT',
) => candles.candles(symbol, timeframe, { limit, before });
/** Live ticks, one every 30 s, for whole minutes. */
async function live({ tick, timers }: Setting, minutes: number, symbol = 'BTCUSDT', price = 500) {
  for (let half = 0; half < 2 * minutes; half += 1) {
    tick(symbol, price + half / 100);
    await timers.advance(minute / 2);
  }
}
const names = (bars: readonly Candle[]) => bars.map(({ open_time }) => Date.parse(open_time));
const gaps = (bars: readonly Candle[]) => bars.filter(({ gap }) => gap).map(({ open_time }) => open_time);
const failing = async () => {
  throw new PriceError('HTTP error! status: 503');
};

test('a chart that nobody looked at before is fetched once, stored and answered', async () => {
  const setting = await open(start);
  const { provider } = setting;
  const first = await chart(setting, '1h');
  expect(first).toHaveLength(300);
  expect(first.at(-2)).toEqual({ ...provider.barAt(start - hour), gap: false });
  expect(gaps(first)).toEqual([]);
  expect(provider.asked).toEqual([{ symbol: 'BTCUSDT', timeframe: '1h', limit: 301, before: null }]);
  expect(await chart(setting, '1h')).toEqual(first);
  expect(await chart(setting, '1h', 50)).toEqual(first.slice(-50));
  expect(provider.asked).toHaveLength(1);
  const { rows } = await setting.db.query(
    'select sampled, count(*)::int as count from app.candles group by 1 order by 1',
  );
  // The running bar is not the provider's last word.
  expect(rows).toEqual([
    { sampled: false, count: 300 },
    { sampled: true, count: 1 },
  ]);
});

test('a stored chart is one query, and a restart asks only for the newest bars', async () => {
  const setting = await open(start);
  await chart(setting, '1h', 1000);
  await setting.candles.stop();
  const next = restart(setting);
  const before = next.statements();
  expect(await chart(next, '1h', 1000, start - 10 * hour)).toHaveLength(1000);
  expect(next.provider.asked).toEqual([
    { symbol: 'BTCUSDT', timeframe: '1h', limit: 1000, before: start - 999 * hour },
  ]);
  expect(await chart(next, '1h', 500, start - 10 * hour)).toHaveLength(500);
  expect(next.statements() - before).toBe(3);
  next.provider.asked.length = 0;
  await chart(next, '1h', 500);
  expect(next.provider.asked).toEqual([{ symbol: 'BTCUSDT', timeframe: '1h', limit: 3, before: null }]);
});

test('paging back fetches page after page, until the provider has no more, and that is remembered', async () => {
  const setting = await open(start);
  const { provider } = setting;
  provider.hasNone = (instant) => instant < start - 700 * hour;
  const pages: Candle[][] = [];
  for (let before: number | null = null; pages.at(-1)?.length !== 0; ) {
    const page = await chart(setting, '1h', 300, before);
    pages.push(page);
    before = page[0] ? Date.parse(page[0].open_time) : before;
  }
  expect(pages.map(({ length }) => length)).toEqual([300, 300, 101, 0]);
  const asked = provider.asked.length;
  for (const before of [null, start - 299 * hour, start - 599 * hour, start - 700 * hour])
    await chart(setting, '1h', 300, before);
  expect(provider.asked).toHaveLength(asked);
});

test('a holiday and hours before the listing are asked for once', async () => {
  const setting = await open(start);
  const { provider } = setting;
  provider.hasNone = (instant) =>
    instant < start - 20 * day || (instant >= Date.UTC(2026, 10, 18) && instant < Date.UTC(2026, 10, 19));
  const first = await chart(setting, '15m', 1000, null, 'AAPL');
  expect(gaps(first)).toEqual([]);
  await chart(setting, '15m', 1000, null, 'AAPL');
  const asked = provider.asked.length;
  for (let look = 0; look < 5; look += 1) await chart(setting, '15m', 1000, null, 'AAPL');
  expect(provider.asked).toHaveLength(asked);
  expect(asked).toBeLessThanOrEqual(2);
});

test('requests that arrive together share one question', async () => {
  const setting = await open(start);
  const charts = await Promise.all(Array.from({ length: 20 }, () => chart(setting, '5m')));
  expect(setting.provider.asked).toHaveLength(1);
  expect(new Set(charts.map((one) => JSON.stringify(one))).size).toBe(1);
});

test('a request that read the store before an answer was kept reads it again', async () => {
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
  expect(setting.provider.asked).toHaveLength(1);
});

test('no more than eight questions are under way, and the others get their turn', async () => {
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

test('sampled bars give way to the provider’s once they are over', async () => {
  const setting = await open(start);
  await live(setting, 10);
  const bars = await chart(setting, '1m', 15);
  expect(bars.slice(0, -2).every(({ volume }) => volume === 7)).toBe(true);
  expect(gaps(bars)).toEqual([]);
  const { rows } = await setting.db.query(
    `select count(*)::int as count from app.candles where timeframe = '1m' and sampled`,
  );
  expect(rows[0]).toEqual({ count: 1 });
  // What is sampled from then on stands beside it, and nothing is asked for a while.
  const asked = setting.provider.asked.length;
  setting.tick('BTCUSDT', 5000);
  expect((await chart(setting, '1m', 5)).at(-1)).toMatchObject({ high: 5000, close: 5000 });
  expect((await chart(setting, '1h', 5)).at(-1)).toMatchObject({ high: 5000, close: 5000 });
  expect(setting.provider.asked.filter(({ timeframe }) => timeframe === '1m')).toHaveLength(asked);
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
  await setting.timers.advance(minute);
  expect((await chart(setting, '1d', 1))[0]).toMatchObject({ open: today!.open, low: 9, volume: 7 });
});

test('a provider that fails costs an answer with its gaps marked, and is left alone for a while', async () => {
  const setting = await open(start);
  const { provider, timers } = setting;
  await live(setting, 3);
  await timers.advance(10 * minute);
  await live(setting, 3);
  provider.before = failing;
  const bars = await chart(setting, '1m');
  expect(bars.map(({ close }) => close)).toHaveLength(6);
  expect(gaps(bars)).toEqual([new Date(start + 13 * minute).toISOString()]);
  const asked = provider.asked.length;
  for (let look = 0; look < 10; look += 1) await chart(setting, '1m');
  expect(provider.asked).toHaveLength(asked);

  provider.before = async () => undefined;
  await timers.advance(minute);
  setting.tick('BTCUSDT', 500);
  const whole = await chart(setting, '1m');
  expect(whole).toHaveLength(300);
  expect(gaps(whole)).toEqual([]);
});

test('when nothing at all is known, the provider’s fault is the answer, also a moment later', async () => {
  const setting = await open(start);
  setting.provider.before = failing;
  for (let look = 0; look < 2; look += 1)
    await expect(chart(setting, '1h')).rejects.toEqual(new PriceError('HTTP error! status: 503'));
  expect(setting.provider.asked).toHaveLength(1);
});

test('a slow provider keeps nobody waiting for long, and its answer is there for the next one', async () => {
  const setting = await open(start);
  const { provider, timers } = setting;
  await live(setting, 3);
  await timers.advance(55_000);
  setting.tick('BTCUSDT', 600);
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  provider.before = () => promise;
  const waiting = chart(setting, '1m', 10);
  await timers.advance(0);
  // The minute is over and written meanwhile, and the next one begins.
  await timers.advance(6_000);
  setting.tick('BTCUSDT', 700);
  await timers.advance(4_000);
  expect((await waiting).map(({ close }) => close).slice(-2)).toEqual([600, 700]);
  expect(await waiting).toHaveLength(5);
  answer();
  await timers.advance(0);
  expect(await chart(setting, '1m', 10)).toHaveLength(10);
  expect(provider.asked).toHaveLength(1);
});

test('after a silence the missing minutes are fetched on the next look', async () => {
  const setting = await open(start);
  await live(setting, 5);
  await chart(setting, '1m', 100);
  await setting.timers.advance(hour);
  await live(setting, 3);
  setting.tick('BTCUSDT', 500);
  const bars = await chart(setting, '1m', 100);
  expect(names(bars)).toEqual(
    Array.from({ length: 100 }, (_, index) => setting.timers.now() - (99 - index) * minute),
  );
  expect(gaps(bars)).toEqual([]);
});

test('after a silence the charts that were looked at are completed before the next look', async () => {
  const setting = await open(start);
  const { provider, timers } = setting;
  await live(setting, 1);
  for (const timeframe of ['1m', '5m', '15m'] as const) await chart(setting, timeframe, 100);
  await timers.advance(hour);
  provider.asked.length = 0;
  await live(setting, 1);
  expect(provider.asked.map(({ timeframe }) => timeframe)).toEqual(['1m', '5m']);
  await live(setting, 1);
  expect(provider.asked.map(({ timeframe }) => timeframe)).toEqual(['1m', '5m', '15m']);
  await live(setting, 5);
  expect(provider.asked).toHaveLength(3);
});

test('a source that says nothing more is asked at most once a minute by however many looks', async () => {
  const setting = await open(start);
  const { provider, timers } = setting;
  await live(setting, 2);
  await chart(setting, '1m', 100);
  await timers.advance(10 * minute);
  provider.asked.length = 0;
  for (let look = 0; look < 100; look += 1) {
    expect((await chart(setting, '1m', 100)).length).toBe(100);
    await timers.advance(3_000);
  }
  expect(provider.asked.length).toBeLessThanOrEqual(5);
});

test('over a weekend a shut market is asked for nothing', async () => {
  const setting = await open(Date.UTC(2026, 10, 20, 20, 50));
  await live(setting, 10, 'AAPL');
  await chart(setting, '1m', 390, null, 'AAPL');
  await setting.timers.advance(5 * minute);
  for (let look = 0; look < 10; look += 1) await chart(setting, '1m', 390, null, 'AAPL');
  expect(setting.provider.asked).toHaveLength(2);
  await setting.timers.advance(hour);
  await chart(setting, '1m', 390, null, 'AAPL');
  setting.provider.asked.length = 0;
  for (let look = 0; look < 20; look += 1) {
    await setting.timers.advance(2 * hour);
    await chart(setting, '1m', 390, null, 'AAPL');
  }
  expect(setting.provider.asked).toEqual([]);
  const { rows } = await setting.db.query(`select count(*)::int as count from app.candles where sampled
    and timeframe = '1m'`);
  expect(rows).toEqual([{ count: 0 }]);
});

test('bars that are none are dropped, and spoil nothing', async () => {
  const setting = await open(start);
  setting.provider.spoil = ([first, second, third, fourth, fifth, ...rest]) => [
    { ...first!, open: Number.NaN },
    { ...second!, low: -1 },
    { ...third!, high: third!.low },
    { ...fourth!, open_time: '2026-11-20T10:17:00.000Z' },
    { ...fifth!, open_time: 'yesterday' },
    ...rest.toReversed(),
    rest[0]!,
  ];
  const bars = await chart(setting, '1h', 20);
  expect(names(bars)).toEqual(Array.from({ length: 16 }, (_, index) => start - (15 - index) * hour));
  setting.provider.spoil = (given) => given.map((bar) => ({ ...bar, close: Infinity }));
  await expect(chart(setting, '1d', 20)).rejects.toEqual(
    new PriceError('No price data available for BTCUSDT'),
  );
});

/** What the provider says of every bar after one share became `factor`. */
const split =
  (factor: number) =>
  (bars: Bar[]): Bar[] =>
    bars.map((bar) => ({
      ...bar,
      open: bar.open / factor,
      high: bar.high / factor,
      low: bar.low / factor,
      close: bar.close / factor,
    }));

test('after a stock split the bars of all timeframes are fetched anew', async () => {
  const setting = await open(start);
  const { provider, timers } = setting;
  await chart(setting, '1h', 50);
  await chart(setting, '1d', 50);
  await chart(setting, '1d', 50, null, 'ETHUSDT');
  await timers.advance(2 * minute);
  provider.spoil = split(10);
  for (const timeframe of ['1h', '1d'] as const) {
    const bars = await chart(setting, timeframe, 50);
    expect(bars).toHaveLength(50);
    expect(Math.max(...bars.map(({ high }) => high))).toBeLessThan(200);
    expect(gaps(bars)).toEqual([]);
  }
  // Those of another symbol stay, and what was fetched anew is kept.
  provider.asked.length = 0;
  expect((await chart(setting, '1d', 10, start - 10 * day, 'ETHUSDT'))[0]?.open).toBeGreaterThan(900);
  await chart(setting, '1h', 50);
  await chart(setting, '1d', 50);
  expect(provider.asked).toEqual([]);
});

test('a provider that takes its word back with every answer is asked twice for a look, and no more', async () => {
  const setting = await open(start);
  const { provider, timers } = setting;
  let factor = 10;
  provider.spoil = (bars) => {
    factor = factor === 1 ? 10 : 1;
    return split(factor)(bars);
  };
  await chart(setting, '1h', 50);
  await timers.advance(2 * minute);
  provider.asked.length = 0;
  expect(await chart(setting, '1h', 50)).toHaveLength(50);
  expect(provider.asked).toHaveLength(2);
});

test('a small correction of a settled bar leaves the stored ones as they are', async () => {
  const setting = await open(start);
  const { provider, timers } = setting;
  const before = await chart(setting, '1h', 50);
  await timers.advance(2 * minute);
  provider.asked.length = 0;
  provider.spoil = split(1.02);
  expect((await chart(setting, '1h', 50)).slice(0, -2)).toEqual(before.slice(0, -2));
  expect(provider.asked).toHaveLength(1);
});

test('minutes from before the retention are neither asked for nor kept', async () => {
  const setting = await open(start, { candleDays: 1 });
  await chart(setting, '1m', 1000);
  await chart(setting, '1m', 1000, start - 999 * minute);
  const all = await chart(setting, '1m', 1000, start - 999 * minute);
  expect(names(all)[0]).toBe(start - day + minute);
  setting.provider.asked.length = 0;
  expect(await chart(setting, '1m', 1000, start - 2 * day)).toEqual([]);
  expect(setting.provider.asked).toEqual([]);
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
  provider.hasNone = (instant) => instant >= start - 10 * minute && instant < start - 5 * minute;
  expect(gaps(await chart(setting, '1m', 20, null, 'AAPL'))).toEqual([
    new Date(start - 5 * minute).toISOString(),
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
