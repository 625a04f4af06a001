/** What becomes of commands whose batch was not written, and of the engine after it. */
import type { EngineParts } from './dependencies.ts';
import { type HaltCause, toHalt } from './halt.ts';
import { isCrossing, type QueueItem } from './queue.ts';
import { OutcomeUnknown } from './router-errors.ts';
import { toClientError } from './settlement.ts';
import { StoreUnreachable } from './store.ts';

export interface FailuresDependencies
  extends Pick<EngineParts, 'decider' | 'lease' | 'lifecycle' | 'log' | 'onHalt' | 'queue'> {
  readonly halt: (cause: HaltCause, reason: string) => void;
}

/** Why a batch failed whose outcome could not be read. */
const causeOf = (error: unknown): unknown => (error instanceof OutcomeUnknown ? error.cause : error);

export class Failures {
  readonly #deps: FailuresDependencies;

  constructor(deps: FailuresDependencies) {
    this.#deps = deps;
  }

  /**
   * Without the store every other command would wait out the same limit: what waits behind it has not been tried, and fails with it. False for
   * another error.
   */
  failUnreachable(tried: readonly QueueItem[], behind: readonly QueueItem[], error: Error): boolean {
    this.fail(tried, error);
    const cause = causeOf(error);
    if (!(cause instanceof StoreUnreachable)) return false;
    const untried = [...behind, ...this.#deps.queue.drain()];
    if (untried.length > 0) this.fail(untried, cause);
    return true;
  }

  haltOn(error: unknown): void {
    const halt = toHalt(causeOf(error));
    if (!halt) return;
    this.#deps.halt(halt.cause, halt.reason);
    this.#deps.onHalt?.(halt.cause, halt.reason);
  }

  fail(batch: readonly QueueItem[], error: Error): void {
    this.#deps.decider.abandon(batch, []);
    this.haltOn(error);
    if (this.#deps.lifecycle.halted === null) this.#deps.log.error({ err: error }, 'commands failed');
    const answer = this.#answerTo(error);
    for (const waiting of batch) if (!isCrossing(waiting)) waiting.reject(answer);
  }

  #answerTo(error: Error): Error {
    const { lease, lifecycle } = this.#deps;
    if (error instanceof OutcomeUnknown && (lifecycle.halted === null || lease)) return error;
    return lifecycle.halted === null ? toClientError(error) : lifecycle.haltedError();
  }
}
