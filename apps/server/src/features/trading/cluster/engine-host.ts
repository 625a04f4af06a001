/** An engine as commands of other processes find it. */
import type { Command } from '@fulcrum/domain';
import type { Engine } from '../engine/engine.ts';
import type { CommandOrigin } from '../engine/queue.ts';
import { OutcomeUnknown } from '../engine/router-errors.ts';
import type { Answer, IdempotencyKey } from '../engine/store.ts';

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

/** An engine that ends, and is followed by none in this process. */
export function hostOf(
  lane: Pick<Engine, 'serves' | 'state'> & { readonly engine: Pick<Engine, 'submit'> },
): EngineHost {
  const isOver = (): boolean => lane.state().haltCause === 'epoch';
  return {
    get engine() {
      return lane.state().epoch;
    },
    ownsSlot: (slot) => lane.serves(slot) && lane.state().running && !isOver(),
    submit: (origin, command, key, until) =>
      lane.engine.submit(origin, command, key, until).catch((error: Error) => {
        // Its last batch may be written.
        throw isOver() ? new OutcomeUnknown(error) : error;
      }),
  };
}
