/**
 * What the engine decides on and how it refuses: an account with its wallet, positions, orders and restriction, and the
 * refusals, which carry such values. The types stand together because they name each other. All are immutable values; a
 * decision returns the next ones. Invariant (A08): `available` is cash, `margin` the sum of the margins of the open
 * positions, `orderMargin` the sum of the reserves of the open orders. None is negative, the balance is their sum,
 * and none includes unrealized PnL.
 */
import type { AccountTerms, LimitSetter } from '../accounts.ts';
import { asMoney, type FeeRate, type Money, type Percent, type Price, type Size } from '../money.ts';
import type { OwnStanding } from '../own-limits.ts';
import type { AmountRange } from '../pairs.ts';
import type { OwnTrade } from '../perpetual/book.ts';
import type { PositionTerms, RuleSetName } from '../rules.ts';
import type { ClosePriceSource, CloseReason, OrderStatus, OrderType, Side, TimeInForce } from '../states.ts';

export interface Wallet {
  readonly id: string;
  readonly accountId: string;
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

/** A position of an account (ENT-15). Open while `closing` is null. */
export interface Position extends PositionTerms {
  readonly id: string;
  readonly accountId: string;
  readonly symbol: string;
  readonly entryValue: Money | null;
  /** By A04, or what staff put in its place (A09); of a net position by A113. */
  readonly liquidationPrice: Price;
  readonly takeProfitPrice: Price | null;
  readonly stopLossPrice: Price | null;
  /** The first stop loss of the position, from which R is computed (A108). */
  readonly initialStopLossPrice: Price | null;
  /** The rule set it was opened under, for its whole life (A01). */
  readonly rules: RuleSetName;
  /** What its close is charged, the rate of its opening (A07). */
  readonly feeRate: FeeRate;
  /** Charged so far: at the opening and, once closed, at the close. */
  readonly fees: Money;
  /** Funding and financing so far (A113): above zero what it received, below what it paid. */
  readonly funding: Money;
  /** Until when they are booked, milliseconds since the epoch; null where nothing was due yet. */
  readonly fundedAt: number | null;
  /** Of the position that this closed part was split from (A23). */
  readonly splitFrom: string | null;
  /** Whether the trader was warned of the margin since the price last was on the safe side (A104). */
  readonly marginWarned: boolean;
  /** Whether it closes at the next price that trades (A98, A110); never of a closed one. */
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

/** An order of an account (ENT-19, A20). Waits while `isWaiting(status)`. */
export interface Order {
  readonly id: string;
  readonly accountId: string;
  readonly symbol: string;
  readonly type: OrderType;
  readonly side: Side;
  /**
   * Of a LIMIT or STOP the trigger; beside a `triggerPrice` the limit of a conditional order; of a MARKET what the
   * trader saw, null sets no bound.
   */
  readonly price: Price | null;
  readonly size: Size;
  readonly leverage: number;
  readonly takeProfitPrice: Price | null;
  readonly stopLossPrice: Price | null;
  /** Margin and opening fee at its price, reserved while it waits; zero for a MARKET order and once it is final. */
  readonly reserved: Money;
  readonly rules: RuleSetName;
  /** GTC in the rule sets other than `perpetual`. */
  readonly timeInForce: TimeInForce;
  /** It only makes a position smaller, and reserves nothing. */
  readonly reduceOnly: boolean;
  /** What was filled so far, and its price × size in USDT. */
  readonly filledSize: Size;
  readonly filledValue: Money;
  /** Of a conditional order: the price at which it becomes an order; of a trailing stop the price from which it follows, or null. */
  readonly triggerPrice: Price | null;
  /** Of a trailing stop: its distance from the best price since, in per cent of that price; null for any other. */
  readonly trailRate: Percent | null;
  /** Of a trailing stop: the best price so far; null until it follows. */
  readonly peakPrice: Price | null;
  /** Closes the whole position, whatever its size is by then; its own size is zero until it is triggered. */
  readonly closePosition: boolean;
  /** When a conditional order became an order, milliseconds since the epoch; null before, and for any other. */
  readonly triggeredAt: number | null;
  /** When the rest of a GTD order ends. */
  readonly expiresAt: number | null;
  /** When it is to be filled, and the middle of the market when it arrived; null but during its latency. */
  readonly dueAt: number | null;
  readonly arrivalPrice: Price | null;
  /** The quote that it names, kept until then. */
  readonly quoteId: string | null;
  /** The position that it closes a part of, and that it ends with; null for an order of its own. */
  readonly boundPositionId: string | null;
  readonly status: OrderStatus;
  /** Why it is REJECTED; null otherwise. */
  readonly rejection: Refusal | null;
  /** The position that it opened or, in `perpetual`, last traded. */
  readonly positionId: string | null;
  /** The client's own name of it, if it gave one. */
  readonly clientId: string | null;
  /** Milliseconds since the epoch, both. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly version: number;
  readonly accountVersion: number;
}

/** Of an order without conditions, that neither ends nor fills at an instant, and is not bound to a position. */
export const unconditional = {
  triggerPrice: null,
  trailRate: null,
  peakPrice: null,
  closePosition: false,
  triggeredAt: null,
  expiresAt: null,
  dueAt: null,
  arrivalPrice: null,
  quoteId: null,
  boundPositionId: null,
} as const satisfies Partial<Order>;

export interface Account {
  readonly wallet: Wallet;
  /** What its new positions and orders are under. */
  readonly terms: AccountTerms;
  /** The limits that its owner has set, with the day so far; absent or null without any. */
  readonly own?: OwnStanding | null;
  /** A restricted trader opens nothing (A72). */
  readonly restricted: boolean;
  /**
   * The account's own position, open or closed. Undefined for an unknown id and for another account's position alike.
   */
  position(id: string): Position | undefined;
  /** The account's own order in any status. */
  order(id: string): Order | undefined;
  openPositions(): Iterable<Position>;
  /** Orders that wait. */
  openOrders(): Iterable<Order>;
  /**
   * Whether a BUY and a SELL position of the symbol are open. Constant time on average, because every close calls it.
   */
  holdsBothSides(symbol: string): boolean;
  /** The open positions that have nothing left to lose at this price (`isExhausted`); none unless both sides are open. */
  exhaustedAt(symbol: string, price: Price): Iterable<Position>;
  /** Of a `perpetual` account: the leverage of its next order of the symbol. */
  leverageOf(symbol: string): number;
  /** Of a `perpetual` account: its own trades of the symbol in the last minute or two, the newest first. */
  ownTrades(symbol: string): Iterable<OwnTrade>;
  readonly openPositionCount: number;
  readonly openOrderCount: number;
}

export interface Protection {
  readonly takeProfitPrice: Price | null;
  readonly stopLossPrice: Price | null;
}

/** A fault of a protection, with the figure that its text prints. */
export type ProtectionFault =
  | {
      readonly code: 'off_tick' | 'out_of_range';
      readonly which: keyof Protection;
      readonly min: Price;
      readonly max: Price;
      readonly tickSize: Price;
    }
  | { readonly code: 'take_profit_side'; readonly mustBe: 'above' | 'below'; readonly reference: Price }
  | { readonly code: 'stop_loss_side'; readonly mustBe: 'above' | 'below'; readonly reference: Price }
  /** It would never fire: the position is liquidated first. */
  | { readonly code: 'stop_loss_beyond_liquidation'; readonly liquidationPrice: Price };

/** Fields of a position that staff may change (CALL-43, A09). */
const editableFields = [
  'entryPrice',
  'closePrice',
  'size',
  'leverage',
  'side',
  'realizedPnl',
  'liquidationPrice',
  'createdAt',
  'closedAt',
] as const;
export type EditableField = (typeof editableFields)[number];

export type ConditionField = 'price' | 'triggerPrice' | 'trailRate' | 'closePosition' | 'size' | 'protection';

/** When an order that is not filled now may be: at an instant (ms since the epoch), or once the market is at a price before that. */
export interface NextCrossing {
  readonly at: number;
  readonly price?: Price;
}

export type Refusal =
  | { readonly code: 'unknown_symbol'; readonly symbol: string }
  | { readonly code: 'side_invalid' }
  | { readonly code: 'leverage_invalid' }
  /** Above what the account allows. */
  | { readonly code: 'leverage_capped'; readonly max: number }
  | { readonly code: 'amount_out_of_range'; readonly range: AmountRange }
  | { readonly code: 'market_closed' }
  /** A close at the next price of a market that trades. */
  | { readonly code: 'market_open' }
  | { readonly code: 'no_price'; readonly symbol: string }
  | { readonly code: 'price_stale' }
  /** A command that ends an account found a position whose price is held (A110). */
  | { readonly code: 'price_held'; readonly symbol: string }
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
  // Of accounts of a class; `at` in milliseconds since the epoch
  | { readonly code: 'class_not_begun'; readonly at: number }
  | { readonly code: 'class_over'; readonly at: number }
  // Of accounts of a contest, likewise
  | { readonly code: 'contest_not_begun'; readonly at: number }
  | { readonly code: 'contest_over'; readonly at: number }
  // The owner's own limits; `until` in milliseconds since the epoch
  | { readonly code: 'own_limit_reached'; readonly limit: 'cool_down'; readonly until: number }
  | {
      readonly code: 'own_limit_reached';
      readonly limit: 'trades';
      readonly max: number;
      readonly until: number;
    }
  | {
      readonly code: 'own_limit_reached';
      readonly limit: 'loss';
      readonly max: Money;
      readonly loss: Money;
      readonly until: number;
    }
  // Of accounts of a challenge, likewise
  | { readonly code: 'challenge_not_begun'; readonly at: number }
  | { readonly code: 'challenge_over'; readonly at: number }
  | { readonly code: 'symbol_not_allowed'; readonly symbol: string; readonly setBy: LimitSetter }
  | { readonly code: 'too_many_open'; readonly what: 'positions' | 'orders'; readonly max: number }
  | { readonly code: 'position_not_found' }
  | { readonly code: 'position_closed' }
  | { readonly code: 'order_type_invalid'; readonly types: readonly OrderType[] }
  /** A LIMIT or STOP order without a price, or one that is off the pair's ticks or bounds. */
  | {
      readonly code: 'order_price_invalid';
      readonly min: Price;
      readonly max: Price;
      readonly tickSize: Price;
    }
  /** A STOP that would trigger at once. */
  | {
      readonly code: 'stop_reached';
      readonly mustBe: 'above' | 'below';
      readonly market: Price;
      readonly decimals: number;
    }
  | { readonly code: 'protection_invalid'; readonly fault: ProtectionFault; readonly decimals: number }
  | { readonly code: 'order_not_found' }
  | { readonly code: 'order_final'; readonly status: OrderStatus }
  /** The latency of the account is not over: it is to be decided again then, with the middle of the market of its arrival. */
  | { readonly code: 'in_transit'; readonly until: number; readonly arrivalPrice: Price }
  /** The price of the trigger does not (or no longer) cross its level: nothing happens. */
  | { readonly code: 'not_crossed'; readonly next?: NextCrossing }
  /** No cost of holding is due, or the price that it follows is held or missing. */
  | { readonly code: 'not_due' }
  | { readonly code: 'reason_required' }
  | { readonly code: 'funds_amount_invalid' }
  | { readonly code: 'funds_beyond_available'; readonly available: Money }
  /** The position is not in the version that the editor saw. */
  | { readonly code: 'changed_meanwhile'; readonly expectedVersion: number; readonly current: Position }
  /** The field must not be empty, or its value is invalid for a position. */
  | {
      readonly code: 'edit_value_invalid';
      readonly field: EditableField;
      /** Of a price or a size, in 1e-8 units; a price of an edit has no step. */
      readonly bounds?: { readonly min: bigint; readonly max: bigint; readonly step: bigint | null };
    }
  /** Close price, realized PnL and close time of an open position. */
  | { readonly code: 'edit_field_of_closed'; readonly field: EditableField }
  | { readonly code: 'edit_exceeds_available'; readonly required: Money; readonly available: Money }
  | { readonly code: 'edit_loss_beyond_margin'; readonly margin: Money }
  | { readonly code: 'edit_liquidation_price'; readonly min: Price; readonly max: Price }
  /** The balance is already what it was to be set to. */
  | { readonly code: 'funds_unchanged' }
  | { readonly code: 'restriction_unchanged'; readonly restricted: boolean }
  // Of `perpetual` accounts
  | { readonly code: 'time_in_force_invalid' }
  /** GTD without an instant, or one that is too near. */
  | { readonly code: 'expiry_invalid' }
  | {
      readonly code: 'trigger_price_invalid';
      readonly min: Price;
      readonly max: Price;
      readonly tickSize: Price;
    }
  | { readonly code: 'trail_rate_invalid' }
  /** The order would be triggered at once. */
  | {
      readonly code: 'trigger_reached';
      readonly mustBe: 'above' | 'below';
      readonly market: Price;
      readonly decimals: number;
    }
  /** A trigger price, a trailing distance or a close of the whole position where the type takes none. */
  | { readonly code: 'condition_not_expected'; readonly type: OrderType; readonly field: ConditionField }
  /** An order closes the whole position at such a price already. */
  | { readonly code: 'close_order_exists'; readonly symbol: string }
  /** FOK: the levels do not hold the whole order. */
  | { readonly code: 'order_not_fillable'; readonly size: Size }
  /** GTX: it would trade at once. */
  | { readonly code: 'order_would_take'; readonly best: Price; readonly decimals: number }
  /** A reduce-only order without a position of the other side. */
  | { readonly code: 'nothing_to_reduce'; readonly symbol: string }
  /** The quote that the order names is not the current one. */
  | { readonly code: 'quote_changed' }
  /** There is no quote to trade on. */
  | { readonly code: 'no_quote'; readonly symbol: string }
  /** The position would be larger than this leverage allows. */
  | { readonly code: 'position_too_large'; readonly leverage: number; readonly max: Money }
  /** A lower leverage, or that of an order, where a position or orders have another one. */
  | { readonly code: 'leverage_in_use'; readonly symbol: string; readonly leverage: number }
  | { readonly code: 'margin_amount_invalid' }
  /** More than may be taken out of the position's margin. */
  | { readonly code: 'margin_beyond_free'; readonly free: Money }
  /** A position of a `perpetual` account is the sum of its executions. */
  | { readonly code: 'net_position_fixed' }
  /** The command is for `perpetual` accounts. */
  | { readonly code: 'not_perpetual' };
