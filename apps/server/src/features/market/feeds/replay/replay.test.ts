import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hourMs, minuteMs } from '@fulcrum/domain';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog, type Log } from '../../../../platform/log/index.ts';
import { catalogue } from '../../catalogue/index.ts';
import type { FeedTick } from '../../feed.ts';
import { readRecordings } from './recording.ts';
import { createReplayRun } from './run.ts';

const header = 'symbol,open_time,open,high,low,close,volume';
const silent = createLog({ logLevel: 'silent' });
const at = (text: string) => Date.parse(`${text}Z`);
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fulcrum-replay-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function record(file: string, ...lines: string[]) {
  await writeFile(join(folder, file), `${[header, ...lines].join('\n')}\n`);
}
async function runOf(options = { loop: false }) {
  return createReplayRun(await readRecordings(folder, catalogue, silent), options);
}
const pricesOf = (ticks: readonly FeedTick[], symbol: string) =>
  ticks.filter((tick) => tick.symbol === symbol).map((tick) => tick.price);
/** The turning points alone: prices between them are emitted once a second. */
const turningPointsOf = (ticks: readonly FeedTick[], symbol: string) =>
  pricesOf(ticks.filter(isTurningPoint), symbol);
const isTurningPoint = ({ marketTime }: { readonly marketTime: number }) =>
  [0, 20_000, 40_000, 59_999].includes(marketTime % minuteMs);
const last = (ticks: readonly FeedTick[], symbol: string) =>
  ticks.filter((tick) => tick.symbol === symbol).at(-1);

test('walks a rising candle over its low and a falling one over its high, on the pair’s ticks', async () => {
  await record(
    'btc.csv',
    `BTCUSDT,${at('2022-12-13T00:00')},100,110,95,108,1`,
    `BTCUSDT,${at('2022-12-13T00:01')},108,109,90.004,91,1`,
  );
  const run = await runOf();
  expect(pricesOf(run.advance(1), 'BTCUSDT')).toEqual([100]);
  expect(turningPointsOf(run.advance(minuteMs - 1), 'BTCUSDT')).toEqual([95, 110, 108]);
  expect(turningPointsOf(run.advance(minuteMs), 'BTCUSDT')).toEqual([108, 109, 90, 91]);
});

test('moves in straight lines between the turning points, by the second', async () => {
  await record('btc.csv', `BTCUSDT,${at('2022-12-13T00:00')},100,110,95,108,6`);
  const run = await runOf();
  run.advance(1);
  const line = [99.75, 99.5, 99.25, 99, 98.75, 98.5, 98.25, 98, 97.75, 97.5];
  expect(pricesOf(run.advance(10_000), 'BTCUSDT')).toEqual(line);
  expect(run.candles('BTCUSDT', '1m', { limit: 5, before: null })).toEqual([
    {
      open_time: '2022-12-13T00:00:00.000Z',
      open: 100,
      high: 100,
      low: 97.5,
      close: 97.5,
      volume: 1,
      quote_volume: 98.33333333,
    },
  ]);
  const on = pricesOf(run.advance(20_000), 'BTCUSDT');
  expect([on.length, Math.min(...on.map(Number)), on.at(-1)]).toEqual([20, 95, 102.5]);
});

test('runs files of different days side by side by time of day, each at its recorded time', async () => {
  await record('btc.csv', `BTCUSDT,${at('2022-12-13T09:00')},100,100,100,100,1`);
  await record('gold.csv', `XAUUSD,${at('2014-05-15T09:01')},1300,1300,1300,1300,0`);
  const run = await runOf();
  const first = run.advance(1);
  expect(first.map((tick) => tick.symbol)).toEqual(['BTCUSDT']);
  expect(run.candles('XAUUSD', '1m', { limit: 5, before: null })).toEqual([]);
  const second = run.advance(minuteMs);
  expect(last(second, 'XAUUSD')).toMatchObject({
    price: 1300,
    marketTime: at('2014-05-15T09:01'),
    marketOpen: true,
  });
});

test('repeats the last price in a gap of the recording', async () => {
  await record(
    'aapl.csv',
    `AAPL,${at('2014-06-06T08:00')},640,641,639,640.5,10`,
    `AAPL,${at('2014-06-06T08:10')},642,642,642,642,10`,
  );
  const run = await runOf();
  run.advance(2 * minuteMs);
  const inGap = run.advance(minuteMs);
  expect(inGap).toMatchObject([{ price: 640.5, marketOpen: true, marketTime: at('2014-06-06T08:03') - 1 }]);
  expect(run.candles('AAPL', '1m', { limit: 5, before: null })).toHaveLength(1);
});

