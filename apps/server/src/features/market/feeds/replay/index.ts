/**
 * The replay feed: a recorded market day at any speed. Candles keep their recorded time; the hub stamps prices with
 * wall time. Four times a second the run moves on and each symbol's price is told, changed or not, so a gap in the
 * recording is no fault. A process that was held up goes on where it stood instead of rushing through what it missed.
 */
import type { TradingPair } from '@fulcrum/domain';
import type { Clock } from '../../../../platform/clock/index.ts';
import type { Log } from '../../../../platform/log/index.ts';
import type { Feed, FeedTick } from '../../feed.ts';
import { readRecordings } from './recording.ts';
import { createReplayRun, type ReplayRun } from './run.ts';

const beatMs = 250;
const beatMsMax = 1_000;

export interface ReplayFeedOptions {
  readonly folder: string;
  /** Recorded seconds per second. */
  readonly speed: number;
  /** Whether to start over at the end instead of shutting the market. */
  readonly loop: boolean;
  readonly pairs: readonly TradingPair[];
  readonly clock: Clock;
  readonly log: Log;
}

export function createReplayFeed({ folder, speed, loop, pairs, clock, log }: ReplayFeedOptions): Feed {
  let run: ReplayRun | null = null;
  let timer: NodeJS.Timeout | null = null;

  return {
    sourceOf: (symbol) => (run?.has(symbol) ? 'replay' : null),
    async start(emit: (tick: FeedTick) => void) {
      const recordings = await readRecordings(folder, pairs, log);
      const running = createReplayRun(recordings, { loop });
      run = running;
      let beatAt = clock.now();
      const firstMoment = 1;
      for (const tick of running.advance(firstMoment)) emit(tick);
      timer = setInterval(() => {
        const now = clock.now();
        const elapsedMs = Math.min(Math.max(now - beatAt, 0), beatMsMax);
        beatAt = now;
        for (const tick of running.advance(Math.round(elapsedMs * speed))) emit(tick);
      }, beatMs);
    },
    async stop() {
      if (timer) clearInterval(timer);
      timer = null;
    },
    async candles(symbol, timeframe, query) {
      return run?.candles(symbol, timeframe, query) ?? [];
    },
  };
}
