/**
 * Deposits and withdrawals. Invariant: each is one ledger group against `external` and one completed line of the
 * history with the group's id and its sign (A10).
 */
import { asMoney, type Money, UNIT } from '../money.ts';
import type { Changes } from './changes.ts';

/** The most that one command of staff may move, USDT. */
export const MAX_FUNDS = asMoney(1_000_000_000n * UNIT);

/** A deposit above zero, a withdrawal below, nothing at zero. The caller has checked that the balance covers it. */
export function bookFunds(changes: Changes, amount: Money, description: string): void {
  const kind = amount > 0n ? 'deposit' : 'withdrawal';
  const group = changes.book(kind, null, [
    { account: 'user:cash', amount },
    { account: 'external', amount: asMoney(-amount) },
  ]);
  changes.addTransaction(kind, amount, description, group);
}

/** Staff have to give a reason; blanks are no reason. */
export const isReason = (text: string): boolean => text.trim() !== '';