test('shuts the market at the end of the data, or starts over when looping', async () => {
  await record('btc.csv', `BTCUSDT,${at('2022-12-13T00:00')},100,110,95,108,1`);
  const once = await runOf();
  once.advance(minuteMs + 1);
  expect(once.advance(minuteMs)).toMatchObject([{ price: 108, marketOpen: false }]);
  const looping = await runOf({ loop: true });
  expect(last(looping.advance(minuteMs + 1), 'BTCUSDT')).toMatchObject({ price: 108, marketOpen: false });
  expect(looping.advance(1)).toMatchObject([{ price: 100, marketOpen: true, breaks: true }]);
  expect(looping.candles('BTCUSDT', '1m', { limit: 5, before: null })).toMatchObject([{ close: 100 }]);
});

test('builds longer candles out of the recorded ones and pages them', async () => {
  const lines = Array.from({ length: 12 }, (_, minute) => {
    const price = 100 + minute;
    return `BTCUSDT,${at('2022-12-13T00:00') + minute * minuteMs},${price},${price + 0.5},${price - 0.5},${price + 0.25},2`;
  });
  await record('btc.csv', ...lines);
  const run = await runOf();
  run.advance(hourMs);
  const bars = run.candles('BTCUSDT', '5m', { limit: 10, before: null });
  expect(bars).toEqual([
    {
      open_time: '2022-12-13T00:00:00.000Z',
      open: 100,
      high: 104.5,
      low: 99.5,
      close: 104.25,
      volume: 10,
      quote_volume: 1020.83333335,
    },
    {
      open_time: '2022-12-13T00:05:00.000Z',
      open: 105,
      high: 109.5,
      low: 104.5,
      close: 109.25,
      volume: 10,
      quote_volume: 1070.83333335,
    },
    {
      open_time: '2022-12-13T00:10:00.000Z',
      open: 110,
      high: 111.5,
      low: 109.5,
      close: 111.25,
      volume: 4,
      quote_volume: 442.33333334,
    },
  ]);
  expect(run.candles('BTCUSDT', '5m', { limit: 2, before: null })).toEqual(bars.slice(1));
  expect(run.candles('BTCUSDT', '5m', { limit: 5, before: at('2022-12-13T00:05') })).toEqual(
    bars.slice(0, 1),
  );
  expect(run.advance(1)[0]!.day).toMatchObject({
    high: 111.5,
    low: 99.5,
    volume: 24,
    priceChangePercent: 11.25,
  });
});

test('emits ticks of all symbols in the order of recorded time, whatever the step', async () => {
  for (const [file, symbol, day] of [
    ['btc.csv', 'BTCUSDT', '2022-12-13'],
    ['gold.csv', 'XAUUSD', '2014-05-15'],
  ] as const) {
    const line = (minute: number) =>
      `${symbol},${at(`${day}T00:00`) + minute * minuteMs},1000,${1010 + minute},990,1005,1`;
    await record(file, ...Array.from({ length: 10 }, (_, minute) => line(minute)));
  }
  const midnights = new Map([
    ['BTCUSDT', at('2022-12-13T00:00')],
    ['XAUUSD', at('2014-05-15T00:00')],
  ]);
  const emittedBy = async (stepMs: number) => {
    const run = await runOf();
    const ticks = Array.from({ length: (10 * minuteMs) / stepMs }, () => run.advance(stepMs)).flat();
    return ticks.map(({ symbol, price, marketTime }) => ({
      symbol,
      price,
      at: marketTime - midnights.get(symbol)!,
      marketTime,
    }));
  };
  const inOneStep = await emittedBy(10 * minuteMs);
  const times = inOneStep.map(({ at: instant }) => instant);
  expect(times).toEqual(times.toSorted((left, right) => left - right));
  expect(inOneStep.filter(isTurningPoint)).toHaveLength(2 * 4 * 10);
  expect((await emittedBy(1_000)).filter(isTurningPoint)).toEqual(inOneStep.filter(isTurningPoint));
  expect((await emittedBy(250)).filter(isTurningPoint)).toEqual(inOneStep.filter(isTurningPoint));
});

