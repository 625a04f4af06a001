/**
 * The timeout for the receiver of a file. Invariants: a receiver that stalls, or holds its place for too long, is
 * disconnected. While another caller waits for the place the bound is shorter and counts only the time that the file waited
 * for its receiver, so a fast receiver is never disconnected. The reason is a text for the log and the audit row.
 */
import type { Timers } from '../../../platform/clock/index.ts';

const stalledAfterMs = 30_000;
const endsAfterMs = 15 * 60_000;
/**
 * Total wait while another caller needs the place; with 130 kB/s a file of a hundred thousand positions is done by then.
 */
const sharedAfterMs = 60_000;
const checkEveryMs = 1000;

/** Why a file ended before its end. */
export type ReceiverTimeoutReason =
  | 'receiver stalled'
  | 'receiver too slow while others waited'
  | 'took too long';

export interface ReceiverTimeout {
  /** Aborted with a `ReceiverTimeoutReason`. */
  readonly signal: AbortSignal;
  /** Something lies there to be taken; call what it returns when it has been. */
  beginChunk(): () => void;
  /** To be called at the end. */
  stop(): void;
}

export function startReceiverTimeout(timers: Timers, hasOtherWaiters: () => boolean): ReceiverTimeout {
  const controller = new AbortController();
  const startedAt = timers.now();
  let chunkStartedAt: number | null = null;
  let waitedMs = 0;

  const reasonAt = (now: number): ReceiverTimeoutReason | null => {
    const sinceMs = chunkStartedAt === null ? 0 : now - chunkStartedAt;
    if (now - startedAt >= endsAfterMs) return 'took too long';
    if (sinceMs >= stalledAfterMs) return 'receiver stalled';
    return waitedMs + sinceMs >= sharedAfterMs && hasOtherWaiters()
      ? 'receiver too slow while others waited'
      : null;
  };
  const stopWatching = timers.every(checkEveryMs, () => {
    const reason = reasonAt(timers.now());
    if (reason !== null) controller.abort(reason);
  });

  return {
    signal: controller.signal,
    beginChunk() {
      const since = timers.now();
      chunkStartedAt = since;
      return () => {
        waitedMs += timers.now() - since;
        chunkStartedAt = null;
      };
    },
    stop: stopWatching,
  };
}
