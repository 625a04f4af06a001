import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { minuteMs } from '@fulcrum/domain';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createManualClock } from '../../../../platform/clock/index.ts';
import { createLog, type Log } from '../../../../platform/log/index.ts';
import { catalogue } from '../../catalogue.ts';
import type { FeedTick } from '../../feed.ts';
import { createReplayFeed } from './index.ts';
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
  expect(pricesOf(run.advance(minuteMs - 1), 'BTCUSDT')).toEqual([95, 110, 108]);
  expect(pricesOf(run.advance(minuteMs), 'BTCUSDT')).toEqual([108, 109, 90, 91]);
});

test('moves in straight lines between the turning points', async () => {
  await record('btc.csv', `BTCUSDT,${at('2022-12-13T00:00')},100,110,95,108,6`);
  const run = await runOf();
  run.advance(1);
  expect(pricesOf(run.advance(10_000), 'BTCUSDT')).toEqual([97.5]);
  expect(run.candles('BTCUSDT', '1m', { limit: 5, before: null })).toEqual([
    { open_time: '2022-12-13T00:00:00.000Z', open: 100, high: 100, low: 97.5, close: 97.5, volume: 1 },
  ]);
  expect(pricesOf(run.advance(20_000), 'BTCUSDT')).toEqual([95, 102.5]);
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

test('keeps telling the last price in a gap of the recording', async () => {
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
  run.advance(60 * minuteMs);
  const bars = run.candles('BTCUSDT', '5m', { limit: 10, before: null });
  expect(bars).toEqual([
    { open_time: '2022-12-13T00:00:00.000Z', open: 100, high: 104.5, low: 99.5, close: 104.25, volume: 10 },
    { open_time: '2022-12-13T00:05:00.000Z', open: 105, high: 109.5, low: 104.5, close: 109.25, volume: 10 },
    { open_time: '2022-12-13T00:10:00.000Z', open: 110, high: 111.5, low: 109.5, close: 111.25, volume: 4 },
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
  await expect(readRecordings(folder, catalogue, silent)).rejects.toThrow('no candles of a listed symbol');
  await expect(readRecordings(join(folder, 'nowhere'), catalogue, silent)).rejects.toThrow(
    'cannot read the folder',
  );
  await writeFile(join(folder, 'bad.csv'), 'time,price\n1,2\n');
  await expect(readRecordings(folder, catalogue, silent)).rejects.toThrow(
    'bad.csv:1: the first line must be symbol,',
  );
});

test('goes at the configured speed, and goes on where it stood when the process was held up', async () => {
  await record(
    'btc.csv',
    ...Array.from(
      { length: 100 },
      (_, minute) => `BTCUSDT,${at('2022-12-13T00:00') + minute * minuteMs},100,110,95,108,1`,
    ),
  );
  vi.useFakeTimers();
  try {
    const clock = createManualClock(at('2026-11-21T12:00'));
    const feed = createReplayFeed({ folder, speed: 60, loop: false, pairs: catalogue, clock, log: silent });
    const ticks: FeedTick[] = [];
    await feed.start((tick) => ticks.push(tick));
    const elapsedMinutes = () => Math.round((ticks.at(-1)!.marketTime - at('2022-12-13T00:00')) / minuteMs);
    clock.advance(1_000);
    vi.advanceTimersByTime(250);
    expect(elapsedMinutes()).toBe(1);
    clock.advance(3_600_000);
    vi.advanceTimersByTime(250);
    expect(elapsedMinutes()).toBe(2);
    await feed.stop();
    const count = ticks.length;
    vi.advanceTimersByTime(5_000);
    expect(ticks).toHaveLength(count);
  } finally {
    vi.useRealTimers();
  }
});
