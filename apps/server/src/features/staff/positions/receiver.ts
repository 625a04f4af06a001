/**
 * How long a file waits for whoever takes it. Invariant: a receiver who takes nothing, or keeps its place for too long, is given up,
 * and sooner when somebody else waits for that place: then the time counts for which the file has waited for its receiver
 * in all, so a fast one is never in anybody's way. Why it was given up is said in words, for the log and the record.
 */
import type { Timers } from '../../../platform/clock/index.ts';

const stalledAfterMs = 30_000;
const endsAfterMs = 15 * 60_000;
/** In all, once somebody waits for the place; with 130 kB a second a file of a hundred thousand positions is through by then. */
const sharedAfterMs = 60_000;
const looksEveryMs = 1000;

/** Why a file ended before its end. */
export type GivenUp = 'receiver stalled' | 'receiver too slow while others waited' | 'took too long';

export interface Receiver {
  /** Aborted with a `GivenUp`. */
  readonly givenUp: AbortSignal;
  /** Something lies there to be taken; call what it returns when it has been. */
  offer(): () => void;
  /** To be called at the end. */
  stopWatching(): void;
}

export function watchReceiver(timers: Timers, isWaitedFor: () => boolean): Receiver {
  const ending = new AbortController();
  const startedAt = timers.now();
  let offeredAt: number | null = null;
  let waitedMs = 0;

  const reasonAt = (now: number): GivenUp | null => {
    const sinceMs = offeredAt === null ? 0 : now - offeredAt;
    if (now - startedAt >= endsAfterMs) return 'took too long';
    if (sinceMs >= stalledAfterMs) return 'receiver stalled';
    return waitedMs + sinceMs >= sharedAfterMs && isWaitedFor()
      ? 'receiver too slow while others waited'
      : null;
  };
  const stopWatching = timers.every(looksEveryMs, () => {
    const reason = reasonAt(timers.now());
    if (reason !== null) ending.abort(reason);
  });

  return {
    givenUp: ending.signal,
    offer() {
      const since = timers.now();
      offeredAt = since;
      return () => {
        waitedMs += timers.now() - since;
        offeredAt = null;
      };
    },
    stopWatching,
  };
}
