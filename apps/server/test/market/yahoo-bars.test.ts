import { texts } from '@fulcrum/contract';
import type { Timeframe } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import type { Bar } from '../../src/features/market/feed.ts';
import { PriceError } from '../../src/features/market/price-error.ts';
import type { ListedBar } from './quote-server.ts';
import { fridayMorning, openSetting } from './yahoo-server.ts';

const at = (text: string) => Date.parse(`${text}Z`) / 1000;
const minute = 60;
const day = 86_400;
const latest = { limit: 300, before: null };

/** The bars of one symbol that the provider has in `interval`, as the feed returns them. */
async function barsOf(
  symbol: string,
  timeframe: Timeframe,
  { ticker, interval, bars }: { ticker: string; interval: string; bars: readonly ListedBar[] },
): Promise<{ bars: Bar[]; interval: string | null }> {
  const { server, feed } = await openSetting([symbol]);
  server.list(ticker, { bars: { [interval]: bars } });
  const answered = await feed.candles(symbol, timeframe, latest);
  return { bars: answered, interval: server.requests[0]?.query.get('interval') ?? null };
}
const shape = ({ open_time, open, high, low, close, volume }: Bar) => [
  open_time,
  open,
  high,
  low,
  close,
  volume,
];

test('reads bars, leaves out minutes without a trade and merges the running one into its bar', async () => {
  const { bars, interval } = await barsOf('AAPL', '5m', {
    ticker: 'AAPL',
    interval: '5m',
    bars: [
      [at('2026-11-20T14:45'), 100, 103, 99, 101, 10],
      [at('2026-11-20T14:50'), null, null, null, null, null],
      [at('2026-11-20T14:55'), 101, 102, 100, 102, 20],
      [at('2026-11-20T14:58:41'), 102, 104, 102, 104, 0],
    ],
  });
  expect(interval).toBe('5m');
  expect(bars).toEqual([
    {
      open_time: '2026-11-20T14:45:00.000Z',
      open: 100,
      high: 103,
      low: 99,
      close: 101,
      volume: 10,
      quote_volume: expect.closeTo(10 * 101, 6),
    },
    {
      open_time: '2026-11-20T14:55:00.000Z',
      open: 101,
      high: 104,
      low: 100,
      close: 104,
      volume: 20,
      quote_volume: expect.closeTo((20 * (102 + 100 + 102)) / 3, 6),
    },
  ]);
});

test('binary fractions land on the pair’s ticks; forex has no volume', async () => {
  const { bars } = await barsOf('EUR/USD', '1d', {
    ticker: 'EURUSD=X',
    interval: '1d',
    bars: [
      // Midnight in London, in winter and in summer.
      [
        at('2026-01-14T00:00'),
        1.1220825910568237,
        1.1228384971618652,
        1.115946888923645,
        1.1220825910568237,
        0,
      ],
      [
        at('2026-07-14T23:00'),
        1.1218937635421753,
        1.12271249294281,
        1.1166820526123047,
        1.1220825910568237,
        0,
      ],
    ],
  });
  expect(bars.map(shape)).toEqual([
    ['2026-01-14T00:00:00.000Z', 1.12208, 1.12284, 1.11595, 1.12208, 0],
    ['2026-07-15T00:00:00.000Z', 1.12189, 1.12271, 1.11668, 1.12208, 0],
  ]);
});

test('a bar without sense is left out, one with crossed extremes is put right', async () => {
  const { bars } = await barsOf('AAPL', '5m', {
    ticker: 'AAPL',
    interval: '5m',
    bars: [
      [at('2026-11-20T14:40'), 100, 101, -1, 100, 5],
      [at('2026-11-20T14:45'), 100, 99, 101, 102, -5],
      [at('2026-11-20T14:50'), 0, 0, 0, 0, 0],
      [at('2026-11-20T14:55'), 1e15, 1e15, 1e15, 1e15, 1],
    ],
  });
  expect(bars.map(shape)).toEqual([['2026-11-20T14:45:00.000Z', 100, 102, 99, 102, 0]]);
});

test.for<[string, string, string, string]>([
  ['AAPL', 'AAPL', '2026-11-19T14:30', '2026-11-19'],
  ['NIKKEI', '^N225', '2026-11-19T00:00', '2026-11-19'],
  // Ten in the morning in Sydney is the evening before in UTC.
  ['ASX', '^AXJO', '2026-11-18T23:00', '2026-11-19'],
  ['XAUUSD', 'GC=F', '2026-11-19T05:00', '2026-11-19'],
])('a day of %s (%s) that begins at %s is the %s', async ([symbol, ticker, begins, date]) => {
  const { bars } = await barsOf(symbol, '1d', {
    ticker,
    interval: '1d',
    bars: [[at(begins), 100, 103, 99, 101, 10]],
  });
  expect(bars.map(({ open_time }) => open_time)).toEqual([`${date}T00:00:00.000Z`]);
});

