/** Why an engine has stopped deciding: of several causes the gravest counts, and of one cause the first. */
import { AppError, texts } from '@fulcrum/contract';
import { InvariantViolation } from '@fulcrum/domain';
import { EpochExpired, HaltInForce, type StoredHaltCause } from './store.ts';

/**
 * What halted trading: staff, an inconsistent ledger, or the end of this engine by another one. After the last one this
 * engine never writes again.
 */
export type HaltCause = StoredHaltCause | 'epoch';
const severity = { staff: 0, ledger: 1, epoch: 2 } as const satisfies Record<HaltCause, number>;

export interface Halt {
  readonly cause: HaltCause;
  /** For operators and admins: it may name accounts. */
  readonly reason: string;
  /** ms since the epoch. */
  readonly at: number;
}

/** Without a halt it is the least. */
export const severityOf = (cause: HaltCause | null): number => (cause === null ? -1 : severity[cause]);

export const isMoreSevere = (cause: HaltCause, current: Halt | null): boolean =>
  severityOf(cause) > severityOf(current?.cause ?? null);

/** The halt that an error requires; null for every other failure. */
export function toHalt(error: unknown): Omit<Halt, 'at'> | null {
  if (error instanceof EpochExpired) return { cause: 'epoch', reason: error.message };
  if (error instanceof HaltInForce) return { cause: error.haltCause, reason: error.message };
  if (error instanceof InvariantViolation)
    return { cause: 'ledger', reason: `invariant violated: ${error.message}` };
  return null;
}

/** The reason is for admins and operators only: it may name other accounts. */
export const haltedError = (): AppError => new AppError('trading_halted', texts.tradingHalted);
