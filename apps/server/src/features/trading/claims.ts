/**
 * Turns a procedure's arguments and claimed rows into commands. Everything in them is a claim: the user comes from the
 * token, the price and the money from the server (A18), so `p_user_id`, `p_required_margin`, `p_close_price` and
 * `p_realized_pnl` are read by nobody.
 */
import { hash } from 'node:crypto';
import {
  AppError,
  type amendOrder,
  type closeAtReopen,
  type closePosition,
  type openPosition,
  type setTakeProfitStopLoss,
  texts,
} from '@fulcrum/contract';
import {
  type AmendCommand,
  asMoney,
  asPrice,
  asSize,
  type CancelCommand,
  type CloseAtReopenCommand,
  type CloseCommand,
  DecimalError,
  type Money,
  type OpenCommand,
  type PlaceCommand,
  type Price,
  type ProtectCommand,
  parseDecimal,
  type Size,
} from '@fulcrum/domain';
import type { z } from 'zod';
import type { IdempotencyKey } from './engine/store.ts';

export type OpenArgs = z.infer<typeof openPosition.args>;
export type CloseArgs = z.infer<typeof closePosition.args>;
export type CloseAtReopenArgs = z.infer<typeof closeAtReopen.args>;
export type ProtectArgs = z.infer<typeof setTakeProfitStopLoss.args>;
export type AmendArgs = z.infer<typeof amendOrder.args>;
/** A claimed row of a table, its values in the form of their columns: decimals and times as text. */
export type ClaimedRow = Readonly<Record<string, unknown>>;

/** Zero when the claim is no decimal of the platform: no pair takes it, and the refusal names the range. */
function sizeOf(claim: number | string): Size {
  try {
    return asSize(parseDecimal(claim));
  } catch (error) {
    if (error instanceof DecimalError) return asSize(0n);
    throw error;
  }
}

/**
 * A finer claim than eight decimals, as float arithmetic makes them, is rounded: a bound needs no more, and a price off
 * the pair's ticks is refused anyway.
 * @throws AppError `invalid_argument` for what is no decimal of the platform
 */
function priceOf(name: string, claim: number | string): Price {
  try {
    return asPrice(roundedDecimal(claim));
  } catch (error) {
    if (!(error instanceof DecimalError)) throw error;
    throw new AppError('invalid_argument', `${name} is not a price`, { details: error.message });
  }
}

const priceOrNull = (name: string, claim: number | string | null | undefined): Price | null =>
  claim == null ? null : priceOf(name, claim);

/** @throws DecimalError for what stays too large or malformed */
function roundedDecimal(claim: number | string): bigint {
  try {
    return parseDecimal(claim);
  } catch (error) {
    if (!(error instanceof DecimalError) || error.fault !== 'too_fine') throw error;
    return parseDecimal(Number(claim).toFixed(8));
  }
}

export function openCommandOf(args: OpenArgs): OpenCommand {
  return {
    kind: 'open',
    symbol: args.p_symbol,
    side: args.p_side,
    size: sizeOf(args.p_size),
    leverage: args.p_leverage,
    claimedPrice: priceOrNull('p_entry_price', args.p_entry_price),
    takeProfitPrice: priceOrNull('p_take_profit_price', args.p_take_profit_price),
    stopLossPrice: priceOrNull('p_stop_loss_price', args.p_stop_loss_price),
  };
}

/** Ids are compared as PostgreSQL writes them: a client may write a uuid in capitals. */
export function closeCommandOf({ p_position_id, p_size }: CloseArgs): CloseCommand {
  const size = p_size == null ? null : sizeOf(p_size);
  return { kind: 'close', positionId: p_position_id.toLowerCase(), size, reason: 'manual' };
}

export const closeAtReopenCommandOf = ({
  p_position_id,
  p_wanted,
}: CloseAtReopenArgs): CloseAtReopenCommand => ({
  kind: 'close_at_reopen',
  positionId: p_position_id.toLowerCase(),
  wanted: p_wanted,
});

export function protectCommandOf(args: ProtectArgs): ProtectCommand {
  return {
    kind: 'protect',
    positionId: args.p_position_id.toLowerCase(),
    takeProfitPrice: priceOrNull('p_take_profit_price', args.p_take_profit_price),
    stopLossPrice: priceOrNull('p_stop_loss_price', args.p_stop_loss_price),
  };
}

/** @throws AppError `invalid_argument` for what is no decimal of the platform */
export const amendCommandOf = ({ p_order_id, p_price }: AmendArgs): AmendCommand => ({
  kind: 'amend',
  orderId: p_order_id.toLowerCase(),
  price: priceOf('p_price', p_price),
});

/** CALL-45. @throws AppError `invalid_argument` for what is missing, and for another status than NEW. */
export function placeCommandOf(row: ClaimedRow, keepRejected: boolean): PlaceCommand {
  if (row.status !== undefined && row.status !== 'NEW') {
    throw new AppError('invalid_argument', 'The status of a new order is NEW.');
  }
  return {
    kind: 'place',
    symbol: textOf(row, 'symbol'),
    type: textOf(row, 'type'),
    side: textOf(row, 'side'),
    size: asSize(parseDecimal(textOf(row, 'size'))),
    leverage: numberOf(row, 'leverage'),
    price: claimedPriceOf(row, 'price'),
    takeProfitPrice: claimedPriceOf(row, 'take_profit_price'),
    stopLossPrice: claimedPriceOf(row, 'stop_loss_price'),
    clientId: clientIdOf(row),
    keepRejected,
  };
}

/** @throws AppError `funds_amount_invalid` for what is no amount of USDT */
export function fundsOf(claim: number | string): Money {
  try {
    return asMoney(parseDecimal(claim));
  } catch (error) {
    if (!(error instanceof DecimalError)) throw error;
    throw new AppError('funds_amount_invalid', texts.fundsAmountInvalid);
  }
}

export const cancelCommandOf = (orderId: string): CancelCommand => ({ kind: 'cancel', orderId });

const missing = (name: string) => new AppError('invalid_argument', `${name} is missing`);

/** @throws AppError `invalid_argument` when the row does not name it */
export function textOf(row: ClaimedRow, name: string): string {
  const value = row[name];
  if (typeof value !== 'string') throw missing(name);
  return value;
}

function numberOf(row: ClaimedRow, name: string): number {
  const value = row[name];
  if (typeof value !== 'number') throw missing(name);
  return value;
}

function claimedPriceOf(row: ClaimedRow, name: string): Price | null {
  const value = row[name];
  return typeof value === 'string' ? asPrice(parseDecimal(value)) : null;
}

export function clientIdOf(row: ClaimedRow): string | null {
  return typeof row.client_id === 'string' ? row.client_id : null;
}

const clientIdMax = 64;

/**
 * The key under which a command's answer is stored, null without a client id. Only what the server reads makes the body:
 * a retry whose ignored figures have moved on is still the same command.
 * @throws AppError for an id that PostgreSQL cannot hold.
 */
export function idempotencyKeyOf(
  ownerId: string,
  procedure: string,
  clientId: string | null | undefined,
  body: readonly unknown[],
): IdempotencyKey | null {
  if (clientId == null) return null;
  // PostgreSQL would refuse the whole batch for it, or store another id than memory knows.
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
