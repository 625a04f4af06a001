import { dayMs, hourMs, minuteMs, type Timeframe } from '@fulcrum/domain';
import { expect, onTestFinished, test } from 'vitest';
import { createManualTimers } from '../../../../../test/harness/manual-timers.ts';
import type { Timers } from '../../../../platform/clock/index.ts';
import { catalogue, type ListedPair } from '../../catalogue/index.ts';
import type { Bar, FeedTick } from '../../feed.ts';
import { createSimulatedFeed, modelOfSeed, type SimulatedFeedOptions } from './index.ts';
import { firstInstant } from './path.ts';

const now = Date.UTC(2026, 10, 21, 13, 37, 42, 123);
const model = modelOfSeed('seed');
const pairOf = (symbol: string): ListedPair => catalogue.find((pair) => pair.symbol === symbol)!;

const createFeed = (options: Partial<SimulatedFeedOptions>) =>
  createSimulatedFeed({
    model,
    sessions: '24x7',
    pairs: catalogue,
    timers: createManualTimers(now),
    shocks: [],
    scales: new Map(),
    ...options,
  });

/** A feed of one symbol, its ticks, and control of its clock. */
async function startFeed(symbol: string, at: number) {
  let instant = at;
  let run = () => {};
  const timers: Timers = {
    now: () => instant,
    after: () => () => {},
    every: (_, wake) => {
      run = wake;
      return () => {
        run = () => {};
      };
    },
  };
  const feed = createFeed({ pairs: [pairOf(symbol)], timers });
  onTestFinished(() => feed.stop());
  const ticks: FeedTick[] = [];
  await feed.start((tick) => ticks.push(tick));
  const poll = (next: number) => {
    instant = next;
    for (let phase = 0; phase < 5; phase += 1) run();
  };
  return { feed, ticks, poll };
}

test('ENT-25: the feed starts with every symbol’s price and day figures, and its last candle closes at that price', async () => {
  const feed = createFeed({});
  const ticks: FeedTick[] = [];
  await feed.start((tick) => ticks.push(tick));
  await feed.stop();

  expect(ticks.map((tick) => tick.symbol)).toEqual(catalogue.map((pair) => pair.symbol));
  for (const tick of ticks) {
    const [candle] = await feed.candles(tick.symbol, '15m', { limit: 1, before: null });
    expect(candle!.close).toBe(tick.price);
    expect(tick.day!.high).toBeGreaterThanOrEqual(candle!.high);
    expect(tick.day!.low).toBeLessThanOrEqual(candle!.low);
    expect(tick.day!.volume).toBeGreaterThan(0);
    expect(tick.day!.quoteVolume).toBeGreaterThan(0);
  }
});

test('the figures of the day are those of the minutes of 24 hours', async () => {
  const feed = createFeed({});
  const ticks = new Map<string, FeedTick>();
  await feed.start((tick) => ticks.set(tick.symbol, tick));
  await feed.stop();
  for (const name of ['BTCUSDT', 'EUR/GBP', 'XAUUSD']) {
    const minutes = await feed.candles(name, '1m', { limit: 1_440, before: null });
    const { day } = ticks.get(name)!;
    const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
    expect(day!.high).toBe(Math.max(...minutes.map((bar) => bar.high)));
    expect(day!.low).toBe(Math.min(...minutes.map((bar) => bar.low)));
    expect(day!.volume / sumOf(minutes.map((bar) => bar.volume))).toBeCloseTo(1, 9);
    expect(day!.quoteVolume / sumOf(minutes.map((bar) => bar.quote_volume))).toBeCloseTo(1, 9);
    const change = (minutes.at(-1)!.close / minutes[0]!.open - 1) * 100;
    expect(day!.priceChangePercent).toBeCloseTo(change, 4);
  }
});

test('a feed of some pairs gives them the prices that a feed of all pairs gives', () => {
  const all = createFeed({});
  for (const names of [['EUR/GBP'], ['SGD/JPY', 'BCOUSD'], ['XCUUSD', 'AAPL']]) {
    const some = createFeed({ pairs: names.map(pairOf) });
    for (const name of names) expect(some.priceAt(name, now)).toBe(all.priceAt(name, now));
  }
});

test('a pair without typical figures is not simulated', async () => {
  const feed = createFeed({ pairs: [{ ...pairOf('BTCUSDT'), typical: null }, pairOf('ETHUSDT')] });
  const ticks: FeedTick[] = [];
  await feed.start((tick) => ticks.push(tick));
  await feed.stop();
  expect(ticks.map((tick) => tick.symbol)).toEqual(['ETHUSDT']);
  expect([feed.sourceOf('BTCUSDT'), feed.sourceOf('ETHUSDT')]).toEqual([null, 'simulated']);
  expect(feed.priceAt('BTCUSDT', now)).toBeNull();
  expect(await feed.candles('BTCUSDT', '1h', { limit: 5, before: null })).toEqual([]);
});

