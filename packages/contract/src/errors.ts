/**
 * Errors are values: a code for programs, a status for HTTP and the user's text. A protocol turns an `AppError` into
 * its own wire form (`{code, message, details, hint}` for rest, `{code, msg}` for auth). Any other error is a fault:
 * the server logs it and answers 500 without its text.
 */
import { texts } from './server-texts.ts';

export const errorStatus = {
  insufficient_balance: 400,
  price_moved: 409,
  price_stale: 409,
  price_held: 409,
  no_price: 409,
  market_closed: 409,
  market_open: 409,
  amount_out_of_range: 400,
  amount_too_small: 400,
  side_invalid: 400,
  leverage_invalid: 400,
  unknown_symbol: 400,
  position_not_found: 404,
  position_closed: 409,
  account_restricted: 403,
  account_archived: 403,
  class_not_begun: 403,
  class_over: 403,
  contest_not_begun: 403,
  contest_over: 403,
  contest_account: 403,
  challenge_not_begun: 403,
  challenge_over: 403,
  challenge_account: 403,
  symbol_not_allowed: 403,
  own_limit_reached: 403,
  leverage_capped: 400,
  time_in_force_invalid: 400,
  expiry_invalid: 400,
  trigger_price_invalid: 400,
  trail_rate_invalid: 400,
  trigger_reached: 400,
  condition_not_expected: 400,
  close_order_exists: 409,
  order_not_fillable: 409,
  order_would_take: 409,
  nothing_to_reduce: 409,
  quote_changed: 409,
  no_quote: 409,
  position_too_large: 400,
  leverage_in_use: 409,
  margin_amount_invalid: 400,
  margin_beyond_free: 400,
  net_position_fixed: 409,
  not_perpetual: 400,
  too_many_open: 409,
  order_type_invalid: 400,
  order_price_invalid: 400,
  stop_reached: 400,
  protection_invalid: 400,
  order_not_found: 404,
  order_final: 409,
  reason_required: 400,
  funds_amount_invalid: 400,
  funds_beyond_available: 400,
  edit_value_invalid: 400,
  edit_field_of_closed: 400,
  edit_exceeds_available: 400,
  edit_loss_beyond_margin: 400,
  edit_liquidation_price: 400,
  funds_unchanged: 409,
  restriction_unchanged: 409,
  idempotency_conflict: 409,
  changed_meanwhile: 409,
  session_closed: 409,
  source_unavailable: 503,
  trading_halted: 503,
  busy: 503,
  invalid_argument: 400,
  not_found: 404,
  not_allowed: 403,
  not_signed_in: 401,
  too_many_attempts: 429,
  payload_too_large: 413,
  conflict: 409,
  unsupported_media_type: 415,
  host_unknown: 421,
} as const;
export type ErrorCode = keyof typeof errorStatus;

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: string | null;
  readonly hint: string | null;
  constructor(code: ErrorCode, message: string, more: { details?: string; hint?: string } = {}) {
    super(message);
    this.name = 'AppError';
    this.code = code;
    this.status = errorStatus[code];
    this.details = more.details ?? null;
    this.hint = more.hint ?? null;
  }
}

export const positionNotFound = () => new AppError('position_not_found', texts.positionNotFound);
export const busy = () => new AppError('busy', texts.busy);
