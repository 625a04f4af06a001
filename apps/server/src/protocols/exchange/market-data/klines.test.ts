/** Which candles an answer has, over a market with nights and weekends. */
import type { Candle } from '@fulcrum/contract';
import { dayMs, hourMs, isMarketOpen, minuteMs, nextBar, type Timeframe } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { type KlinesQuery, type ReadCandles, readKlines } from './klines.ts';

const newYork = 'America/New_York|Mon-Fri 09:30-16:00';
/** A Thursday, 15:30 UTC, an hour after the opening. */
const now = Date.UTC(2026, 10, 19, 15, 30);
const begin = Date.UTC(2026, 9, 1);

function allBars(timeframe: Timeframe): number[] {
  const opens: number[] = [];
  for (let open = begin; open <= now; open = nextBar(timeframe, open))
    if (isMarketOpen(newYork, timeframe === '1d' ? open + 15 * hourMs : open)) opens.push(open);
  return opens;
}
const candleAt = (open: number): Candle => ({
  open_time: new Date(open).toISOString(),
  ...{ open: 1, high: 2, low: 1, close: 1, volume: 1, quote_volume: 1, gap: false },
});

const known = new Map<Timeframe, number[]>();
let reads = 0;
const read: ReadCandles = async (timeframe, limit, before) => {
  reads += 1;
  const opens = known.get(timeframe) ?? allBars(timeframe);
  known.set(timeframe, opens);
  return opens
    .filter((open) => before === null || open < before)
    .slice(-limit)
    .map(candleAt);
};
const opensOf = async (query: KlinesQuery) =>
  (await readKlines(read, query, now)).map(({ openTime }) => openTime);

test.each<[string, Timeframe, number, number]>([
  ['a start at night', '1m', Date.UTC(2026, 10, 13, 22), 500],
  ['a start in a session', '1m', Date.UTC(2026, 10, 12, 15, 7), 1_500],
  ['a start long before the first bar', '1m', 0, 1_000],
  ['hours over many weekends', '1h', Date.UTC(2026, 9, 5), 200],
  ['days', '1d', Date.UTC(2026, 9, 3), 30],
])('%s: the first bars from there on, none missing between them', async (_, interval, startTime, limit) => {
  reads = 0;
  const opens = await opensOf({ interval, startTime, limit });
  const expected = allBars(interval)
    .filter((open) => open >= startTime)
    .slice(0, limit);
  expect(opens).toEqual(expected.slice(0, opens.length));
  expect(opens.length).toBeGreaterThan(Math.min(limit, expected.length) / 2);
  expect(reads).toBeLessThan(60);
});

test('a client that goes on after the last candle gets all of them, once', async () => {
  const paged: number[] = [];
  for (let startTime = begin; ; ) {
    const page = await opensOf({ interval: '5m', startTime, limit: 499 });
    if (page.length === 0) break;
    paged.push(...page);
    startTime = (page.at(-1) ?? 0) + 1;
  }
  expect(paged).toEqual(allBars('5m'));
});

test.each<[string, Timeframe, number]>([
  ['3m', '1m', 3],
  ['2h', '1h', 2],
  ['6h', '1h', 6],
  ['8h', '4h', 2],
  ['12h', '4h', 3],
  ['3d', '1d', 3],
])('%s is put together of %s', async (interval, base, count) => {
  const length = count * nextBar(base, 0);
  const parts = Map.groupBy(allBars(base), (open) => Math.floor(open / length) * length);
  const bars = await readKlines(read, { interval, limit: 4 }, now);
  expect(bars.map(({ openTime, closeTime, volume }) => ({ openTime, closeTime, volume }))).toEqual(
    [...parts]
      .slice(-4)
      .map(([openTime, { length: volume }]) => ({ openTime, closeTime: openTime + length - 1, volume })),
  );
});

test('a month closes where the next one begins', async () => {
  const [month] = await readKlines(
    async () => [candleAt(Date.UTC(2026, 1, 1))],
    { interval: '1M', limit: 1 },
    now,
  );
  expect(month?.closeTime).toBe(Date.UTC(2026, 2, 1) - 1);
  const [day] = await readKlines(async () => [candleAt(begin)], { interval: '1d', limit: 1 }, now);
  expect(day?.closeTime).toBe(begin + dayMs - 1);
  const [minute] = await readKlines(async () => [candleAt(begin)], { interval: '1m', limit: 1 }, now);
  expect(minute?.closeTime).toBe(begin + minuteMs - 1);
});

test.each(['1s', '10m', '2d', '1H', ''])('%o is no interval', async (interval) => {
  await expect(readKlines(read, { interval, limit: 1 }, now)).rejects.toMatchObject({ code: -1120 });
});