test('a symbol is computed four times a second and emitted at least once', async () => {
  const timers = createManualTimers(now);
  const feed = createFeed({ pairs: [pairOf('BTCUSDT'), pairOf('USD/HKD')], timers });
  const ticks: FeedTick[] = [];
  await feed.start((tick) => ticks.push(tick));
  await timers.advance(10_000);
  await feed.stop();
  const of = (symbol: string) => ticks.filter((tick) => tick.symbol === symbol);
  expect(of('BTCUSDT').length).toBeGreaterThan(30);
  expect(of('BTCUSDT').length).toBeLessThanOrEqual(41);
  for (const name of ['BTCUSDT', 'USD/HKD']) {
    const times = of(name).map((tick) => tick.marketTime);
    for (const [index, time] of times.slice(1).entries())
      expect(time - times[index]!).toBeLessThanOrEqual(1_250);
  }
  const tickCount = ticks.length;
  await timers.advance(2_000);
  expect(ticks).toHaveLength(tickCount);
});

test('the same candles come back however they are paged, none before the market began, none from the future', async () => {
  const feed = createFeed({});
  const query = (limit: number, before: number | null) => feed.candles('ETHUSDT', '1h', { limit, before });
  const whole = await query(100, null);
  const pages: Bar[] = [];
  while (pages.length < 100) {
    pages.unshift(...(await query(20, pages[0] ? Date.parse(pages[0].open_time) : null)));
  }
  expect(pages).toEqual(whole);
  expect(whole.at(-1)!.open_time).toBe('2026-11-21T13:00:00.000Z');
  expect(await query(5, now + 10 * dayMs)).toEqual(whole.slice(-5));
  expect(await query(5, firstInstant)).toEqual([]);
  expect(await query(5, firstInstant + hourMs + 1)).toHaveLength(2);
  expect(await feed.candles('NOPE', '1h', { limit: 5, before: null })).toEqual([]);
});

test('bars of a day and longer hold trading days: forex’s Monday begins on Sunday at 17:00 New York', async () => {
  const feed = createFeed({});
  const bars = (symbol: string, timeframe: Timeframe, limit: number, before: number | null = null) =>
    feed.candles(symbol, timeframe, { limit, before });
  const [monday] = await bars('EUR/USD', '1d', 1, Date.UTC(2026, 10, 17));
  expect(monday!.open_time).toBe('2026-11-16T00:00:00.000Z');
  // 22:00 UTC in winter.
  const hours = await bars('EUR/USD', '1h', 24, Date.UTC(2026, 10, 16, 22));
  expect(hours[0]!.open_time).toBe('2026-11-15T22:00:00.000Z');
  expect(monday).toMatchObject({
    open: hours[0]!.open,
    close: hours.at(-1)!.close,
    high: Math.max(...hours.map((bar) => bar.high)),
    low: Math.min(...hours.map((bar) => bar.low)),
  });
  const [week] = await bars('EUR/USD', '1w', 1, Date.UTC(2026, 10, 17));
  expect(week).toMatchObject({ open_time: '2026-11-16T00:00:00.000Z', open: monday!.open });
  // The past begins with whole bars.
  const days = await bars('EUR/USD', '1d', 3, Date.UTC(2015, 0, 4));
  expect(days[0]!.open_time).toBe('2015-01-02T00:00:00.000Z');
  expect((await bars('BTCUSDT', '1M', 1_000)).map((bar) => bar.open_time)[0]).toBe(
    '2015-01-01T00:00:00.000Z',
  );
});

test('requests for every long chart at once do not block the process', async () => {
  const feed = createFeed({});
  let rounds = 0;
  const others = setInterval(() => {
    rounds += 1;
  }, 1);
  const charts = await Promise.all(
    catalogue.slice(0, 8).map(({ symbol }) => feed.candles(symbol, '1d', { limit: 300, before: null })),
  );
  clearInterval(others);
  expect(charts.map((bars) => bars.length)).toEqual(charts.map(() => 300));
  expect(rounds).toBeGreaterThan(10);
});

test('a clock that is set back takes the price with it: the feed vouches for that tick and no other', async () => {
  const { ticks, poll } = await startFeed('BTCUSDT', now);
  poll(now + 1_000);
  poll(now - hourMs);
  poll(now - 3_599_000);
  expect(ticks.map(({ marketTime, breaks }) => [marketTime - now, breaks ?? false])).toEqual([
    [0, false],
    [1_000, false],
    [-hourMs, true],
    [-3_599_000, false],
  ]);
});

