/**
 * What a decision changes, as rows to be written together or not at all, and the assertions that hold between an
 * account and its next state. They stay on in production: a decision that breaks one is never written, and the engine
 * stops trading (`InvariantViolation`).
 */
import type { Money } from '../money.ts';
import { balanceOf, type Position, type Wallet } from './account.ts';

/** `user:*` belong to the account's owner, the others to the house. */
export type LedgerAccount =
  | 'user:cash'
  | 'user:margin'
  | 'user:order_margin'
  | 'house:pnl'
  | 'house:fees'
  | 'external'
  | 'insurance';
export type LedgerKind = 'deposit' | 'withdrawal' | 'open' | 'close' | 'adjustment' | 'fee';

export interface LedgerEntry {
  readonly account: LedgerAccount;
  /** USDT, never zero; a group's amounts sum to zero. */
  readonly amount: Money;
}

/** One movement of money: double entry, so its amounts sum to zero. */
export interface LedgerGroup {
  readonly id: string;
  readonly kind: LedgerKind;
  /** The position or transaction that caused it. */
  readonly sourceId: string;
  readonly entries: readonly LedgerEntry[];
}

/** A completed line of the trader's history. Its id is the id of the ledger group that it shows. */
export interface Transaction {
  readonly id: string;
  readonly type: 'deposit' | 'withdrawal' | 'position_closed' | 'fee';
  readonly amount: Money;
  readonly description: string;
}

export interface PositionChange {
  /** Null for a position that this decision opens. */
  readonly before: Position | null;
  readonly after: Position;
}

export interface Effects {
  readonly wallet: Wallet;
  readonly positions: readonly PositionChange[];
  readonly ledger: readonly LedgerGroup[];
  readonly transactions: readonly Transaction[];
}

export class InvariantViolation extends Error {
  override readonly name = 'InvariantViolation';
}

function assert(holds: boolean, invariant: string): asserts holds {
  if (!holds) throw new InvariantViolation(invariant);
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

/** Entries without the zero ones, which the ledger does not take. */
export const entriesOf = (...entries: readonly LedgerEntry[]): readonly LedgerEntry[] =>
  entries.filter(({ amount }) => amount !== 0n);

/** @throws InvariantViolation when the effects do not lead from `before` to a sound account. */
export function assertSound(before: Wallet, effects: Effects): void {
  const { wallet, positions, ledger } = effects;
  const entries = ledger.flatMap((group) => group.entries);
  const moved = (account: LedgerAccount): bigint =>
    sum(entries.filter((entry) => entry.account === account).map(({ amount }) => amount));

  for (const group of ledger) {
    assert(sum(group.entries.map(({ amount }) => amount)) === 0n, `ledger group ${group.id} sums to zero`);
  }
  assert(wallet.available === before.available + moved('user:cash'), 'available changes by its ledger rows');
  assert(wallet.margin === before.margin + moved('user:margin'), 'margin changes by its ledger rows');
  assert(
    wallet.orderMargin === before.orderMargin + moved('user:order_margin'),
    'order margin changes by its ledger rows',
  );
  assert(wallet.available >= 0n && wallet.margin >= 0n && wallet.orderMargin >= 0n, 'no negative balance');
  assert(wallet.version === before.version + 1, 'the account version rises by one');

  const lockedBy = (position: Position | null): bigint =>
    position && position.closing === null ? position.margin : 0n;
  const locked = sum(positions.map((change) => lockedBy(change.after) - lockedBy(change.before)));
  assert(locked === wallet.margin - before.margin, 'margin is the sum over open positions');

  const realized = sum(positions.map(({ after }) => after.closing?.realizedPnl ?? 0n));
  if (positions.some(({ after }) => after.closing)) {
    assert(balanceOf(wallet) - balanceOf(before) === realized, 'the balance changes by the realized PnL');
  }
  for (const { before: earlier, after } of positions) {
    assert(after.version === (earlier?.version ?? 0) + 1, `version of position ${after.id} rises by one`);
    assert(after.accountVersion === wallet.version, `position ${after.id} names the account version`);
    assert(earlier?.closing == null, `position ${after.id} closes once`);
    assert(
      after.closing === null || after.closing.realizedPnl >= -after.margin,
      `position ${after.id} loses at most its margin`,
    );
  }
}
