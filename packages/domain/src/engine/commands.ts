/**
 * What may be asked of the engine and what a decision may look at. Figures from a client are claims: a size is checked, a
 * claimed price is only a bound (A18), nothing else of it is read. Time, prices and ids come with the context, so the same
 * input always gives the same decision.
 */
import type { FeeRate, Money, Percent, Price, Size } from '../money.ts';
import type { TradingPair } from '../pairs.ts';
import type { RuleSetName } from '../rules.ts';
import type { CloseReason } from '../states.ts';
import type { Order, Position } from './account.ts';
import type { Effects } from './effects.ts';
import type { PositionTriggerKind, Protection } from './protection.ts';
import type { Refusal } from './refusals.ts';

export interface OpenCommand extends Protection {
  readonly kind: 'open';
  readonly symbol: string;
  readonly side: string;
  /** Checked against the pair; a claim that is no decimal of the platform comes as zero, which no pair takes. */
  readonly size: Size;
  readonly leverage: number;
  /** What the trader saw; null sets no bound. */
  readonly claimedPrice: Price | null;
}

/** CALL-45, A20. */
export interface PlaceCommand extends Protection {
  readonly kind: 'place';
  readonly symbol: string;
  readonly type: string;
  readonly side: string;
  /** As of `Order.price`; a claim that is no decimal of the platform comes as zero, which no pair takes. */
  readonly price: Price | null;
  readonly size: Size;
  readonly leverage: number;
  readonly clientId: string | null;
  /**
   * Whether an order that circumstances refuse (balance, restriction, protection, a stop that is reached) is kept as
   * REJECTED: one of several in a request has its own outcome. Without it the command is refused.
   */
  readonly keepRejected: boolean;
}

/** The engine's own: an order's turn has come. */
export interface FillCommand {
  readonly kind: 'fill';
  readonly orderId: string;
  /** The tick that reached the order; null fills a MARKET order at the quote. */
  readonly price: Price | null;
}

export interface CancelCommand {
  readonly kind: 'cancel';
  readonly orderId: string;
}

/** Of an order that waits: its price and what follows from it, nothing else of it. */
export interface AmendCommand {
  readonly kind: 'amend';
  readonly orderId: string;
  readonly price: Price;
}

/** A21: both are set to exactly this; null takes one away. */
export interface ProtectCommand extends Protection {
  readonly kind: 'protect';
  readonly positionId: string;
}

export interface CloseCommand {
  readonly kind: 'close';
  readonly positionId: string;
  /** Null, or the size of the position, closes it whole (A23). */
  readonly size: Size | null;
  readonly reason: CloseReason;
}

/** A98: asks, while its market is shut, that the position be closed whole at the first price after the reopening. */
export interface CloseAtReopenCommand {
  readonly kind: 'close_at_reopen';
  readonly positionId: string;
  /** False takes it back. */
  readonly wanted: boolean;
}

/** The engine's own: a tick reached what a position waits for. */
export interface TriggerCommand {
  readonly kind: 'trigger';
  readonly trigger: PositionTriggerKind;
  readonly positionId: string;
  /** The mark price of that tick. */
  readonly price: Price;
}

/** A12: a deposit above zero, a withdrawal below. */
export interface AdjustCommand {
  readonly kind: 'adjust';
  readonly amount: Money;
  readonly reason: string;
}

/** A09. A field that is absent stays; null empties one that may be empty. */
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
  /** The version that the editor saw; null takes whatever there is. */
  readonly expectedVersion: number | null;
  readonly reason: string;
}

/** A72. Restricting cancels what waits. */
export interface RestrictCommand {
  readonly kind: 'restrict';
  readonly restricted: boolean;
  readonly reason: string;
}

/** A102: cancels, closes, and books the account back to this balance. */
export interface ResetCommand {
  readonly kind: 'reset';
  readonly startBalance: Money;
}

/** A73: cancels, closes, and books the rest out, so that the account ends at zero. */
export interface DeleteCommand {
  readonly kind: 'delete';
  readonly reason: string;
}

export type Command =
  | OpenCommand
  | PlaceCommand
  | FillCommand
  | CancelCommand
  | AmendCommand
  | ProtectCommand
  | CloseCommand
  | CloseAtReopenCommand
  | TriggerCommand
  | AdjustCommand
  | EditCommand
  | RestrictCommand
  | ResetCommand
  | DeleteCommand;

/** The last known price of a symbol. */
export interface Quote {
  readonly price: Price;
  /** Too old to trade on (A37). */
  readonly stale: boolean;
  readonly marketOpen: boolean;
}

export interface MarketView {
  pair(symbol: string): TradingPair | undefined;
  /** False for a pair that is kept for what is open on it alone; left out: whatever `pair` knows may be opened. */
  isListed?(symbol: string): boolean;
  /** Undefined when the symbol never had a price. */
  quote(symbol: string): Quote | undefined;
}

export interface Context {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly market: MarketView;
  /** The rule set that new positions and orders get. */
  readonly rules: RuleSetName;
  /** Of new positions, and of their opening (A07). */
  readonly feeRate: FeeRate;
  /** How far the market may be from the claimed price, per cent of the claim. */
  readonly priceTolerance: Percent;
  /** A fresh uuid with each call, for what the decision makes. */
  readonly newId: () => string;
}

/** What a decision is about, as it left it: the answer to the command. */
export type Subject =
  | { readonly kind: 'position'; readonly position: Position }
  | { readonly kind: 'order'; readonly order: Order }
  | { readonly kind: 'account' };

export type Decision =
  | { readonly outcome: 'accepted'; readonly subject: Subject; readonly effects: Effects }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

export const refuse = (refusal: Refusal): Decision => ({ outcome: 'refused', refusal });
