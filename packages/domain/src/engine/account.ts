/**
 * A trader's account as the engine decides on it: wallet, positions, restriction. Values, never changed in place: a
 * decision says what the next ones are. Invariant (A08): `available` is cash, `margin` is the sum of the margins of the
 * open positions, `orderMargin` the sum of the reserves of the open orders, none of them negative; the balance is all
 * three. Unrealized PnL is in none of them.
 */
import { asMoney, type Money, type Price } from '../money.ts';
import type { PositionTerms, RuleSetName } from '../rules.ts';
import type { ClosePriceSource, CloseReason } from '../states.ts';

export interface Wallet {
  readonly id: string;
  readonly userId: string;
  readonly available: Money;
  readonly margin: Money;
  readonly orderMargin: Money;
  /** Raised by one with every change of the account. */
  readonly version: number;
}

export const balanceOf = ({ available, margin, orderMargin }: Wallet): Money =>
  asMoney(available + margin + orderMargin);

export interface Closing {
  readonly price: Price;
  readonly priceSource: ClosePriceSource;
  readonly reason: CloseReason;
  /** What the balance changed by; at least minus the margin (A03). */
  readonly realizedPnl: Money;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** ENT-15. Open while `closing` is null. */
export interface Position extends PositionTerms {
  readonly id: string;
  readonly userId: string;
  readonly symbol: string;
  readonly liquidationPrice: Price;
  readonly takeProfitPrice: Price | null;
  readonly stopLossPrice: Price | null;
  /** The rule set it was opened under, for its whole life (A01). */
  readonly rules: RuleSetName;
  /** Milliseconds since the epoch, both. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly closing: Closing | null;
  /** 1 when opened, raised by one with every change of the position. */
  readonly version: number;
  /** `Wallet.version` as the last change of the position left it. */
  readonly accountVersion: number;
}

export interface Account {
  readonly wallet: Wallet;
  /** A restricted trader opens nothing (A72). */
  readonly restricted: boolean;
  /**
   * The account's own position; `closed` for one of which no more is known than that. Undefined for an unknown id and
   * for somebody else's alike.
   */
  position(id: string): Position | 'closed' | undefined;
}
