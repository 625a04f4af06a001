/** An engine as commands of other processes find it. */
import type { Command } from '@fulcrum/domain';
import type { CommandOrigin } from './queue.ts';
import type { Answer, IdempotencyKey } from './store.ts';

/** Nothing happened: the engine does not own the slot of the account, or believes so no more. */
export class SlotMoved extends Error {
  override readonly name = 'SlotMoved';
}
/** The engine ended before it knew whether the command is written. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}
/** Nothing happened: it would be decided after `until`. */
export class CommandLate extends Error {
  override readonly name = 'CommandLate';
}

export interface EngineHost {
  /** The id of its row in `app.engines`. Another start has another one. */
  readonly engine: number;
  /** Whether it takes commands of this slot now. */
  ownsSlot(slot: number): boolean;
  /**
   * Takes the command in the same step, so that commands of an account are decided in the order of the calls.
   * @param until milliseconds since the epoch: not decided later
   * @throws AppError when nothing changed; SlotMoved, CommandLate, OutcomeUnknown
   */
  submit(origin: CommandOrigin, command: Command, key: IdempotencyKey | null, until: number): Promise<Answer>;
}