test('the running day comes twice and counts once', async () => {
  const { bars } = await barsOf('AAPL', '1d', {
    ticker: 'AAPL',
    interval: '1d',
    bars: [
      [at('2026-11-20T14:30'), 100, 103, 99, 101, 1000],
      [at('2026-11-20T14:59:57'), 100, 104, 99, 104, 1010],
    ],
  });
  expect(bars.map(shape)).toEqual([['2026-11-20T00:00:00.000Z', 100, 104, 99, 104, 1010]]);
});

test('weeks and months are made of days: the provider’s own begin wherever the range does', async () => {
  const days: readonly ListedBar[] = [
    [at('2026-10-30T13:30'), 80, 91, 79, 90, 400],
    [at('2026-11-13T14:30'), 90, 95, 85, 92, 500],
    [at('2026-11-16T14:30'), 92, 103, 91, 101, 1000],
    [at('2026-11-20T14:30'), 101, 104, 99, 103, 90],
    [at('2026-11-20T14:59:57'), 101, 104, 99, 104, 100],
  ];
  const week = await barsOf('AAPL', '1w', { ticker: 'AAPL', interval: '1d', bars: days });
  expect(week.bars.map(shape).slice(1)).toEqual([
    ['2026-11-09T00:00:00.000Z', 90, 95, 85, 92, 500],
    ['2026-11-16T00:00:00.000Z', 92, 104, 91, 104, 1100],
  ]);
  const month = await barsOf('AAPL', '1M', { ticker: 'AAPL', interval: '1d', bars: days });
  expect(month.bars.map(shape)).toEqual([
    ['2026-10-01T00:00:00.000Z', 80, 91, 79, 90, 400],
    ['2026-11-01T00:00:00.000Z', 90, 104, 85, 104, 1600],
  ]);
});

test('the first day of a month of forex begins in the month before', async () => {
  const { bars } = await barsOf('EUR/USD', '1M', {
    ticker: 'EURUSD=X',
    interval: '1d',
    // Midnight in London, in summer.
    bars: [[at('2026-09-30T23:00'), 1.1, 1.2, 1, 1.15, 0]],
  });
  expect(bars.map(({ open_time }) => open_time)).toEqual(['2026-10-01T00:00:00.000Z']);
});

test.for<[Timeframe, string]>([
  ['1w', 'a Monday'],
  ['1M', 'the first of a month'],
])('a range of %s begins on %s, so that no bar is half of one', async ([timeframe]) => {
  const { server, feed } = await openSetting(['AAPL']);
  await feed.candles('AAPL', timeframe, { limit: 10, before: null });
  const from = new Date(Number(server.requests[0]?.query.get('period1')) * 1000);
  // The trading day of a stock is the calendar day of New York.
  expect([4, 5]).toContain(from.getUTCHours());
  expect(timeframe === '1w' ? from.getUTCDay() : from.getUTCDate()).toBe(1);
});

test('hours of an exchange that opens at half past are made of quarters, as are half hours of all', async () => {
  const bars: readonly ListedBar[] = [
    [at('2026-11-19T14:30'), 100, 101, 99, 100, 1],
    [at('2026-11-19T14:45'), 100, 102, 100, 101, 1],
    [at('2026-11-19T15:00'), 101, 105, 100, 104, 2],
    [at('2026-11-19T15:30'), 104, 104, 98, 103, 3],
    [at('2026-11-19T15:45'), 103, 106, 103, 106, 4],
  ];
  const hours = await barsOf('AAPL', '1h', { ticker: 'AAPL', interval: '15m', bars });
  expect(hours.interval).toBe('15m');
  expect(hours.bars.map(shape)).toEqual([
    ['2026-11-19T14:00:00.000Z', 100, 102, 99, 101, 2],
    ['2026-11-19T15:00:00.000Z', 101, 106, 98, 106, 9],
  ]);
  const halves = await barsOf('XAUUSD', '30m', { ticker: 'GC=F', interval: '15m', bars });
  expect(halves.bars.map(shape)).toEqual([
    ['2026-11-19T14:30:00.000Z', 100, 102, 99, 101, 2],
    ['2026-11-19T15:00:00.000Z', 101, 105, 100, 104, 2],
    ['2026-11-19T15:30:00.000Z', 104, 106, 98, 106, 7],
  ]);
});

