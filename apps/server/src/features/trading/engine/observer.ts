/**
 * Counts what the engine does, for monitoring. Invariant: an observer changes nothing, and it is called between decisions and
 * answers, so each call costs microseconds.
 */
import type { DecidedBatch } from './batch-decision.ts';

export interface EngineObserver {
  /** The engine begins to decide a batch; the returned function is called once its changes are committed. */
  begin(): (decided: DecidedBatch) => void;
  /** A command was answered with an error. */
  refused(error: Error): void;
}

export const noObserver: EngineObserver = { begin: () => () => undefined, refused: () => undefined };
