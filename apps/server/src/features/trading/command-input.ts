/**
 * Converts a procedure's arguments and untrusted rows to commands. The user comes from the token, the price and the
 * money from the server (A18). `p_user_id`, `p_required_margin`, `p_close_price` and `p_realized_pnl` are ignored.
 */
import { hash } from 'node:crypto';
import { AppError, type ArgsOf, texts } from '@fulcrum/contract';
import {
  type AmendCommand,
  asMoney,
  asPercent,
  asPrice,
  asSize,
  type CancelCommand,
  type CloseAtReopenCommand,
  type CloseCommand,
  DecimalError,
  type LeverageCommand,
  type MarginCommand,
  type Money,
  type OpenCommand,
  type Percent,
  type Price,
  type ProtectCommand,
  parseDecimal,
  type ReverseCommand,
  type SentPlaceCommand,
  type Size,
} from '@fulcrum/domain';
import type { IdempotencyKey } from './engine/store.ts';

export type OpenArgs = ArgsOf<'open_position'>;
export type CloseArgs = ArgsOf<'close_position'>;
export type ReverseArgs = ArgsOf<'reverse_position'>;
export type CloseAtReopenArgs = ArgsOf<'close_at_reopen'>;
export type ProtectArgs = ArgsOf<'set_take_profit_stop_loss'>;
export type AmendArgs = ArgsOf<'amend_order'>;
export type LeverageArgs = ArgsOf<'set_leverage'>;
export type MarginArgs = ArgsOf<'adjust_margin'>;
/** An untrusted row of a table; values have the form of their columns, decimals and times as text. */
export type UntrustedRow = Readonly<Record<string, unknown>>;

/** Zero when the input is not a valid decimal: no pair accepts it, and the refusal names the range. */
function parseSize(input: number | string): Size {
  try {
    return asSize(parseDecimal(input));
  } catch (error) {
    if (error instanceof DecimalError) return asSize(0n);
    throw error;
  }
}

/**
 * Rounds a number with more than eight decimals, as float arithmetic produces them. A bound needs no more, and a
 * price off the pair's ticks is refused anyway.
 * @throws AppError `invalid_argument` for an invalid decimal
 */
function parsePrice(name: string, input: number | string): Price {
  try {
    return asPrice(parseRoundedDecimal(input));
  } catch (error) {
    if (!(error instanceof DecimalError)) throw error;
    throw new AppError('invalid_argument', `${name} is not a price`, { details: error.message });
  }
}

const parsePriceOrNull = (name: string, input: number | string | null | undefined): Price | null =>
  input == null ? null : parsePrice(name, input);

/** @throws DecimalError for a number that is too large or malformed */
function parseRoundedDecimal(input: number | string): bigint {
  try {
    return parseDecimal(input);
  } catch (error) {
    if (!(error instanceof DecimalError) || error.fault !== 'too_fine') throw error;
    return parseDecimal(Number(input).toFixed(8));
  }
}

export function toOpenCommand(args: OpenArgs): OpenCommand {
  return {
    kind: 'open',
    symbol: args.p_symbol,
    side: args.p_side,
    size: parseSize(args.p_size),
    leverage: args.p_leverage,
    expectedPrice: parsePriceOrNull('p_entry_price', args.p_entry_price),
    takeProfitPrice: parsePriceOrNull('p_take_profit_price', args.p_take_profit_price),
    stopLossPrice: parsePriceOrNull('p_stop_loss_price', args.p_stop_loss_price),
    reduceOnly: args.p_reduce_only ?? false,
    quoteId: args.p_quote_id ?? null,
  };
}

/** Converts ids to PostgreSQL's form: a client may write a uuid in capitals. */
export function toCloseCommand({ p_position_id, p_size }: CloseArgs): CloseCommand {
  const size = p_size == null ? null : parseSize(p_size);
  return { kind: 'close', positionId: p_position_id.toLowerCase(), size, reason: 'manual' };
}

export const toReverseCommand = ({ p_position_id, p_expected_price }: ReverseArgs): ReverseCommand => ({
  kind: 'reverse',
  positionId: p_position_id.toLowerCase(),
  expectedPrice: parsePriceOrNull('p_expected_price', p_expected_price),
});

export const toCloseAtReopenCommand = ({
  p_position_id,
  p_wanted,
}: CloseAtReopenArgs): CloseAtReopenCommand => ({
  kind: 'close_at_reopen',
  positionId: p_position_id.toLowerCase(),
  requested: p_wanted,
});

export function toProtectCommand(args: ProtectArgs): ProtectCommand {
  return {
    kind: 'protect',
    positionId: args.p_position_id.toLowerCase(),
    takeProfitPrice: parsePriceOrNull('p_take_profit_price', args.p_take_profit_price),
    stopLossPrice: parsePriceOrNull('p_stop_loss_price', args.p_stop_loss_price),
  };
}

/** @throws AppError `invalid_argument` for an invalid decimal */
export const toAmendCommand = ({
  p_order_id,
  p_price,
  p_size,
  p_trigger_price,
}: AmendArgs): AmendCommand => ({
  kind: 'amend',
  orderId: p_order_id.toLowerCase(),
  price: parsePrice('p_price', p_price),
  triggerPrice: parsePriceOrNull('p_trigger_price', p_trigger_price),
  size: p_size == null ? null : parseSize(p_size),
});

export const toLeverageCommand = ({ p_symbol, p_leverage }: LeverageArgs): LeverageCommand => ({
  kind: 'set_leverage',
  symbol: p_symbol,
  leverage: p_leverage,
});

