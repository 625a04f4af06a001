/**
 * A trader's account as the engine decides on it: wallet, positions, orders, restriction. Values, never changed in place:
 * a decision says what the next ones are. Invariant (A08): `available` is cash, `margin` is the sum of the margins of the
 * open positions, `orderMargin` the sum of the reserves of the open orders, none of them negative; the balance is all
 * three. Unrealized PnL is in none of them.
 */
import { asMoney, type FeeRate, type Money, type Price, type Size } from '../money.ts';
import type { PositionTerms, RuleSetName } from '../rules.ts';
import type { ClosePriceSource, CloseReason, OrderStatus, OrderType, Side } from '../states.ts';
import type { Refusal } from './refusals.ts';

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
  /** What the balance changed by before fees (A07); at least minus the margin (A03). */
  readonly realizedPnl: Money;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** ENT-15. Open while `closing` is null. */
export interface Position extends PositionTerms {
  readonly id: string;
  readonly userId: string;
  readonly symbol: string;
  /** By A04, or what staff put in its place (A09). */
  readonly liquidationPrice: Price;
  readonly takeProfitPrice: Price | null;
  readonly stopLossPrice: Price | null;
  /** The first stop loss that it ever had, from which R is told (A108). */
  readonly initialStopLossPrice: Price | null;
  /** The rule set it was opened under, for its whole life (A01). */
  readonly rules: RuleSetName;
  /** What its close is charged, the rate of its opening (A07). */
  readonly feeRate: FeeRate;
  /** Charged so far: at the opening and, once closed, at the close. */
  readonly fees: Money;
  /** Of the position that this closed part was split from (A23). */
  readonly splitFrom: string | null;
  /** Whether the trader was warned of the margin since the price last was on the safe side (A104). */
  readonly marginWarned: boolean;
  /** Whether it closes at the first price after its market's reopening (A98); never of a closed one. */
  readonly closeAtReopen: boolean;
  /** Milliseconds since the epoch, all of them; `editedAt` is when staff last changed it. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly editedAt: number | null;
  readonly closing: Closing | null;
  /** 1 when opened, raised by one with every change of the position. */
  readonly version: number;
  /** `Wallet.version` as the last change of the position left it. */
  readonly accountVersion: number;
}

/** ENT-19, A20. Waits while `status` is NEW. */
export interface Order {
  readonly id: string;
  readonly userId: string;
  readonly symbol: string;
  readonly type: OrderType;
  readonly side: Side;
  /** Of a LIMIT or STOP the trigger; of a MARKET what the trader saw, null sets no bound. */
  readonly price: Price | null;
  readonly size: Size;
  readonly leverage: number;
  readonly takeProfitPrice: Price | null;
  readonly stopLossPrice: Price | null;
  /** Margin and opening fee at its price, held while it waits; zero for a MARKET order and once it is final. */
  readonly reserved: Money;
  readonly rules: RuleSetName;
  readonly status: OrderStatus;
  /** Why it is REJECTED; null otherwise. */
  readonly rejection: Refusal | null;
  /** The position that it opened. */
  readonly positionId: string | null;
  /** The client's own name of it, if it gave one. */
  readonly clientId: string | null;
  /** Milliseconds since the epoch, both. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly version: number;
  readonly accountVersion: number;
}

export interface Account {
  readonly wallet: Wallet;
  /** A restricted trader opens nothing (A72). */
  readonly restricted: boolean;
  /** The account's own position, open or closed. Undefined for an unknown id and for somebody else's alike. */
  position(id: string): Position | undefined;
  /** The account's own order, whatever its status. */
  order(id: string): Order | undefined;
  openPositions(): Iterable<Position>;
  /** Those that wait (NEW). */
  openOrders(): Iterable<Order>;
  readonly openPositionCount: number;
  readonly openOrderCount: number;
}
