/** What an engine reports of itself. */
import { type Halt, type HaltCause, severityOf } from './halt.ts';

/** The figures of an engine that has done nothing. */
export const noFigures = {
  /** Commands and crossings. */
  queued: 0,
  /** In memory: accounts, their open positions, their waiting orders. */
  ...{ accounts: 0, positions: 0, orders: 0 },
  /** Armed prices, of all accounts. */
  armed: 0,
  /** Accounts to read again after a failed batch. */
  staleAccounts: 0,
  /** Since the start; `commands` changed something, `crossings` are those of them that ticks caused. */
  ...{ batches: 0, commands: 0, crossings: 0 },
};

type Figures = Readonly<typeof noFigures>;

export interface EngineState extends Figures {
  /** Why trading is halted (`Halt.reason`); null while it is not. */
  readonly halted: string | null;
  readonly haltCause: HaltCause | null;
  /** ISO 8601 UTC. */
  readonly haltedAt: string | null;
  readonly running: boolean;
  readonly epoch: number;
}

export const haltState = (halt: Halt | null): Pick<EngineState, 'halted' | 'haltCause' | 'haltedAt'> => ({
  halted: halt?.reason ?? null,
  haltCause: halt?.cause ?? null,
  haltedAt: halt && new Date(halt.at).toISOString(),
});

/** The sums of all; of several halts the gravest, and the highest epoch. */
export function sumOf([first, ...others]: readonly [EngineState, ...EngineState[]]): EngineState {
  return others.reduce((total, state) => {
    const { halted, haltCause, haltedAt } =
      severityOf(state.haltCause) > severityOf(total.haltCause) ? state : total;
    const sums = { ...noFigures };
    for (const name of Object.keys(noFigures) as (keyof Figures)[]) sums[name] = total[name] + state[name];
    return {
      ...{ halted, haltCause, haltedAt, ...sums },
      running: total.running && state.running,
      epoch: Math.max(total.epoch, state.epoch),
    };
  }, first);
}
