/** The position of a recording is a row of the market's leader: the next leader goes on there, with the same prices. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayMs, minuteMs } from '@fulcrum/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { catalogue } from '../../src/features/market/catalogue/index.ts';
import type { FeedTick } from '../../src/features/market/feed.ts';
import { createReplayFeed, type ReplayFeed } from '../../src/features/market/feeds/replay/index.ts';
import { readReplayPosition, writeReplayPosition } from '../../src/features/market/store.ts';
import { withTerm } from '../../src/platform/duties/index.ts';
import { createTestDatabase, type TestDatabase, testLog } from '../harness/index.ts';
import { createManualTimers } from '../harness/manual-timers.ts';

const day = Date.parse('2026-01-05T00:00Z');
const header = 'symbol,open_time,open,high,low,close,volume';
/** A candle of each minute; `BTCUSDT` jumps by half at the fourth one. */
const candles = (symbol: string, prices: readonly number[], from: number): string[] =>
  prices.map(
    (price, n) => `${symbol},${from + n * minuteMs},${price},${price + 1},${price - 1},${price + 0.5},1`,
  );

let db: TestDatabase;
let folder: string;
const running: ReplayFeed[] = [];
beforeEach(async () => {
  [db, folder] = [await createTestDatabase(), await mkdtemp(join(tmpdir(), 'fulcrum-replay-'))];
  await record([100, 101, 102, 103, 60, 61, 62, 63, 64, 65]);
});
afterEach(async () => {
  for (const feed of running.splice(0)) await feed.stop();
  await db.close();
  await rm(folder, { recursive: true });
});
const record = (prices: readonly number[], from = day) =>
  writeFile(
    join(folder, 'days.csv'),
    [
      header,
      ...candles('BTCUSDT', prices, from),
      ...candles(
        'ETHUSDT',
        prices.map(() => 50),
        from,
      ),
    ].join('\n'),
  );

async function lead(more: { term?: number; speed?: number } = {}) {
  const timers = createManualTimers(Date.now());
  const target = more.term === undefined ? db : withTerm(db, { name: 'market', term: more.term });
  const feed = createReplayFeed({
    ...{ folder, speed: more.speed ?? 10, loop: false, onJump: 'pause', historyMinutes: 0 },
    ...{ pairs: catalogue, timers, log: testLog, speedMax: 60 },
    storedPosition: {
      read: () => readReplayPosition(target),
      write: (position) => writeReplayPosition(target, position),
    },
  });
  running.push(feed);
  const ticks: FeedTick[] = [];
  await feed.start((tick) => ticks.push(tick));
  /** Plays on for so many seconds of the wall, beat by beat. */
  async function play(seconds: number): Promise<void> {
    for (let n = 0; n < seconds * 4; n += 1) {
      await timers.advance(250);
      await new Promise(setImmediate);
    }
  }
  return { feed, ticks, play };
}
const positionOf = ({ feed }: { readonly feed: ReplayFeed }): number => feed.controls().position_s;

test('a later leader goes on where the former one was, at its speed, and repeats no more than a second of play', async () => {
  const first = await lead();
  await first.play(3);
  first.feed.set({ speed: 20 });
  await first.play(2);
  await first.feed.store();
  const was = positionOf(first);
  expect(was - first.feed.controls().begin_s).toBeCloseTo(70, 0);
  // It dies: nothing else is written.
  await first.feed.stop();

  const second = await lead();
  expect(second.feed.controls()).toMatchObject({ position_s: was, speed: 20, paused: false });
  // Its first prices are those of the position, and follow the earlier ones.
  const shown = second.ticks.find(({ symbol }) => symbol === 'BTCUSDT');
  expect(shown?.price).toBe(first.ticks.findLast(({ symbol }) => symbol === 'BTCUSDT')?.price);
  expect(shown?.breaks).toBeUndefined();
  await second.play(2);
  expect(positionOf(second) - was).toBeCloseTo(40, 0);
  const later = second.ticks.slice(2).map(({ marketTime }) => marketTime);
  expect(Math.min(...later)).toBeGreaterThanOrEqual(
    day + (was - first.feed.controls().begin_s) * 1_000 - 1_000,
  );
  expect(later).toEqual(later.toSorted((a, b) => a - b));
});

test('a pause and a decision at a jump hold for the next leader', async () => {
  const first = await lead({ speed: 60 });
  await first.play(6);
  expect(first.feed.controls().jump?.symbol).toBe('BTCUSDT');
  first.feed.set({ atJump: 'without', paused: true });
  await first.feed.store();
  await first.feed.stop();

  const second = await lead({ speed: 60 });
  expect(second.feed.controls()).toMatchObject({ paused: true, jump: null, speed: 60 });
  const was = positionOf(second);
  await second.play(2);
  expect(positionOf(second)).toBe(was);
  second.feed.set({ paused: false });
  second.ticks.length = 0;
  await second.play(3);
  expect(positionOf(second)).toBeGreaterThan(was);
  const open = new Map(second.ticks.map(({ symbol, marketOpen }) => [symbol, marketOpen]));
  expect(open.get('BTCUSDT')).toBe(false);
  expect(open.get('ETHUSDT')).not.toBe(false);
});

