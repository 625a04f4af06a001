/**
 * What a decision changes, as rows to be written together or not at all, and the assertions that hold between an
 * account and its next state. They stay on in production: a decision that breaks one is never written, and the engine
 * stops trading (`InvariantViolation`).
 */
import type { Money, Price } from '../money.ts';
import { orderMayBecome } from '../states.ts';
import { balanceOf, type Order, type Position, type Wallet } from './account.ts';

/** `user:*` belong to the account's owner, the others to the house. */
export type LedgerAccount =
  | 'user:cash'
  | 'user:margin'
  | 'user:order_margin'
  | 'house:pnl'
  | 'house:fees'
  | 'external'
  | 'insurance';
/**
 * `reserve` and `release`: the margin of an order that waits and what becomes of it. `split`: margin that moves from a
 * position to its closed part. `adjustment`: what staff changed on a position.
 */
export type LedgerKind =
  | 'deposit'
  | 'withdrawal'
  | 'open'
  | 'close'
  | 'adjustment'
  | 'fee'
  | 'reserve'
  | 'release'
  | 'split';

export interface LedgerEntry {
  readonly account: LedgerAccount;
  /** USDT, never zero; a group's amounts sum to zero. */
  readonly amount: Money;
  /** Another cause than the group's. */
  readonly sourceId?: string;
}

/** One movement of money: double entry, so its amounts sum to zero. */
export interface LedgerGroup {
  readonly id: string;
  readonly kind: LedgerKind;
  /** The position, order or transaction that caused it. */
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

/** A11: the `position_closed` line of a position whose realized PnL staff changed. */
export interface AmendedTransaction {
  readonly positionId: string;
  readonly amount: Money;
}

/** A104. */
export const notificationKinds = [
  'order_filled',
  'order_rejected',
  'order_canceled',
  'take_profit',
  'stop_loss',
  'margin_warning',
  'liquidation',
  'funds_changed',
  'position_adjusted',
  'restricted',
  'restriction_lifted',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** What the trader is told, as figures; whoever writes it makes the text. */
export interface Notification {
  readonly id: string;
  readonly kind: NotificationKind;
  /** What it is about, as the decision left it. */
  readonly position: Position | null;
  readonly order: Order | null;
  /** The price that caused it. */
  readonly price: Price | null;
  /** Of a change of funds. */
  readonly amount: Money | null;
}

export interface PositionChange {
  /** Null for a position that this decision opens. */
  readonly before: Position | null;
  readonly after: Position;
}

export interface OrderChange {
  /** Null for an order that this decision places. */
  readonly before: Order | null;
  readonly after: Order;
}

export interface Effects {
  readonly wallet: Wallet;
  readonly positions: readonly PositionChange[];
  readonly orders: readonly OrderChange[];
  readonly ledger: readonly LedgerGroup[];
  readonly transactions: readonly Transaction[];
  readonly amended: readonly AmendedTransaction[];
  readonly notifications: readonly Notification[];
  /** Whether the account is restricted from now on; null leaves it. */
  readonly restricted: boolean | null;
  /** Whether the account is to be removed with this change (A73). */
  readonly deletes: boolean;
}

export class InvariantViolation extends Error {
  override readonly name = 'InvariantViolation';
}

function assert(holds: boolean, invariant: string): asserts holds {
  if (!holds) throw new InvariantViolation(invariant);
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

const lockedBy = (position: Position | null): bigint =>
  position && position.closing === null ? position.margin : 0n;
const reservedBy = (order: Order | null): bigint => order?.reserved ?? 0n;

/** @throws InvariantViolation when the effects do not lead from `before` to a sound account. */
export function assertSound(before: Wallet, effects: Effects): void {
  const { wallet, positions, orders, ledger } = effects;
  const entries = ledger.flatMap((group) => group.entries);
  const moved = (account: LedgerAccount): bigint =>
    sum(entries.filter((entry) => entry.account === account).map(({ amount }) => amount));

  for (const group of ledger) {
    assert(sum(group.entries.map(({ amount }) => amount)) === 0n, `ledger group ${group.id} sums to zero`);
    assert(
      group.entries.every(({ amount }) => amount !== 0n),
      `ledger group ${group.id} moves something`,
    );
  }
  assert(wallet.available === before.available + moved('user:cash'), 'available changes by its ledger rows');
  assert(wallet.margin === before.margin + moved('user:margin'), 'margin changes by its ledger rows');
  assert(
    wallet.orderMargin === before.orderMargin + moved('user:order_margin'),
    'order margin changes by its ledger rows',
  );
  assert(wallet.available >= 0n && wallet.margin >= 0n && wallet.orderMargin >= 0n, 'no negative balance');
  assert(wallet.version === before.version + 1, 'the account version rises by one');

  const locked = sum(positions.map((change) => lockedBy(change.after) - lockedBy(change.before)));
  assert(locked === wallet.margin - before.margin, 'margin is the sum over open positions');
  const reserved = sum(orders.map((change) => reservedBy(change.after) - reservedBy(change.before)));
  assert(reserved === wallet.orderMargin - before.orderMargin, 'order margin is the sum over open orders');

  // What the trader has changes by results, fees and what came from or went outside, and by nothing else.
  const outside = moved('house:pnl') + moved('insurance') + moved('house:fees') + moved('external');
  assert(balanceOf(wallet) - balanceOf(before) === -outside, 'the balance changes against the house');
  const results = sum(
    positions.map(
      (change) => (change.after.closing?.realizedPnl ?? 0n) - (change.before?.closing?.realizedPnl ?? 0n),
    ),
  );
  assert(-(moved('house:pnl') + moved('insurance')) === results, 'the house pays the realized PnL');
  const fees = sum(positions.map(({ before: earlier, after }) => after.fees - (earlier?.fees ?? 0n)));
  assert(moved('house:fees') === fees, 'fees are those of the positions');
  assert(moved('insurance') <= 0n, 'insurance bears, it does not earn');

  for (const { before: earlier, after } of positions) {
    assert(after.version === (earlier?.version ?? 0) + 1, `version of position ${after.id} rises by one`);
    assert(after.accountVersion === wallet.version, `position ${after.id} names the account version`);
    assert(
      earlier?.closing == null || after.closing !== null,
      `position ${after.id} does not open again`,
    );
    assert(
      after.closing === null || after.closing.realizedPnl >= -after.margin,
      `position ${after.id} loses at most its margin`,
    );
  }
  for (const { before: earlier, after } of orders) {
    assert(after.version === (earlier?.version ?? 0) + 1, `version of order ${after.id} rises by one`);
    assert(after.accountVersion === wallet.version, `order ${after.id} names the account version`);
    assert(
      earlier === null || orderMayBecome(earlier.status, after.status),
      `order ${after.id} goes from ${earlier?.status} to ${after.status}`,
    );
    assert((after.status === 'NEW') || after.reserved === 0n, `order ${after.id} holds nothing once it is final`);
    assert((after.status === 'FILLED') === (after.positionId !== null), `order ${after.id} names what it opened`);
  }
}
