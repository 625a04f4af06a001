/**
 * The effects of a decision: rows that are written together or not at all. `soundness.ts` checks their invariants.
 */
import type { Money, Price, Size } from '../money.ts';
import type { ChallengeVerdict } from '../programs/challenge.ts';
import type { Liquidity, Side, TransactionType } from '../states.ts';
import type { Order, Position, Wallet } from './types.ts';

/** `user:*` belong to the account's owner, the others to the house (the counterparty). */
export const ledgerAccounts = [
  'user:cash',
  'user:margin',
  'user:order_margin',
  'house:pnl',
  'house:fees',
  'house:funding',
  'external',
  'insurance',
] as const;
export type LedgerAccount = (typeof ledgerAccounts)[number];
/**
 * `reserve` and `release`: the margin of a waiting order and its release. `split`: margin that moves from a position
 * to its closed part. `adjustment`: an edit of a position by staff. `increase`: the margin of what is added to a net position.
 * `margin`: margin that the trader adds or takes out, or that another leverage sets free. `funding` and `financing`: what holding
 * a net position costs.
 */
export const ledgerKinds = [
  'deposit',
  'withdrawal',
  'open',
  'close',
  'adjustment',
  'fee',
  'reserve',
  'release',
  'split',
  'increase',
  'margin',
  'funding',
  'financing',
] as const;
export type LedgerKind = (typeof ledgerKinds)[number];

export interface LedgerEntry {
  readonly account: LedgerAccount;
  /** USDT, never zero; a group's amounts sum to zero. */
  readonly amount: Money;
  /** A different cause than the group's. */
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
  readonly type: TransactionType;
  readonly amount: Money;
  readonly description: string;
}

/** A11: the `position_closed` line of a position whose realized PnL staff changed. */
export interface AmendedTransaction {
  readonly positionId: string;
  readonly amount: Money;
}

/** The events that a trader is notified of (A104). */
export const notificationKinds = [
  'order_filled',
  'order_rejected',
  'order_expired',
  'order_canceled',
  'take_profit',
  'stop_loss',
  'close_at_reopen',
  'margin_warning',
  'liquidation',
  'funds_changed',
  'account_reset',
  'position_adjusted',
  'restricted',
  'restriction_lifted',
  'challenge_passed',
  'challenge_failed',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** A notification of the trader, as figures; the writer makes the text. */
export interface Notification {
  readonly id: string;
  readonly kind: NotificationKind;
  /** The position in its next state; `before` in its previous one, where staff changed it. */
  readonly position: Position | null;
  readonly before: Position | null;
  readonly order: Order | null;
  /** The price that caused it. */
  readonly price: Price | null;
  /** Of a change of funds; of a liquidation, the gain that it gave up for the losses of the other side (A111). */
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

/**
 * One fill (A114), which nothing changes later. Invariant: `price` = `mid` + s × (`spreadCost` + `impactCost` +
 * `latencyCost`), where s is 1 for a BUY and −1 for a SELL. A fill at the market's one price has no such costs.
 */
export interface Execution {
  readonly id: string;
  readonly accountId: string;
  /** Null for a close without an order. */
  readonly orderId: string | null;
  /** The position that it opened, increased or closed; of a closed part, that part. */
  readonly positionId: string;
  /** The net position that it closed before it opened `positionId` on the other side; null otherwise. */
  readonly flippedFrom: string | null;
  readonly symbol: string;
  /** What was traded: closing a BUY position is a SELL. */
  readonly side: Side;
  readonly size: Size;
  /** Price × size over all levels, USDT, rounded once. */
  readonly value: Money;
  /** The average price of the fill. */
  readonly price: Price;
  /** The middle of the market when the order arrived. */
  readonly mid: Price;
  /** The quote that it filled on; null for a fill at the market's one price. */
  readonly quoteId: string | null;
  readonly liquidity: Liquidity;
  /** USDT. */
  readonly fee: Money;
  /** Quote units for each unit of size; negative where the trader gained. */
  readonly spreadCost: Price;
  readonly impactCost: Price;
  readonly latencyCost: Price;
  /** The source of the market's price at the fill; null where none is known. */
  readonly marketSource: string | null;
  /** What the closed part earned, before fees; null where the fill opened. */
  readonly realizedPnl: Money | null;
}

export interface Effects {
  readonly wallet: Wallet;
  readonly positions: readonly PositionChange[];
  readonly orders: readonly OrderChange[];
  readonly executions: readonly Execution[];
  readonly ledger: readonly LedgerGroup[];
  readonly transactions: readonly Transaction[];
  readonly amended: readonly AmendedTransaction[];
  readonly notifications: readonly Notification[];
  /** The leverage of a symbol from now on (A113); null leaves all. */
  readonly leverage: { readonly symbol: string; readonly leverage: number } | null;
  /** Whether the account is restricted from now on; null leaves it. */
  readonly restricted: boolean | null;
  /** Of a challenge, which ends the account: nothing else is decided in it. */
  readonly verdict: ChallengeVerdict | null;
  /** Whether the account is to be removed with this change (A73). */
  readonly deletes: boolean;
}
