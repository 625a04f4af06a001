/**
 * What an engine tells the router about a command instead of its answer. To a client each of them is `busy`: a repeat with the same
 * client id is safe.
 */
import { AppError, texts } from '@fulcrum/contract';

/** Not done: this engine does not take commands of that slot, not yet or not any more. */
export class SlotMoved extends AppError {
  constructor() {
    super('busy', texts.busy);
  }
}

/** Not done: its time was over before it was decided. */
export class CommandLate extends AppError {
  constructor() {
    super('busy', texts.busy);
  }
}

/** Done whole or not at all: the engine could not read whether its commit had succeeded. */
export class OutcomeUnknown extends AppError {
  override readonly cause: unknown;
  constructor(cause: unknown) {
    super('busy', texts.busy);
    this.cause = cause;
  }
}
