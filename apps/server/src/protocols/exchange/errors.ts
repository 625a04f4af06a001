/**
 * Errors of `/fapi` in Binance's shape, `{code, msg}`. One table translates the engine's refusals. Where clients tell errors apart by
 * the text rather than by the code, the text is the one that they look for (`Account has insufficient balance for requested action.`).
 * Invariant: an answer never carries the text of a fault.
 */
import { AppError, type ErrorCode } from '@fulcrum/contract';
import { isOverload } from '../../platform/database/index.ts';
import { TooManyAttempts } from '../../platform/rate-limit/too-many-attempts.ts';

export class ExchangeError extends Error {
  readonly status: number;
  readonly code: number;
  constructor(status: number, code: number, msg: string) {
    super(msg);
    this.name = 'ExchangeError';
    this.status = status;
    this.code = code;
  }
}

const refuse =
  (status: number, code: number) =>
  (msg: string): ExchangeError =>
    new ExchangeError(status, code, msg);

/** Errors of the request itself, with Binance's texts where they say enough. */
export const exchangeErrors = {
  tooManyRequests: () => new ExchangeError(429, -1003, 'Too many requests. Please try again later.'),
  tooManyOrders: () => new ExchangeError(429, -1015, 'Too many new orders. Please try again later.'),
  outsideRecvWindow: () =>
    new ExchangeError(400, -1021, 'Timestamp for this request is outside of the recvWindow.'),
  aheadOfServer: () =>
    new ExchangeError(400, -1021, "Timestamp for this request was 1000ms ahead of the server's time."),
  badSignature: () => new ExchangeError(400, -1022, 'Signature for this request is not valid.'),
  onlyHmac: () =>
    new ExchangeError(
      400,
      -1022,
      'Signature for this request is not valid. Sign with HMAC-SHA256; RSA and Ed25519 are not offered.',
    ),
  badKeyFormat: () => new ExchangeError(401, -2014, 'API-key format invalid.'),
  rejectedKey: (reason?: string) =>
    new ExchangeError(
      401,
      -2015,
      `Invalid API-key, IP, or permissions for action.${reason === undefined ? '' : ` ${reason}`}`,
    ),
  missing: (name: string) =>
    new ExchangeError(
      400,
      -1102,
      `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`,
    ),
  illegal: (name: string, what: string) =>
    new ExchangeError(400, -1100, `Illegal value of parameter '${name}': ${what}.`),
  unknownSymbol: () => new ExchangeError(400, -1121, 'Invalid symbol.'),
  unknownOrder: () => new ExchangeError(400, -2013, 'Order does not exist.'),
  notCancelable: () => new ExchangeError(400, -2011, 'Unknown order sent.'),
  notOffered: (what: string) => new ExchangeError(400, -5000, `${what} is not offered here.`),
  tooFine: () => new ExchangeError(400, -1111, 'Precision is over the maximum defined for this asset.'),
  badType: () => new ExchangeError(400, -1116, 'Invalid orderType.'),
  unexpected: (name: string) => new ExchangeError(400, -1106, `Parameter '${name}' sent when not required.`),
  noOrderNamed: (number: string, clientId: string) =>
    new ExchangeError(
      400,
      -1102,
      `Param '${clientId}' or '${number}' must be sent, but both were empty/null!`,
    ),
  batchEmpty: () => new ExchangeError(400, -1130, 'The batch has no orders.'),
  batchTooLarge: (most: number) => new ExchangeError(400, -4082, `A batch has at most ${most} orders.`),
  batchUnreadable: (name: string) => new ExchangeError(400, -4104, `${name} is not a list in JSON.`),
  clientIdUsed: () => new ExchangeError(400, -4116, 'ClientOrderId is duplicated.'),
  unchanged: () => new ExchangeError(400, -5027, 'No need to modify the order.'),
  onlyOneWay: () =>
    new ExchangeError(
      400,
      -4061,
      "Order's position side does not match user's setting. Only BOTH is offered.",
    ),
  /** Sizes and prices against the filters of their symbol. */
  noQuantity: () => new ExchangeError(400, -4003, 'Quantity less than or equal to zero.'),
  quantityTooSmall: () => new ExchangeError(400, -4004, 'Quantity less than min quantity.'),
  quantityTooLarge: () => new ExchangeError(400, -4005, 'Quantity greater than max quantity.'),
  quantityOffStep: () => new ExchangeError(400, -4023, 'Quantity not increased by step size.'),
  noPrice: (name: string) => new ExchangeError(400, -4001, `${name} less than or equal to zero.`),
  priceTooLarge: (name: string) => new ExchangeError(400, -4002, `${name} greater than max price.`),
  priceTooSmall: (name: string) => new ExchangeError(400, -4013, `${name} less than min price.`),
  priceOffTick: (name: string) => new ExchangeError(400, -4014, `${name} not increased by tick size.`),
  badCallbackRate: () =>
    new ExchangeError(400, -4136, 'The callback rate must be between 0.1 and 20 in steps of 0.1.'),
  quantityWithClose: () =>
    new ExchangeError(400, -4137, 'Quantity must be zero with closePosition equals true.'),
  cannotClose: (type: string) =>
    new ExchangeError(400, -4136, `Target strategy invalid for orderType ${type}, closePosition true.`),
} as const;

