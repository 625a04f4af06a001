/**
 * The commands of the engine, and the context of a decision. Figures from a client are untrusted: a size is checked,
 * an expected price is only a bound (A18), nothing else of them is read. Time, prices and ids come with the context,
 * so the same input always gives the same decision.
 */
import type { AccountTerms } from '../accounts.ts';
import type { Money, Percent, Price, Size } from '../money.ts';
import type { TradingPair } from '../pairs.ts';
import type { QuotedBook } from '../perpetual/book.ts';
import type { QuotedProfile } from '../perpetual/fill-profiles.ts';
import type { ChallengeState, ChallengeStep } from '../programs/challenge.ts';
import type { MarkState } from '../programs/contest.ts';
import type { CloseReason } from '../states.ts';
import type { Effects } from './effects.ts';
import type { PositionTriggerKind } from './protection.ts';
import type { Order, Position, Protection, Refusal } from './types.ts';

/** What only an order of a `perpetual` account may say; absent is what it says by itself. */
export interface NetOrderTerms {
  /** GTC (default), IOC, FOK, GTX or GTD. */
  readonly timeInForce?: string | null;
  readonly reduceOnly?: boolean;
  /** The quote that the trader saw: the order fills on it or not at all. */
  readonly quoteId?: string | null;
}

/** Of what may trade, or keep an order from trading: the engine decides it again once the latency of the account is over. */
export interface Arrival {
  /** The middle of the market when it arrived; absent before. */
  readonly arrivalPrice?: Price;
}

/** What an order may wait for; absent or null is nothing. */
export interface ConditionTerms {
  readonly triggerPrice?: Price | null;
  /** Per cent. */
  readonly trailRate?: Percent | null;
  readonly closePosition?: boolean;
  /** Of GTD, milliseconds since the epoch. */
  readonly expiresAt?: number | null;
  /** The position that it closes a part of; in the other rule sets too, for a reduce-only LIMIT. */
  readonly boundPositionId?: string | null;
}

export interface OpenCommand extends Protection, NetOrderTerms, Arrival {
  readonly kind: 'open';
  readonly symbol: string;
  readonly side: string;
  /** Checked against the pair; an input that is not a valid decimal arrives as zero, which no pair accepts. */
  readonly size: Size;
  readonly leverage: number;
  /** The price that the trader saw; null sets no bound. */
  readonly expectedPrice: Price | null;
}

/** Places an order of any type (CALL-45, A20). */
export interface PlaceCommand extends Protection, NetOrderTerms, ConditionTerms {
  readonly kind: 'place';
  readonly symbol: string;
  readonly type: string;
  readonly side: string;
  /** As `Order.price`; an input that is not a valid decimal arrives as zero, which no pair accepts. */
  readonly price: Price | null;
  readonly size: Size;
  readonly leverage: number;
  readonly clientId: string | null;
  /**
   * Whether an order that circumstances refuse (balance, restriction, protection, a reached stop) is stored as
   * REJECTED. Each of several orders in a request then has its own outcome. Without it the command is refused.
   */
  readonly keepRejected: boolean;
}

/** As it is sent: without a leverage it has that of its symbol, in a `perpetual` account; in any other one it is refused. */
export type SentPlaceCommand = Omit<PlaceCommand, 'leverage'> & { readonly leverage: number | null };

/** The engine's own command: fills an order. */
export interface FillCommand {
  readonly kind: 'fill';
  readonly orderId: string;
  /** The price of the tick that reached the order; null fills a MARKET order at the quote. */
  readonly price: Price | null;
}

/** The engine's own command: ends an order whose time is over. */
export interface ExpireCommand {
  readonly kind: 'expire';
  readonly orderId: string;
}

/** The engine's own command: the best price that a trailing stop has followed so far. */
export interface FollowCommand {
  readonly kind: 'follow';
  readonly orderId: string;
  readonly price: Price;
}

export interface CancelCommand extends Arrival {
  readonly kind: 'cancel';
  readonly orderId: string;
}

