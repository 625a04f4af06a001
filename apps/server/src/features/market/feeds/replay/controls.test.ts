/** The replay feed in wall time: beats, speed, pause, stops. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hourMs, minuteMs } from '@fulcrum/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createManualTimers } from '../../../../../test/harness/manual-timers.ts';
import { createManualClock, type Timers } from '../../../../platform/clock/index.ts';
import { createLog } from '../../../../platform/log/index.ts';
import { catalogue } from '../../catalogue/index.ts';
import type { FeedTick } from '../../feed.ts';
import { createReplayFeed, type ReplayFeed, type ReplayFeedOptions } from './index.ts';

const log = createLog({ logLevel: 'silent' });
const start = Date.UTC(2026, 10, 21, 12);
const midnight = Date.UTC(2022, 11, 13);
const recordedMinutes = 180;
let folder = '';
const feeds: ReplayFeed[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fulcrum-replay-'));
  for (const [symbol, price] of [
    ['BTCUSDT', 17_000],
    ['ETHUSDT', 1_200],
  ] as const) {
    const lines = Array.from({ length: recordedMinutes }, (_, minute) => {
      const open = price + minute;
      return `${symbol},${midnight + hourMs + minute * minuteMs},${open},${open + 8},${open - 9},${open + 1},1`;
    });
    const text = ['symbol,open_time,open,high,low,close,volume', ...lines, ''].join('\n');
    await writeFile(join(folder, `${symbol}.csv`), text);
  }
});
afterEach(async () => {
  for (const feed of feeds.splice(0)) await feed.stop();
  await rm(folder, { recursive: true });
});

async function play(options: Partial<ReplayFeedOptions> = {}) {
  const timers = createManualTimers(start);
  const feed = createReplayFeed({
    folder,
    speed: 1,
    loop: false,
    onJump: 'pause',
    historyMinutes: 0,
    pairs: catalogue,
    timers,
    log,
    ...options,
  });
  feeds.push(feed);
  const ticks: FeedTick[] = [];
  await feed.start((tick) => ticks.push(tick));
  /** Ticks since the last call. */
  const drain = () => ticks.splice(0);
  return { feed, timers, drain };
}
const turningPoints = (ticks: readonly FeedTick[]) =>
  ticks
    .filter(({ marketOpen }) => marketOpen !== false)
    .filter(({ marketTime }) => [0, 20_000, 40_000, 59_999].includes((marketTime - midnight) % minuteMs))
    .map(({ symbol, price, marketTime }) => `${symbol} ${marketTime - midnight} ${price}`);

test('plays at the configured speed and reports its position', async () => {
  const { feed, timers } = await play({ speed: 60 });
  expect(feed.controls()).toEqual({
    paused: false,
    speed: 60,
    actual_speed: 60,
    loop: false,
    position_s: 3_600,
    begin_s: 3_600,
    end_s: 3_600 + recordedMinutes * 60,
    jump: null,
  });
  await timers.advance(10_000);
  expect(feed.controls().position_s).toBe(3_600 + 600);
});

test('a pause stops time and keeps prices fresh and the market open; resuming loses nothing', async () => {
  const { feed, timers, drain } = await play({ speed: 60 });
  await timers.advance(5_100);
  expect(feed.set({ paused: true })).toMatchObject({ paused: true, speed: 60 });
  await timers.advance(250);
  const { position_s } = feed.controls();
  // The 100 ms up to the pause still count.
  expect(position_s).toBe(3_600 + 5.1 * 60);
  const before = drain();
  await timers.advance(hourMs);
  const paused = drain();
  expect(feed.controls().position_s).toBe(position_s);
  expect(paused).toHaveLength(2 * 4 * 3_600);
  expect(
    new Set(paused.map(({ symbol, price, marketOpen }) => `${symbol} ${price} ${marketOpen}`)).size,
  ).toBe(2);
  expect(
    paused.every(({ marketTime, marketOpen }) => marketTime === before.at(-1)?.marketTime && marketOpen),
  ).toBe(true);
  feed.set({ paused: false });
  await timers.advance(2_150);
  expect(feed.controls().position_s).toBe(position_s + 2.15 * 60);
});