test('trades of a stock outside its hours are no bars', async () => {
  const { bars } = await barsOf('AAPL', '5m', {
    ticker: 'AAPL',
    interval: '5m',
    bars: [
      [at('2026-11-19T14:25'), 1, 1, 1, 1, 1],
      [at('2026-11-19T14:30'), 2, 2, 2, 2, 1],
      [at('2026-11-19T20:55'), 3, 3, 3, 3, 1],
      [at('2026-11-19T21:00'), 4, 4, 4, 4, 0],
    ],
  });
  expect(bars.map(({ close }) => close)).toEqual([2, 3]);
});

test('four hours are made of single ones', async () => {
  const { bars, interval } = await barsOf('XAUUSD', '4h', {
    ticker: 'GC=F',
    interval: '1h',
    bars: [
      [at('2026-11-19T11:00'), 10, 12, 9, 11, 1],
      [at('2026-11-19T12:00'), 11, 13, 11, 12, 2],
      [at('2026-11-19T15:00'), 12, 12, 8, 9, 4],
    ],
  });
  expect(interval).toBe('1h');
  expect(bars.map(shape)).toEqual([
    ['2026-11-19T08:00:00.000Z', 10, 12, 9, 11, 1],
    ['2026-11-19T12:00:00.000Z', 11, 13, 8, 9, 6],
  ]);
});

test.for<[Timeframe, string, number]>([
  ['1m', '1m', 7],
  ['5m', '5m', 60],
  ['15m', '15m', 60],
  ['30m', '15m', 60],
  ['4h', '1h', 730],
])(
  'a thousand bars of %s are requested as %s, at most %d days of them',
  async ([timeframe, interval, days]) => {
    const { server, feed } = await openSetting(['AAPL']);
    await feed.candles('AAPL', timeframe, { limit: 1000, before: null });
    const query = server.requests[0]?.query;
    const [from, to] = [Number(query?.get('period1')), Number(query?.get('period2'))];
    expect(query?.get('interval')).toBe(interval);
    expect(to).toBe(fridayMorning / 1000);
    expect(to - from).toBeLessThan(days * day);
  },
);

test('requests no more than the required bars', async () => {
  const { server, feed } = await openSetting(['EUR/USD']);
  await feed.candles('EUR/USD', '1m', { limit: 60, before: null });
  await feed.candles('EUR/USD', '1d', { limit: 10, before: null });
  const spans = server.requests.map(
    ({ query }) => Number(query.get('period2')) - Number(query.get('period1')),
  );
  expect(spans[0]).toBeLessThan(7 * day);
  expect(spans[1]).toBeLessThan(30 * day);
  expect(spans[1]).toBeGreaterThanOrEqual(14 * day);
});

test('minutes older than a month are not requested: the provider has none', async () => {
  const { server, feed } = await openSetting(['AAPL']);
  const before = fridayMorning - 30 * day * 1000;
  expect(await feed.candles('AAPL', '1m', { limit: 300, before })).toEqual([]);
  expect(server.requests).toEqual([]);
});

test('hours older than sixty days come as the provider has them', async () => {
  const { server, feed } = await openSetting(['AAPL']);
  await feed.candles('AAPL', '1h', { limit: 300, before: fridayMorning - 58 * day * 1000 });
  expect(server.requests[0]?.query.get('interval')).toBe('1h');
});

test('an entry before the range makes no bar, because the bar would be incomplete', async () => {
  const { server, feed } = await openSetting(['XAUUSD']);
  await feed.candles('XAUUSD', '4h', { limit: 10, before: null });
  const from = Number(server.requests[0]?.query.get('period1'));
  const hours = Array.from(
    { length: 9 },
    (_, hour): ListedBar => [from + (hour - 1) * 3_600, 10, 12, 9, 11, 1],
  );
  server.list('GC=F', { ignoresRange: true, bars: { '1h': hours } });
  const bars = await feed.candles('XAUUSD', '4h', { limit: 10, before: null });
  expect(bars.map(({ open_time, volume }) => [Date.parse(open_time) / 1000, volume])).toEqual([
    [from, 4],
    [from + 4 * 3_600, 4],
  ]);
});

test('returns the requested number of newest bars before an instant', async () => {
  const { server, feed } = await openSetting(['EUR/USD']);
  const bars = Array.from(
    { length: 120 },
    (_, index): ListedBar => [fridayMorning / 1000 - (120 - index) * minute, 1.1, 1.1, 1.1, 1.1, 0],
  );
  server.list('EURUSD=X', { bars: { '1m': bars } });
  const before = fridayMorning - 60 * minute * 1000;
  const page = await feed.candles('EUR/USD', '1m', { limit: 30, before });
  expect(page).toHaveLength(30);
  expect(page.at(-1)?.open_time).toBe(new Date(before - minute * 1000).toISOString());
});

