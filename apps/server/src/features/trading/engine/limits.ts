/** The engine's limits: how much may wait, how much one batch holds, how much stays in memory. */
import { defaultLimits as limits } from '../../../platform/limits/index.ts';
import type { CacheLimits } from './account-cache.ts';
import type { BatchLimits } from './queue.ts';

export interface EngineLimits extends CacheLimits, BatchLimits {
  /** Waiting commands of clients; the next one is refused as busy. */
  readonly queue: number;
  /** Waiting commands of all accounts of one user, so that a fast client delays only itself. */
  readonly queuePerUser: number;
  /**
   * Waiting crossings; other crossed triggers stay armed until there is room. No more than the engine can decide
   * while they are fresh: a longer queue would only become stale, be armed again and join its own end.
   */
  readonly queuedCrossings: number;
}
export const defaultLimits: EngineLimits = {
  queue: 10_000,
  queuePerUser: limits.commandsWaitingOfUser.most,
  queuedCrossings: 20_000,
  batch: 256,
  crossings: 1_000,
  accounts: 20_000,
  positions: 400_000,
};