test('a new high of the day stays its high while the price falls back', async () => {
  const minutes = await createFeed({}).candles('BTCUSDT', '1m', { limit: 4 * 1_440, before: null });
  const highestBefore = (index: number) =>
    Math.max(...minutes.slice(index - 1_440, index).map((bar) => bar.high));
  const index = minutes.findLastIndex((bar, at) => at >= 1_440 && bar.high > highestBefore(at));
  const minute = Date.parse(minutes[index]!.open_time);

  const { ticks, poll } = await startFeed('BTCUSDT', minute);
  for (let ms = 60; ms < minuteMs; ms += 60) poll(minute + ms);
  let highest = 0;
  for (const { price, day } of ticks) {
    highest = Math.max(highest, Number(price));
    expect(day!.high).toBeGreaterThanOrEqual(highest);
  }
  expect(ticks.at(-1)!.day!.high).toBe(minutes[index]!.high);
});

test('A98: with sessions honoured, bars cover trading hours and a shut market shows the price it shut at', async () => {
  const saturday = Date.UTC(2026, 10, 21, 13, 37);
  const feed = createFeed({
    sessions: 'honour',
    pairs: [pairOf('AAPL')],
    timers: createManualTimers(saturday),
  });
  const ticks: FeedTick[] = [];
  await feed.start((tick) => ticks.push(tick));
  await feed.stop();
  const bars = async (timeframe: Timeframe, limit: number) =>
    (await feed.candles('AAPL', timeframe, { limit, before: null })).map((bar) => bar.open_time.slice(0, 16));

  expect(await bars('1h', 8)).toEqual([
    '2026-11-19T20:00',
    ...Array.from({ length: 7 }, (_, hour) => `2026-11-20T${14 + hour}:00`),
  ]);
  expect(await bars('1d', 3)).toEqual(['2026-11-18T00:00', '2026-11-19T00:00', '2026-11-20T00:00']);
  const [lastMinute] = await feed.candles('AAPL', '1m', { limit: 1, before: null });
  expect(lastMinute!.open_time).toBe('2026-11-20T20:59:00.000Z');
  expect(ticks).toMatchObject([{ price: lastMinute!.close, marketTime: saturday }]);
  const day = (await feed.candles('AAPL', '1d', { limit: 1, before: null }))[0]!;
  const hours = await feed.candles('AAPL', '1h', { limit: 7, before: null });
  expect(day.high).toBe(Math.max(...hours.map((hour) => hour.high)));
  expect(day.volume).toBeCloseTo(
    hours.reduce((sum, hour) => sum + hour.volume, 0),
    2,
  );
  expect(ticks[0]!.day).toMatchObject({ high: day.high, low: day.low });
});

test('a scaled pair goes on from another source’s last price, and moves no other', () => {
  const at = now - hourMs;
  const plain = createFeed({});
  const scales = new Map([
    ['BTCUSDT', 98_765.43 / plain.priceAt('BTCUSDT', at)!],
    ['EUR/USD', 1.05 / plain.priceAt('EUR/USD', at)!],
  ]);
  const scaled = createFeed({ scales });
  expect(scaled.priceAt('BTCUSDT', at)).toBeCloseTo(98_765.43, 6);
  expect(scaled.priceAt('EUR/USD', at)).toBeCloseTo(1.05, 9);
  expect(scaled.priceAt('EUR/GBP', at)).toBe(plain.priceAt('EUR/GBP', at));
  // The path's moves stay what they were.
  const move = (feed: typeof plain) => feed.priceAt('BTCUSDT', now)! / feed.priceAt('BTCUSDT', at)!;
  expect(move(scaled)).toBeCloseTo(move(plain), 10);
});

test('bars that are folded from shorter ones in memory are those that are computed, where hours are honoured too', async () => {
  for (const sessions of ['24x7', 'honour'] as const) {
    const options = { sessions, pairs: [pairOf('AAPL'), pairOf('EUR/GBP')] };
    const [known, cold] = [createFeed(options), createFeed(options)];
    for (const symbol of ['AAPL', 'EUR/GBP']) {
      await known.candles(symbol, '1m', { limit: 1_500, before: null });
      await known.candles(symbol, '15m', { limit: 400, before: null });
      for (const timeframe of ['5m', '30m', '1h', '4h', '1d'] as const) {
        const query = { limit: 60, before: null };
        expect(await known.candles(symbol, timeframe, query)).toEqual(
          await cold.candles(symbol, timeframe, query),
        );
      }
    }
  }
});