test('a leader that stops stores where it is, so that nothing is played again; it stores that once', async () => {
  const first = await lead();
  await first.play(3);
  await first.feed.store();
  first.feed.set({ speed: 50 });
  await first.play(0.5);
  const was = positionOf(first);
  expect((await readReplayPosition(db))?.position).toBeLessThan(was * 1_000);
  await first.feed.stop();
  expect((await readReplayPosition(db))?.position).toBe(was * 1_000);
  const second = await lead();
  expect(positionOf(second)).toBe(was);
  await second.play(1);
  await second.feed.store();
  const later = await readReplayPosition(db);
  await first.feed.stop();
  expect(await readReplayPosition(db)).toEqual(later);
});

test.each([
  ['waits at a jump', { paused: false }],
  ['waits at a jump and is paused', { paused: true }],
  ['is paused behind the decision at a jump', { paused: true, atJump: 'gap' }],
] as const)(
  'a later leader of a run that %s trades at no price before it, from its first one on',
  async (_name, change) => {
    const first = await lead({ speed: 60 });
    await first.play(6);
    first.feed.set({ ...change });
    const { jump, position_s: was } = first.feed.controls();
    expect(jump === null).toBe('atJump' in change);
    await first.feed.store();
    await first.feed.stop();

    const second = await lead({ speed: 60 });
    expect(second.feed.controls()).toMatchObject({ jump, position_s: was });
    await second.play(2);
    const shown = second.ticks.filter(({ symbol }) => symbol === 'BTCUSDT');
    expect(shown.length).toBeGreaterThan(1);
    for (const tick of shown) expect(tick).toMatchObject({ marketOpen: false, held: true });
    expect(second.ticks.find(({ symbol }) => symbol === 'ETHUSDT')).toMatchObject({ marketOpen: true });
    expect(second.feed.controls().position_s).toBe(was);

    second.ticks.length = 0;
    second.feed.set({ paused: false, ...(jump && { atJump: 'gap' }) });
    await second.play(1);
    const open = second.ticks.filter(
      ({ symbol, marketOpen }) => symbol === 'BTCUSDT' && marketOpen !== false,
    );
    expect(open[0]).toMatchObject({ price: 60, breaks: true });
    expect(open.every(({ price }) => Number(price) < 70)).toBe(true);
  },
);

test('another recording starts over, a former leader writes nothing, and a speed beyond 60 is refused', async () => {
  const [row] = await db.asOwner(
    `update app.duties set holder = gen_random_uuid(), term = term + 1 where name = 'market' returning term::int`,
  );
  const term = Number(row?.term);
  const first = await lead({ term });
  await first.play(3);
  await first.feed.store();
  const stored = await readReplayPosition(db);
  expect(stored?.position).toBe(positionOf(first) * 1_000);
  expect(() => first.feed.set({ speed: 61 })).toThrow(RangeError);

  await db.asOwner(`update app.duties set term = term + 1 where name = 'market'`);
  await first.play(3);
  await expect(first.feed.store()).rejects.toMatchObject({ code: 'busy' });
  expect(await readReplayPosition(db)).toEqual(stored);

  // As long, of another day; shorter.
  for (const [prices, from] of [
    [[100, 101, 102, 103, 60, 61, 62, 63, 64, 65], day + dayMs],
    [[100, 101, 102, 103, 104], day],
  ] as const) {
    await record(prices, from);
    const next = await lead();
    expect(positionOf(next)).toBeCloseTo(next.feed.controls().begin_s, 0);
    await next.play(3);
    await next.feed.store();
  }
});

test('a recording that has ended stays so under the next leader, and starts over with the cluster', async () => {
  const first = await lead({ speed: 60 });
  await first.play(5);
  first.feed.set({ atJump: 'gap' });
  await first.play(10);
  const { begin_s, end_s } = first.feed.controls();
  expect(positionOf(first)).toBe(end_s);
  await first.feed.stop();
  const second = await lead();
  expect(positionOf(second)).toBe(end_s);
  expect(second.ticks.map(({ marketOpen }) => marketOpen)).toEqual([false, false]);
  await second.feed.stop();
  await db.asOwner(`update app.replay_position set stored_at = stored_at - interval '1 minute'`);
  const again = await lead({ speed: 60 });
  expect(positionOf(again)).toBeCloseTo(begin_s, 0);
  expect(again.ticks.find(({ symbol }) => symbol === 'BTCUSDT')).toMatchObject({ price: 100, breaks: true });
  await again.play(5);
  expect(again.feed.controls().jump?.symbol).toBe('BTCUSDT');
});

test('a speed that is changed in the settings holds, before one that staff chose under the former settings', async () => {
  const first = await lead({ speed: 10 });
  first.feed.set({ speed: 20 });
  await first.play(2);
  await first.feed.stop();
  const second = await lead({ speed: 30 });
  expect(second.feed.controls()).toMatchObject({ speed: 30, position_s: positionOf(first) });
  await second.feed.stop();
  expect((await lead({ speed: 30 })).feed.controls().speed).toBe(30);
});