test('ENG-8: plays several days after one another, without the nights between them, and others beside it', async () => {
  await record(
    'aapl.csv',
    `AAPL,${at('2014-06-05T13:30')},640,641,639,640.5,10`,
    `AAPL,${at('2014-06-06T13:30')},650,651,649,650.5,20`,
  );
  await record('btc.csv', `BTCUSDT,${at('2022-12-13T13:30')},100,100,100,100,1`);
  const run = await runOf();
  expect(run.begin).toBe(13.5 * hourMs);
  // The two minutes that are recorded, and one of the night, in which the close is seen.
  expect(run.end).toBe(run.begin + 3 * minuteMs);
  run.advance(1);
  const inTheNight = run.advance(1.5 * minuteMs);
  expect(last(inTheNight, 'AAPL')).toMatchObject({ price: 640.5, marketOpen: false });
  expect(last(inTheNight, 'BTCUSDT')).toMatchObject({ price: 100, marketOpen: false });
  const nextDay = run.advance(2 * minuteMs);
  expect(last(nextDay, 'AAPL')).toMatchObject({ price: 650.5, marketOpen: false, day: { volume: 20 } });
  expect(run.candles('AAPL', '1d', { limit: 5, before: null })).toMatchObject([
    { open_time: '2014-06-05T00:00:00.000Z', close: 640.5, volume: 10 },
    { open_time: '2014-06-06T00:00:00.000Z', close: 650.5, volume: 20 },
  ]);
  expect(run.candles('AAPL', '1w', { limit: 5, before: null })).toMatchObject([
    { open_time: '2014-06-02T00:00:00.000Z', open: 640, high: 651, low: 639, close: 650.5, volume: 30 },
  ]);
});

test('a step of 0 repeats the same prices, also at the end of a looping run', async () => {
  await record('btc.csv', `BTCUSDT,${at('2022-12-13T00:00')},100,110,95,108,1`);
  const run = await runOf({ loop: true });
  run.advance(30_000);
  const [again] = run.advance(0);
  expect(run.advance(0)).toEqual([again]);
  run.advance(minuteMs);
  expect(run.advance(0)).toMatchObject([{ price: 108, marketOpen: false }]);
  expect(run.position()).toBe(run.end);
  expect(run.advance(1)).toMatchObject([{ price: 100, breaks: true }]);
});

test('skips symbols that are not listed, with one warning each', async () => {
  await record(
    'a.csv',
    `NOPE,${at('2022-12-13T00:00')},1,1,1,1,1`,
    `NOPE,${at('2022-12-13T00:01')},1,1,1,1,1`,
  );
  await record('b.csv', `BTCUSDT,${at('2022-12-13T00:00')},100,110,95,108,1`);
  const warn = vi.fn();
  const recordings = await readRecordings(folder, catalogue, { warn } as unknown as Log);
  expect(recordings.map((recording) => recording.symbol)).toEqual(['BTCUSDT']);
  expect(warn).toHaveBeenCalledTimes(1);
});

test.each([
  ['a missing column', `BTCUSDT,${at('2022-12-13T00:00')},1,1,1,1`, 'bad.csv:3:'],
  [
    'a word for a price',
    `BTCUSDT,${at('2022-12-13T00:01')},x,1,1,1,1`,
    "bad.csv:3: open must be a decimal number, not 'x'",
  ],
  ['an exponent', `BTCUSDT,${at('2022-12-13T00:01')},1e3,1,1,1,1`, 'bad.csv:3: open must be'],
  ['a time off the minute', 'BTCUSDT,1670889660001,1,1,1,1,1', 'bad.csv:3: open_time must be a whole minute'],
  ['a time that does not rise', `BTCUSDT,${at('2022-12-13T00:00')},1,1,1,1,1`, 'bad.csv:3: open_time'],
  [
    'a close above the high',
    `BTCUSDT,${at('2022-12-13T00:01')},1,2,1,3,1`,
    'bad.csv:3: open and close must lie between',
  ],
  ['a zero price', `BTCUSDT,${at('2022-12-13T00:01')},0,0,0,0,1`, 'bad.csv:3: prices must be greater than 0'],
])('refuses %s, naming file and line', async (_fault, line, message) => {
  await record('bad.csv', `BTCUSDT,${at('2022-12-13T00:00')},100,110,95,108,1`, line);
  await expect(readRecordings(folder, catalogue, silent)).rejects.toThrow(message);
});

test('refuses another header, an empty folder and a folder that is not there', async () => {
  await expect(readRecordings(folder, catalogue, silent)).rejects.toThrow(
    'of PRICE_FEED: no candles of a listed symbol',
  );
  await expect(readRecordings(join(folder, 'nowhere'), catalogue, silent)).rejects.toThrow(
    'cannot read the folder',
  );
  await writeFile(join(folder, 'bad.csv'), 'time,price\n1,2\n');
  await expect(readRecordings(folder, catalogue, silent)).rejects.toThrow(
    'bad.csv:1: the first line must be symbol,',
  );
});
