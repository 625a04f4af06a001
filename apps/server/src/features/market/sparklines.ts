/**
 * The last day of many markets, as the open of its first hour and the closes of all hours, for the curves of a market list:
 * one request for all rows on a screen. Invariants: each market is read once in `ttlMs`, a few at a time for the whole server,
 * so that charts do not wait; an answer waits for `waitMs` at most and has what is known by then. A market without bars is
 * left out.
 */
import type { ArgsOf, ResultOf, SignedIn } from '@fulcrum/contract';
import { minuteMs } from '@fulcrum/domain';
import { createTtlCache } from '../../platform/cache/ttl-cache.ts';
import type { Timers } from '../../platform/clock/index.ts';
import { waitAtMost } from '../../platform/clock/wait-at-most.ts';
import { createFairQueue } from '../../platform/fair-queue.ts';
import type { Log } from '../../platform/log/index.ts';
import type { Candles } from './candles/index.ts';

const hours = 24;
const ttlMs = 5 * minuteMs;
const marketsMax = 400;
const waitMs = 2_000;
const queueLimits = { runningMax: 2, waitingMax: 1_000, waitingOfOneMax: 120 };

interface SparklineDependencies {
  readonly log: Log;
  readonly timers: Timers;
  readonly isListed: (symbol: string) => boolean;
  /** @throws AppError `busy` before the start */
  readonly candles: Candles['candles'];
}

export function createSparklines({ log, timers, isListed, candles }: SparklineDependencies) {
  const cache = createTtlCache<readonly number[]>(timers, { ttlMs, max: marketsMax });
  const queue = createFairQueue(queueLimits);

  const readCloses = (userId: string, symbol: string) =>
    cache.get(symbol, () =>
      queue(userId, async () => {
        const bars = await candles(symbol, '1h', { limit: hours, before: null });
        // The first open is the price of a day ago, which the change of 24 hours starts from.
        return bars.flatMap(({ open, close }, index) => (index === 0 ? [open, close] : [close]));
      }),
    );

  return async (
    { userId }: SignedIn,
    { p_symbols }: ArgsOf<'get_sparklines'>,
  ): Promise<ResultOf<'get_sparklines'>> => {
    const known: { symbol: string; closes: number[] }[] = [];
    const reads = [...new Set(p_symbols)].filter(isListed).map(async (symbol) => {
      try {
        const closes = await readCloses(userId, symbol);
        if (closes.length > 2) known.push({ symbol, closes: [...closes] });
      } catch (error) {
        // A list without a curve is still a list.
        log.debug({ err: error, symbol }, 'a curve of the market list could not be read');
      }
    });
    await waitAtMost(timers, waitMs, Promise.all(reads));
    return [...known];
  };
}