test('the last bar before an instant in its middle is whole', async () => {
  const { server, feed } = await openSetting(['XAUUSD']);
  server.list('GC=F', {
    bars: {
      '15m': [
        [at('2026-11-19T14:00'), 10, 12, 9, 11, 1],
        [at('2026-11-19T14:15'), 11, 13, 11, 12, 2],
        [at('2026-11-19T14:30'), 12, 12, 8, 9, 4],
      ],
    },
  });
  const bars = await feed.candles('XAUUSD', '30m', {
    limit: 10,
    before: Date.parse('2026-11-19T14:10Z'),
  });
  expect(bars.map(shape)).toEqual([['2026-11-19T14:00:00.000Z', 10, 13, 9, 12, 3]]);
});

test('a shut market has bars from before it shut', async () => {
  const sunday = Date.UTC(2026, 10, 22, 12, 0);
  const { server, feed } = await openSetting(['AAPL'], { at: sunday });
  server.list('AAPL', { bars: { '1m': [[at('2026-11-20T20:59'), 1, 2, 1, 2, 3]] } });
  expect(await feed.candles('AAPL', '1m', latest)).toHaveLength(1);
});

test('calls for the same bars share one request', async () => {
  const { server, feed } = await openSetting(['AAPL']);
  const two = await Promise.all([feed.candles('AAPL', '1d', latest), feed.candles('AAPL', '1d', latest)]);
  expect(two[0]).toEqual(two[1]);
  expect(server.requests).toHaveLength(1);
});

test('bars come before polls, but alternate with symbols in use; too many are refused', async () => {
  const symbols = ['AAPL', 'MSFT', 'NVDA', 'AMZN'];
  const { server, timers, start, feed, inUse, takeTickers } = await openSetting(symbols);
  server.cacheControl = null;
  inUse.add('AAPL');
  await start();
  await timers.advance(1_000);
  takeTickers();
  const timeframes: readonly Timeframe[] = ['1m', '5m', '15m', '30m', '1h'];
  const expected = symbols.flatMap((symbol) =>
    timeframes.map((timeframe) => feed.candles(symbol, timeframe, latest).then(() => null, String)),
  );
  await timers.advance(10_000);
  const first = server.requests.slice(-10);
  const bars = first.filter(({ query }) => query.has('period1'));
  const quotes = first.filter(({ query }) => query.get('range') === '1d').map(({ ticker }) => ticker);
  expect(bars.length).toBeGreaterThanOrEqual(5);
  expect(new Set(quotes)).toEqual(new Set(['AAPL']));
  expect(quotes.length).toBeGreaterThanOrEqual(3);
  await timers.advance(30_000);
  const refused = (await Promise.all(expected)).filter((one) => one !== null);
  // One went out at once, sixteen waited.
  expect(refused).toEqual(Array(3).fill(`PriceError: ${texts.busy}`));
});

test('FEED-70: bars that the provider does not deliver are a failure, not an empty chart', async () => {
  const { server, feed } = await openSetting(['AAPL', 'XNIUSD']);
  server.list('AAPL', { mode: 'too-wide' });
  await expect(feed.candles('AAPL', '1m', latest)).rejects.toThrow('HTTP error! status: 422');
  await expect(feed.candles('AAPL', '5m', latest)).rejects.toBeInstanceOf(PriceError);
  expect(await feed.candles('XNIUSD', '1d', latest)).toEqual([]);
  expect(server.requests).toHaveLength(2);
});

test('a closure that is longer than the requested range is no beginning of history', async () => {
  const { server, feed } = await openSetting(['AAPL']);
  // Nothing trades from the 5th to the 18th.
  const bars: ListedBar[] = [[at('2026-11-04T15:00'), 100, 103, 99, 101, 10]];
  server.list('AAPL', { bars: { '5m': bars, '1d': [] } });
  const before = at('2026-11-18T15:00') * 1000;
  expect((await feed.candles('AAPL', '5m', { limit: 10, before })).map(({ open_time }) => open_time)).toEqual(
    ['2026-11-04T15:00:00.000Z'],
  );
  const ranges = server.requests.map(({ query }) =>
    ['period1', 'period2'].map((name) => Number(query.get(name))),
  );
  expect(ranges).toHaveLength(2);
  // The second ends where the first begins, and reaches as far as the provider goes.
  expect(ranges[1]?.[1]).toBe(ranges[0]?.[0]);
  expect(fridayMorning / 1000 - (ranges[1]?.[0] ?? 0)).toBeGreaterThan(59 * day);
  // Where there is nothing at all, no further request follows.
  expect(await feed.candles('AAPL', '1d', { limit: 10, before: Date.UTC(1990, 0) })).toEqual([]);
  expect(server.requests).toHaveLength(4);
});