/** Changes the price of a waiting order and what follows from it, and in a `perpetual` account its size and its trigger price. */
export interface AmendCommand extends Arrival {
  readonly kind: 'amend';
  readonly orderId: string;
  /** Of an order that waits for its trigger and has no limit price, its trigger price. */
  readonly price: Price;
  readonly triggerPrice?: Price | null;
  /** Of the whole order, filled parts included; absent leaves it. */
  readonly size?: Size | null;
}

/**
 * Sets take profit and stop loss of a position to these values; null removes one (A21). An absent one stays as it is when the command is
 * decided, and is not checked again.
 */
export interface ProtectCommand {
  readonly kind: 'protect';
  readonly positionId: string;
  readonly takeProfitPrice?: Price | null | undefined;
  readonly stopLossPrice?: Price | null | undefined;
}

export interface CloseCommand extends Arrival {
  readonly kind: 'close';
  readonly positionId: string;
  /** Null, or the size of the position, closes it whole (A23). */
  readonly size: Size | null;
  readonly reason: CloseReason;
}

/** Closes the whole position and opens the other side with the same size and leverage, both or neither. */
export interface ReverseCommand extends Arrival {
  readonly kind: 'reverse';
  readonly positionId: string;
  /** The price that the trader saw; null sets no bound. */
  readonly expectedPrice: Price | null;
}

/**
 * Requests a close of the whole position at the next price that trades, while the market is closed or a price is held
 * (A98, A110).
 */
export interface CloseAtReopenCommand {
  readonly kind: 'close_at_reopen';
  readonly positionId: string;
  /** False withdraws the request. */
  readonly requested: boolean;
}

/** The engine's own command: a tick reached a trigger of the position. */
export interface TriggerCommand {
  readonly kind: 'trigger';
  readonly trigger: PositionTriggerKind;
  readonly positionId: string;
  /** The mark price of that tick. */
  readonly price: Price;
}

/** The engine's own command: books what holding a net position has cost since it was last booked (A113). */
export interface FundCommand {
  readonly kind: 'fund';
  readonly positionId: string;
}

/** The leverage of the symbol's position, and of its next orders (A113). */
export interface LeverageCommand {
  readonly kind: 'set_leverage';
  readonly symbol: string;
  readonly leverage: number;
}

/** Adds margin to a net position (above zero) or takes it out (below) (A113). */
export interface MarginCommand {
  readonly kind: 'adjust_margin';
  readonly positionId: string;
  readonly amount: Money;
}

/** A12: a deposit above zero, a withdrawal below. */
export interface AdjustCommand {
  readonly kind: 'adjust';
  readonly amount: Money;
  /** `amount` is the balance that follows, instead of the change. */
  readonly sets?: 'balance';
  readonly reason: string;
  /** The text that the trader reads beside the amount; absent or null: 'Deposit' or 'Withdrawal' (CALL-37). */
  readonly description?: string | null;
}

/** Edits a position as staff do (A09). An absent field stays; null empties one that may be empty. */
export interface PositionEdit {
  readonly entryPrice?: Price | null;
  readonly closePrice?: Price | null;
  readonly size?: Size | null;
  readonly leverage?: number | null;
  readonly side?: string | null;
  readonly realizedPnl?: Money | null;
  readonly liquidationPrice?: Price | null;
  /** Milliseconds since the epoch, both. */
  readonly createdAt?: number | null;
  readonly closedAt?: number | null;
}
export interface EditCommand {
  readonly kind: 'edit';
  readonly positionId: string;
  readonly edit: PositionEdit;
  /** The version that the editor saw; null accepts any. */
  readonly expectedVersion: number | null;
  readonly reason: string;
}

/** Restricts an account or lifts the restriction; restricting cancels its waiting orders (A72). */
export interface RestrictCommand {
  readonly kind: 'restrict';
  readonly restricted: boolean;
  readonly reason: string;
}

/** Cancels all orders, closes all positions, and books the account back to this balance (A102). */
export interface ResetCommand {
  readonly kind: 'reset';
  readonly startBalance: Money;
  /** Of staff, and the trader is notified; absent: the owner resets. */
  readonly reason?: string;
}

