/** Why a command changes nothing, or an order is rejected, with the figures that its text prints. */
import type { Money, Price } from '../money.ts';
import type { AmountRange } from '../pairs.ts';
import type { OrderStatus } from '../states.ts';
import type { Position } from './account.ts';
import type { ProtectionFault } from './protection.ts';

/** Fields of a position that staff may change (CALL-43, A09). */
export const editableFields = [
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

export type Refusal =
  | { readonly code: 'unknown_symbol'; readonly symbol: string }
  | { readonly code: 'side_invalid' }
  | { readonly code: 'leverage_invalid' }
  | { readonly code: 'amount_out_of_range'; readonly range: AmountRange }
  | { readonly code: 'market_closed' }
  /** A close at the reopening of a market that is not shut. */
  | { readonly code: 'market_open' }
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
  | { readonly code: 'too_many_open'; readonly what: 'positions' | 'orders'; readonly max: number }
  | { readonly code: 'position_not_found' }
  | { readonly code: 'position_closed' }
  | { readonly code: 'order_type_invalid' }
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
  /** A trigger whose price does not (or no longer) cross what it was armed for: nothing is to be done. */
  | { readonly code: 'not_crossed' }
  | { readonly code: 'reason_required' }
  | { readonly code: 'funds_amount_invalid' }
  | { readonly code: 'funds_beyond_available'; readonly available: Money }
  /** The position is not in the version that the editor saw. */
  | { readonly code: 'changed_meanwhile'; readonly expectedVersion: number; readonly current: Position }
  /** The field is empty and must not be, or is no value that a position can have. */
  | { readonly code: 'edit_value_invalid'; readonly field: EditableField }
  /** Close price, realized PnL and close time of an open position. */
  | { readonly code: 'edit_field_of_closed'; readonly field: EditableField }
  | { readonly code: 'edit_exceeds_available'; readonly required: Money; readonly available: Money }
  | { readonly code: 'edit_loss_beyond_margin'; readonly margin: Money }
  | { readonly code: 'edit_liquidation_price'; readonly min: Price; readonly max: Price }
  | { readonly code: 'restriction_unchanged'; readonly restricted: boolean };
