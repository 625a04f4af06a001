/** Why an engine decides nothing more: of several causes the gravest counts, and of one cause the first. */
import { AppError, texts } from '@fulcrum/contract';
import { InvariantViolation } from '@fulcrum/domain';
import { EpochOver } from './store.ts';

/**
 * Who or what stopped trading: staff; the books, which are not whole; the store, which another engine writes to, so that this
 * one never will again.
 */
export type HaltCause = 'staff' | 'books' | 'epoch';
const gravity = { staff: 0, books: 1, epoch: 2 } as const satisfies Record<HaltCause, number>;

export interface Halt {
  readonly cause: HaltCause;
  /** For operators and admins: it may name accounts. */
  readonly reason: string;
  /** ms since the epoch. */
  readonly at: number;
}

export const isGraver = (cause: HaltCause, standing: Halt | null): boolean =>
  standing === null || gravity[cause] > gravity[standing.cause];

/** What shows that nothing more may be written; null for every other failure. */
export function haltBehind(error: unknown): Omit<Halt, 'at'> | null {
  if (error instanceof EpochOver) return { cause: 'epoch', reason: error.message };
  if (error instanceof InvariantViolation)
    return { cause: 'books', reason: `invariant violated: ${error.message}` };
  return null;
}

/** Why is for admins and operators: it may name other accounts. */
export const haltedError = (): AppError => new AppError('trading_halted', texts.tradingHalted);
