/**
 * The lane of a process without the role `engine`: it owns no account and decides nothing. It follows the halts in force, so that the
 * screens of a gateway show them.
 */
import type { Clock } from '../../platform/clock/index.ts';
import type { EngineState } from './engine/engine.ts';
import { type Halt, type HaltCause, isMoreSevere } from './engine/halt.ts';
import { SlotMoved } from './engine/router-errors.ts';
import type { Lane } from './lanes.ts';

const nothingDone = {
  ...{ running: true, epoch: 0, queued: 0, accounts: 0, positions: 0, orders: 0, armed: 0, staleAccounts: 0 },
  ...{ batches: 0, commands: 0, crossings: 0 },
} as const satisfies Partial<EngineState>;
const noSymbols: ReadonlySet<string> = new Set();
const doNothing = (): void => {};
const nothing = (): Promise<void> => Promise.resolve();

export function createAbsentLane(clock: Clock): Lane {
  let halt: Halt | null = null;
  return {
    start: nothing,
    stop: nothing,
    serves: () => false,
    submit: () => Promise.reject(new SlotMoved()),
    tick: doNothing,
    sweep: doNothing,
    checkDue: doNothing,
    reload: doNothing,
    forgetCached: doNothing,
    halt(cause: HaltCause, reason: string) {
      if (isMoreSevere(cause, halt)) halt = { cause, reason, at: clock.now() };
    },
    async resume() {
      halt = null;
      return true;
    },
    idle: nothing,
    settled: () => null,
    symbolsInUse: () => noSymbols,
    bookedSymbols: () => noSymbols,
    state: () => ({
      halted: halt?.reason ?? null,
      haltCause: halt?.cause ?? null,
      haltedAt: halt === null ? null : new Date(halt.at).toISOString(),
      ...nothingDone,
    }),
  };
}
