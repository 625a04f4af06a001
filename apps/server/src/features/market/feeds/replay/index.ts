/**
 * The replay feed: recorded market days at any speed. Candles keep their recorded time; the hub stamps prices with wall
 * time. Four times a second the run moves on and each symbol's price is told, changed or not, so neither a gap in the
 * recording nor a pause lets prices grow old. A process that was held up goes on where it stood instead of rushing
 * through what it missed.
 * Invariant: a change of speed or a pause takes effect at its own moment: no recorded time is skipped or lived twice.
 */
import type { TradingPair } from '@fulcrum/domain';
import type { Timers } from '../../../../platform/clock/index.ts';
import type { Log } from '../../../../platform/log/index.ts';
import type { Feed } from '../../feed.ts';
import { readRecordings } from './recording.ts';
import { createReplayRun, type ReplayRun } from './run.ts';

const beatMs = 250;
const heldUpMsMax = 1_000;
const speedMax = 3_600;

export interface ReplayFeedOptions {
  readonly folder: string;
  /** Recorded seconds per second. */
  readonly speed: number;
  /** Whether to start over at the end instead of shutting the market. */
  readonly loop: boolean;
  readonly pairs: readonly TradingPair[];
  readonly timers: Timers;
  readonly log: Log;
}

/** As `get_market_controls` tells it. */
export interface ReplayControls {
  readonly paused: boolean;
  /** Recorded seconds per second. */
  readonly speed: number;
  readonly loop: boolean;
  /** Recorded time, in seconds since 00:00 UTC of the first recorded day. */
  readonly position_s: number;
  /** Where the first recorded candle begins and the last one ends, in the same measure. */
  readonly begin_s: number;
  readonly end_s: number;
}

export interface ReplayFeed extends Feed {
  /** @throws Error before `start` has resolved: nothing has been read yet */
  controls(): ReplayControls;
  /**
   * What is left out stays as it is. While paused, prices stand still but stay fresh, and the market open.
   * @throws RangeError for a speed outside 1 to 3600, and as `controls`
   */
  set(change: { readonly paused?: boolean; readonly speed?: number }): ReplayControls;
}

export function createReplayFeed(options: ReplayFeedOptions): ReplayFeed {
  const { folder, loop, pairs, timers, log } = options;
  let run: ReplayRun | null = null;
  let stopBeat: (() => void) | null = null;
  let speed = options.speed;
  let paused = false;
  let reckonedAt = 0;
  /** Recorded ms that have passed and are not lived through yet. */
  let dueMs = 0;

  /** Settles the time up to now at the speed that has held until now. */
  function reckon(): void {
    const now = timers.now();
    const elapsedMs = Math.min(Math.max(now - reckonedAt, 0), heldUpMsMax);
    reckonedAt = now;
    if (!paused) dueMs += elapsedMs * speed;
  }

  function controls(): ReplayControls {
    if (!run) throw new Error('the replay has not started');
    return {
      paused,
      speed,
      loop,
      position_s: run.position() / 1_000,
      begin_s: run.begin / 1_000,
      end_s: run.end / 1_000,
    };
  }

  return {
    sourceOf: (symbol) => (run?.has(symbol) ? 'replay' : null),
    async start(emit) {
      const running = createReplayRun(await readRecordings(folder, pairs, log), { loop });
      run = running;
      reckonedAt = timers.now();
      const firstMoment = 1;
      for (const tick of running.advance(firstMoment)) emit(tick);
      stopBeat = timers.every(beatMs, () => {
        reckon();
        const wholeMs = Math.floor(dueMs);
        dueMs -= wholeMs;
        for (const tick of running.advance(wholeMs)) emit(tick);
      });
    },
    async stop() {
      stopBeat?.();
      stopBeat = null;
    },
    async candles(symbol, timeframe, query) {
      return run?.candles(symbol, timeframe, query) ?? [];
    },
    controls,
    set(change) {
      const wanted = change.speed ?? speed;
      if (!(wanted >= 1 && wanted <= speedMax)) throw new RangeError(`a speed of ${wanted} is not possible`);
      reckon();
      speed = wanted;
      paused = change.paused ?? paused;
      return controls();
    },
  };
}