/** What a refusal of the engine is at this door; a function where the text is Binance's, else ours is passed on. */
const refusals: Partial<Record<ErrorCode, (message: string) => ExchangeError>> = {
  insufficient_balance: () =>
    new ExchangeError(400, -2019, 'Account has insufficient balance for requested action.'),
  unknown_symbol: exchangeErrors.unknownSymbol,
  side_invalid: () => new ExchangeError(400, -1117, 'Invalid side.'),
  order_type_invalid: exchangeErrors.badType,
  time_in_force_invalid: () => new ExchangeError(400, -1115, 'Invalid timeInForce.'),
  leverage_invalid: refuse(400, -4028),
  leverage_capped: refuse(400, -4028),
  leverage_in_use: refuse(400, -4161),
  amount_out_of_range: refuse(400, -4005),
  order_price_invalid: refuse(400, -4014),
  trigger_price_invalid: refuse(400, -4014),
  trail_rate_invalid: refuse(400, -4136),
  condition_not_expected: refuse(400, -1106),
  amount_too_small: () =>
    new ExchangeError(
      400,
      -4164,
      "Order's notional is too small: its margin would be less than 0.00000001 USDT.",
    ),
  stop_reached: () => new ExchangeError(400, -2021, 'Order would trigger immediately.'),
  trigger_reached: () => new ExchangeError(400, -2021, 'Order would trigger immediately.'),
  protection_invalid: refuse(400, -4014),
  expiry_invalid: refuse(400, -5040),
  close_order_exists: refuse(400, -4130),
  order_not_fillable: () =>
    new ExchangeError(
      400,
      -5021,
      'Due to the order could not be filled immediately, the FOK order has been rejected.',
    ),
  order_would_take: () =>
    new ExchangeError(
      400,
      -5022,
      'Due to the order could not be executed as maker, the Post Only order will be rejected.',
    ),
  nothing_to_reduce: () => new ExchangeError(400, -2022, 'ReduceOnly Order is rejected.'),
  position_not_found: () => new ExchangeError(400, -2022, 'ReduceOnly Order is rejected.'),
  position_too_large: () =>
    new ExchangeError(400, -2027, 'Exceeded the maximum allowable position at current leverage.'),
  margin_amount_invalid: refuse(400, -4052),
  margin_beyond_free: refuse(400, -4053),
  market_closed: () => new ExchangeError(400, -1013, 'Market is closed.'),
  no_price: refuse(503, -1008),
  no_quote: refuse(503, -1008),
  price_stale: refuse(503, -1008),
  price_held: refuse(503, -1008),
  trading_halted: refuse(503, -1008),
  busy: refuse(503, -1008),
  source_unavailable: refuse(503, -1008),
  account_restricted: refuse(400, -4400),
  class_not_begun: refuse(400, -4400),
  class_over: refuse(400, -4400),
  contest_not_begun: refuse(400, -4400),
  contest_over: refuse(400, -4400),
  challenge_not_begun: refuse(400, -4400),
  challenge_over: refuse(400, -4400),
  symbol_not_allowed: refuse(400, -4400),
  own_limit_reached: refuse(400, -4400),
  account_archived: exchangeErrors.rejectedKey,
  not_perpetual: exchangeErrors.rejectedKey,
  not_allowed: exchangeErrors.rejectedKey,
  not_signed_in: exchangeErrors.rejectedKey,
  too_many_open: refuse(400, -4045),
  order_not_found: exchangeErrors.unknownOrder,
  order_final: exchangeErrors.notCancelable,
  idempotency_conflict: exchangeErrors.clientIdUsed,
  too_many_attempts: exchangeErrors.tooManyRequests,
  invalid_argument: refuse(400, -1130),
  payload_too_large: refuse(413, -1130),
};

/** The answer to what a handler threw; null for a fault, which the caller logs. */
export function exchangeErrorOf(error: unknown): ExchangeError | null {
  if (error instanceof ExchangeError) return error;
  if (error instanceof TooManyAttempts) return exchangeErrors.tooManyRequests();
  if (error instanceof AppError) {
    const known = refusals[error.code];
    return known ? known(error.message) : new ExchangeError(error.status, -1000, error.message);
  }
  if (isOverload(error)) return new ExchangeError(503, -1008, 'The server is busy. Please try again.');
  const { statusCode } = error as { statusCode?: number };
  if (statusCode === 413) return new ExchangeError(413, -1130, 'The request is too large.');
  if (statusCode !== undefined && statusCode < 500)
    return new ExchangeError(statusCode, -1000, 'The request cannot be read.');
  return null;
}

export const faultAnswer = (requestId: string): ExchangeError =>
  new ExchangeError(500, -1000, `An unknown error occurred while processing the request (${requestId}).`);