test('a change of speed takes effect at its own moment, and no turning point is lost or repeated', async () => {
  const whole = await play({ speed: 3_600 });
  await whole.timers.advance(4_000);
  const { feed, timers, drain } = await play({ speed: 60 });
  await timers.advance(1_110);
  feed.set({ speed: 1.5 });
  await timers.advance(3_333);
  feed.set({ speed: 977 });
  feed.set({ speed: 977 });
  await timers.advance(3_557);
  const expected = 1.11 * 60 + 3.333 * 1.5 + 3.557 * 977;
  expect(Math.abs(feed.controls().position_s - 3_600 - expected)).toBeLessThanOrEqual(0.25 * 977);
  feed.set({ speed: 3_600 });
  await timers.advance(4_000);
  expect(feed.controls().position_s).toBe(feed.controls().end_s);
  const played = turningPoints(drain());
  expect(new Set(played).size).toBe(2 * 4 * recordedMinutes);
  expect([...new Set(played)]).toEqual([...new Set(turningPoints(whole.drain()))]);
});

test('symbols stay in step at any speed', async () => {
  const { feed, timers, drain } = await play();
  for (const speed of [1, 7.5, 333, 3_600]) {
    feed.set({ speed });
    await timers.advance(1_000);
    const times = drain().map(({ marketTime }) => marketTime);
    expect(times).toEqual(times.toSorted((left, right) => left - right));
  }
});

test('after its end the market is closed, and stays closed', async () => {
  const { timers, drain } = await play({ speed: 3_600 });
  await timers.advance(4_000);
  drain();
  await timers.advance(60_000);
  const after = drain();
  expect(after).toHaveLength(2 * 4 * 60);
  expect(after.every(({ marketOpen }) => marketOpen === false)).toBe(true);
});

test('a loop starts over at the end, with a break, but not while it is paused there', async () => {
  const { feed, timers, drain } = await play({ speed: 3_600, loop: true });
  await timers.advance(3_000);
  feed.set({ paused: true });
  drain();
  await timers.advance(1_000);
  expect(feed.controls()).toMatchObject({ paused: true, loop: true, position_s: feed.controls().end_s });
  expect(drain().every(({ breaks }) => breaks === undefined)).toBe(true);
  feed.set({ paused: false });
  await timers.advance(250);
  expect(drain().filter(({ breaks }) => breaks)).toHaveLength(2);
  expect(feed.controls().position_s).toBeLessThan(3_600 + 1_000);
});

test('resumes at its position after the process was suspended, and emits nothing once stopped', async () => {
  const clock = createManualClock(start);
  const beats: (() => void)[] = [];
  const timers: Timers = {
    now: clock.now,
    after: () => () => undefined,
    every(_ms, run) {
      beats.push(run);
      return () => beats.splice(beats.indexOf(run), 1);
    },
  };
  const { feed } = await play({ speed: 60, timers });
  clock.advance(hourMs);
  beats[0]!();
  expect(feed.controls().position_s).toBe(3_600 + 60);
  // A clock that was set back is no time at all.
  clock.advance(-hourMs);
  beats[0]!();
  expect(feed.controls().position_s).toBe(3_600 + 60);
  await feed.stop();
  expect(beats).toEqual([]);
});

test.each([0, 0.99, 3_601, Number.NaN, Number.POSITIVE_INFINITY])('refuses a speed of %d', async (speed) => {
  const { feed } = await play({ speed: 2 });
  expect(() => feed.set({ speed, paused: true })).toThrow(RangeError);
  expect(feed.controls()).toMatchObject({ speed: 2, paused: false });
});