/** @throws AppError `invalid_argument` for an invalid decimal */
export const toMarginCommand = ({ p_position_id, p_amount }: MarginArgs): MarginCommand => ({
  kind: 'adjust_margin',
  positionId: p_position_id.toLowerCase(),
  amount: asMoney(parsePrice('p_amount', p_amount)),
});

/**
 * Reads the columns of an inserted order (CALL-45).
 * @throws AppError `invalid_argument` for a missing column, and for another status than NEW.
 */
export function toPlaceCommand(row: UntrustedRow, keepRejected: boolean): SentPlaceCommand {
  if (row.status !== undefined && row.status !== 'NEW') {
    throw new AppError('invalid_argument', 'The status of a new order is NEW.');
  }
  return {
    kind: 'place',
    symbol: getText(row, 'symbol'),
    type: getText(row, 'type'),
    side: getText(row, 'side'),
    // What closes a position has no size of its own.
    size: asSize(parseDecimal(row.close_position === true && row.size == null ? '0' : getText(row, 'size'))),
    // Null is the symbol's own; a row of the table names one.
    leverage: row.leverage === null ? null : getNumber(row, 'leverage'),
    price: getPrice(row, 'price'),
    takeProfitPrice: getPrice(row, 'take_profit_price'),
    stopLossPrice: getPrice(row, 'stop_loss_price'),
    triggerPrice: getPrice(row, 'trigger_price'),
    trailRate: getRate(row, 'trail_rate'),
    closePosition: getBoolean(row, 'close_position'),
    expiresAt: getTime(row, 'expires_at'),
    boundPositionId: getTextOrNull(row, 'bound_position_id')?.toLowerCase() ?? null,
    timeInForce: getTextOrNull(row, 'time_in_force'),
    reduceOnly: getBoolean(row, 'reduce_only'),
    quoteId: getQuoteId(row),
    clientId: getClientId(row),
    keepRejected,
  };
}

/** @throws AppError `funds_amount_invalid` for an invalid amount of USDT */
export function parseFunds(input: number | string): Money {
  try {
    return asMoney(parseDecimal(input));
  } catch (error) {
    if (!(error instanceof DecimalError)) throw error;
    throw new AppError('funds_amount_invalid', texts.fundsAmountInvalid);
  }
}

export const toCancelCommand = (orderId: string): CancelCommand => ({ kind: 'cancel', orderId });

const missing = (name: string) => new AppError('invalid_argument', `${name} is missing`);

/** @throws AppError `invalid_argument` when the row does not name it */
export function getText(row: UntrustedRow, name: string): string {
  const value = row[name];
  if (typeof value !== 'string') throw missing(name);
  return value;
}

/** False where the row does not name it. @throws AppError `invalid_argument` */
function getBoolean(row: UntrustedRow, name: string): boolean {
  const value = row[name] ?? false;
  if (typeof value !== 'boolean') throw new AppError('invalid_argument', `${name} must be true or false`);
  return value;
}

/** @throws AppError `invalid_argument` */
function getTextOrNull(row: UntrustedRow, name: string): string | null {
  const value = row[name] ?? null;
  if (value !== null && typeof value !== 'string')
    throw new AppError('invalid_argument', `${name} must be a text`);
  return value;
}

function getNumber(row: UntrustedRow, name: string): number {
  const value = row[name];
  if (typeof value !== 'number') throw missing(name);
  return value;
}

function getPrice(row: UntrustedRow, name: string): Price | null {
  const value = row[name];
  return typeof value === 'string' ? asPrice(parseDecimal(value)) : null;
}

function getRate(row: UntrustedRow, name: string): Percent | null {
  const value = row[name];
  return typeof value === 'string' ? asPercent(parseDecimal(value)) : null;
}

/** @throws AppError `invalid_argument` for a text that no quote has as its id */
function getQuoteId(row: UntrustedRow): string | null {
  const id = getTextOrNull(row, 'quote_id');
  if (id !== null && id.length > quoteIdMax) throw new AppError('invalid_argument', 'quote_id is too long');
  return id;
}
const quoteIdMax = 200;

/** Milliseconds since the epoch. @throws AppError `invalid_argument` */
function getTime(row: UntrustedRow, name: string): number | null {
  const value = row[name] ?? null;
  if (value === null) return null;
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at)) throw new AppError('invalid_argument', `${name} is not a time`);
  return at;
}

export function getClientId(row: UntrustedRow): string | null {
  return typeof row.client_id === 'string' ? row.client_id : null;
}

const clientIdMax = 64;

/**
 * The key under which a command's answer is stored, null without a client id. The body has only the fields that the
 * server reads: a retry with other ignored figures is the same command.
 * @throws AppError for an id that PostgreSQL cannot hold.
 */
export function createIdempotencyKey(
  ownerId: string,
  procedure: string,
  clientId: string | null | undefined,
  body: readonly unknown[],
): IdempotencyKey | null {
  if (clientId == null) return null;
  // PostgreSQL would refuse the whole batch for it, or store another id than the one in memory.
  if (clientId.includes('\0') || !clientId.isWellFormed()) {
    throw new AppError('invalid_argument', 'The client id is not a text that can be stored');
  }
  if (clientId.length === 0 || clientId.length > clientIdMax) {
    throw new AppError('invalid_argument', `A client id has 1 to ${clientIdMax} characters`);
  }
  return {
    ownerId,
    clientId,
    procedure,
    bodyHash: hash('sha256', JSON.stringify([procedure, ...body]), 'hex'),
  };
}
