/** How much the engine takes on at a time: what may wait, what one batch holds, what stays in memory. */
import type { CacheLimits } from './accounts.ts';
import type { BatchLimits } from './queue.ts';

export interface EngineLimits extends CacheLimits, BatchLimits {
  /** Commands of clients that may wait; the next one is told that the service is busy. */
  readonly queue: number;
  /** Of one account among them: who sends faster than it is served waits alone. */
  readonly queuePerAccount: number;
  /**
   * Crossings that may wait; what else a price crosses stays armed until there is room. No more than can be decided while
   * they are fresh: a longer queue would only turn stale, be armed again and join its own end.
   */
  readonly queuedCrossings: number;
}
export const defaultLimits: EngineLimits = {
  queue: 10_000,
  queuePerAccount: 1_000,
  queuedCrossings: 20_000,
  batch: 256,
  crossings: 1_000,
  accounts: 20_000,
  positions: 400_000,
};
