/** The replay of real recorded days, in the folder that FULCRUM_RECORDED names; skipped without it. */
import { barStart } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { catalogue } from '../../src/features/market/catalogue/index.ts';
import type { FeedTick } from '../../src/features/market/feed.ts';
import { createReplayFeed } from '../../src/features/market/feeds/replay/index.ts';
import { type Recording, readRecordings } from '../../src/features/market/feeds/replay/recording.ts';
import { waypointsOf } from '../../src/features/market/feeds/replay/walk.ts';
import { testLog } from '../harness/index.ts';
import { createManualTimers } from '../harness/manual-timers.ts';

const folder = process.env.FULCRUM_RECORDED;
const note = folder === undefined ? ' (left out: FULCRUM_RECORDED names no folder)' : '';

/** Plays everything, changing the speed as it goes, and pausing once. */
async function playAll(speeds: readonly number[]) {
  const timers = createManualTimers(Date.UTC(2026, 10, 21, 12));
  const feed = createReplayFeed({
    folder: folder ?? '',
    speed: speeds[0] ?? 1,
    loop: false,
    onJump: 'pause',
    historyMinutes: 0,
    pairs: catalogue,
    timers,
    log: testLog,
  });
  const ticks: FeedTick[] = [];
  await feed.start((tick) => ticks.push(tick));
  for (let round = 0; feed.controls().position_s < feed.controls().end_s; round += 1) {
    feed.set({ speed: speeds[round % speeds.length] ?? 1, paused: round === 3 });
    await timers.advance(1_730);
  }
  await feed.stop();
  return { feed, ticks };
}

/** The expected ticks of a recording, as `price at time`. */
const turningPoints = ({ candles }: Recording) =>
  candles.flatMap((candle) =>
    waypointsOf(candle).map(({ at, price }) => `${price} at ${candle.openTime + at}`),
  );

test.skipIf(folder === undefined)(
  `real days play to the end in step, each turning point emitted once, whatever the speed${note}`,
  async () => {
    const recordings = await readRecordings(folder ?? '', catalogue, testLog);
    const { feed, ticks } = await playAll([3_600, 61.7, 977]);
    const midnightOf = new Map(recordings.map(({ symbol, midnight }) => [symbol, midnight]));
    const times = ticks.map(({ symbol, marketTime }) => marketTime - (midnightOf.get(symbol) ?? 0));
    expect(times.every((time, at) => at === 0 || time >= (times[at - 1] ?? 0))).toBe(true);
    for (const recording of recordings) {
      const emitted = ticks.filter(({ symbol }) => symbol === recording.symbol);
      const played = new Set(emitted.map(({ price, marketTime }) => `${price} at ${marketTime}`));
      expect(turningPoints(recording).filter((point) => !played.has(point))).toEqual([]);
      expect(emitted.at(-1)).toMatchObject({ price: recording.candles.at(-1)?.close, marketOpen: false });

      const { symbol, candles, tradingHours } = recording;
      const minutes = await feed.candles(symbol, '1m', { limit: 10_000, before: null });
      expect(minutes.map(({ open, high, low, close, volume }) => [open, high, low, close, volume])).toEqual(
        candles.map(({ open, high, low, close, volume }) => [open, high, low, close, volume]),
      );
      for (const timeframe of ['5m', '4h', '1d', '1M'] as const) {
        for (const bar of await feed.candles(symbol, timeframe, { limit: 10_000, before: null })) {
          const name = Date.parse(bar.open_time);
          const within = candles.filter(
            ({ openTime }) => barStart(timeframe, openTime, tradingHours) === name,
          );
          expect(bar.high).toBe(Math.max(...within.map(({ high }) => high)));
          expect(bar.low).toBe(Math.min(...within.map(({ low }) => low)));
          const quote = within.reduce(
            (sum, { high, low, close, volume }) => sum + (volume * (high + low + close)) / 3,
            0,
          );
          expect(bar.quote_volume).toBeCloseTo(quote, 4);
        }
      }
    }
  },
  120_000,
);