/** The last accepted price of a symbol when a program ended, and how it stood. */
export interface ClosingMark {
  readonly price: Price;
  readonly state: MarkState;
  /** The source that the price is of; absent where none is known. */
  readonly source?: string;
}

/**
 * The server's own command: the contest of the account has ended. Cancels all orders and closes all positions at these prices, whether their
 * markets are open or not. A symbol without one closes at the entry (RULE-21). Refused before the end.
 */
export interface CloseOutCommand {
  readonly kind: 'close_out';
  /** By symbol. */
  readonly marks: Readonly<Record<string, ClosingMark>>;
}

/**
 * The engine's own command: a tick, a change of the account or the end of a day may have decided its challenge. It names marks, rules and state
 * of that instant, so that it judges that instant, whenever it is decided. The account, and its trading days in `state`, are those of the decision.
 * A verdict ends the account at these marks.
 */
export interface JudgeCommand {
  readonly kind: 'judge';
  /** Of the marks, milliseconds since the epoch. */
  readonly at: number;
  /** By symbol, of everything that was open then. */
  readonly marks: Readonly<Record<string, ClosingMark>>;
  readonly step: ChallengeStep;
  readonly state: ChallengeState;
  /** Whether the day of the state ends then. */
  readonly endsDay: boolean;
}

/** Cancels all orders, closes all positions, and books the rest out, so that the account ends at zero (A73). */
export interface DeleteCommand {
  readonly kind: 'delete';
  readonly reason: string;
}

export type Command =
  | OpenCommand
  | SentPlaceCommand
  | FillCommand
  | ExpireCommand
  | FollowCommand
  | CancelCommand
  | AmendCommand
  | ProtectCommand
  | CloseCommand
  | ReverseCommand
  | CloseAtReopenCommand
  | TriggerCommand
  | FundCommand
  | LeverageCommand
  | MarginCommand
  | AdjustCommand
  | EditCommand
  | RestrictCommand
  | ResetCommand
  | CloseOutCommand
  | JudgeCommand
  | DeleteCommand;

/** The last known price of a symbol. */
export interface Quote {
  readonly price: Price;
  /** Too old to trade on (A37), or held. */
  readonly stale: boolean;
  /**
   * A newer price is held (A106): nothing opens, closes or fires at this one until that is accepted or rejected
   * (A110).
   */
  readonly held: boolean;
  readonly marketOpen: boolean;
  /** The source that the price is of; absent where none is known. */
  readonly source?: string;
}

export interface MarketView {
  pair(symbol: string): TradingPair | undefined;
  /**
   * False for a pair that remains only for its open positions. Without this function every known pair may be opened.
   */
  isListed?(symbol: string): boolean;
  /** Undefined when the symbol never had a price. */
  quote(symbol: string): Quote | undefined;
  /** The book of the symbol's last price; undefined where there is none. Only `perpetual` accounts trade on it. */
  book?(symbol: string, profile: QuotedProfile): QuotedBook | undefined;
}

export interface MarketContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly market: MarketView;
  /** The largest distance of the market from the expected price, in per cent of the expected price. */
  readonly priceTolerance: Percent;
  /** A new uuid with each call, for the rows that the decision creates. */
  readonly newId: () => string;
}

/** What a decision reads besides the account's rows: time and market, and the account's own terms. */
export interface Context extends MarketContext, AccountTerms {
  /** Why the account opens nothing now by its owner's limits, or null; absent: none are set. */
  readonly ownLimit?: () => Refusal | null;
}

/** The row that a decision is about, in its next state: the answer to the command. */
export type Subject =
  | { readonly kind: 'leverage'; readonly symbol: string; readonly leverage: number }
  | { readonly kind: 'position'; readonly position: Position }
  | { readonly kind: 'order'; readonly order: Order }
  | { readonly kind: 'account' };

export type Decision =
  | { readonly outcome: 'accepted'; readonly subject: Subject; readonly effects: Effects }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

export const refuse = (refusal: Refusal): Decision => ({ outcome: 'refused', refusal });
