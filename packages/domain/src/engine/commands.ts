/**
 * What may be asked of the engine, what a decision may look at, and why it may refuse. Figures from a client are claims:
 * a size is checked, a claimed price is only a bound (A18), nothing else of it is read. Time, prices and ids come with
 * the context, so the same input always gives the same decision.
 */
import type { Money, Percent, Price, Size } from '../money.ts';
import type { AmountRange, TradingPair } from '../pairs.ts';
import type { RuleSetName } from '../rules.ts';
import type { CloseReason } from '../states.ts';
import type { Position } from './account.ts';
import type { Effects } from './effects.ts';

export interface OpenCommand {
  readonly kind: 'open';
  readonly symbol: string;
  readonly side: string;
  /** Checked against the pair; a claim that is no decimal of the platform comes as zero, which no pair takes. */
  readonly size: Size;
  readonly leverage: number;
  /** What the trader saw; null sets no bound. */
  readonly claimedPrice: Price | null;
}

export interface CloseCommand {
  readonly kind: 'close';
  readonly positionId: string;
  readonly reason: CloseReason;
}

export type Command = OpenCommand | CloseCommand;

/** The last known price of a symbol. */
export interface Quote {
  readonly price: Price;
  /** Too old to trade on (A37). */
  readonly stale: boolean;
  readonly marketOpen: boolean;
}

export interface MarketView {
  pair(symbol: string): TradingPair | undefined;
  /** Undefined when the symbol never had a price. */
  quote(symbol: string): Quote | undefined;
}

export interface Context {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly market: MarketView;
  /** The rule set that new positions get. */
  readonly rules: RuleSetName;
  /** How far the market may be from the claimed price, per cent of the claim. */
  readonly priceTolerance: Percent;
  /** Fresh ids: of the position that the command may open and of its ledger group. */
  readonly ids: { readonly position: string; readonly ledgerGroup: string };
}

/** Why a command changes nothing, with the figures that its text prints. */
export type Refusal =
  | { readonly code: 'unknown_symbol'; readonly symbol: string }
  | { readonly code: 'side_invalid' }
  | { readonly code: 'leverage_invalid' }
  | { readonly code: 'amount_out_of_range'; readonly range: AmountRange }
  | { readonly code: 'market_closed' }
  | { readonly code: 'no_price'; readonly symbol: string }
  | { readonly code: 'price_stale' }
  | {
      readonly code: 'price_moved';
      readonly seen: Price;
      readonly market: Price;
      /** Decimals of the pair's prices. */
      readonly decimals: number;
    }
  | { readonly code: 'amount_too_small' }
  | { readonly code: 'insufficient_balance'; readonly required: Money; readonly available: Money }
  | { readonly code: 'account_restricted' }
  | { readonly code: 'position_not_found' }
  | { readonly code: 'position_closed' };

export type Decision =
  | { readonly outcome: 'accepted'; readonly position: Position; readonly effects: Effects }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

export const refuse = (refusal: Refusal): Decision => ({ outcome: 'refused', refusal });
