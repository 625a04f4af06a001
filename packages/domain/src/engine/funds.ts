/**
 * Money that comes from outside or goes there: deposits and withdrawals, whoever asks for them. Invariant: each is one
 * ledger group against `external` and one completed line of the history with the group's id and its sign (A10).
 */
import { asMoney, type Money, UNIT } from '../money.ts';
import type { Changes } from './changes.ts';

/** What one command of staff may move, USDT. */
export const MAX_FUNDS = asMoney(1_000_000_000n * UNIT);

/** A deposit above zero, a withdrawal below, nothing at zero. Whoever calls it has checked that the balance bears it. */
export function bookFunds(changes: Changes, amount: Money, description: string): void {
  const kind = amount > 0n ? 'deposit' : 'withdrawal';
  const group = changes.book(kind, null, [
    { account: 'user:cash', amount },
    { account: 'external', amount: asMoney(-amount) },
  ]);
  changes.line(kind, amount, description, group);
}

/** Staff have to say why; blanks are no reason. */
export const isReason = (text: string): boolean => text.trim() !== '';
