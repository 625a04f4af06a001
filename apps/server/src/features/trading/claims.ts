/**
 * Turns a procedure's arguments into a command. Everything in them is a claim: the user comes from the token, the price
 * and the money from the server (A18), so `p_user_id`, `p_required_margin`, `p_close_price` and `p_realized_pnl` are
 * read by nobody.
 */
import { hash } from 'node:crypto';
import { AppError, type closePosition, type openPosition } from '@fulcrum/contract';
import {
  asPrice,
  asSize,
  type CloseCommand,
  DecimalError,
  type OpenCommand,
  type Price,
  parseDecimal,
  type Size,
} from '@fulcrum/domain';
import type { z } from 'zod';
import type { IdempotencyKey } from './engine/answers.ts';

export type OpenArgs = z.infer<typeof openPosition.args>;
export type CloseArgs = z.infer<typeof closePosition.args>;

/** Zero when the claim is no decimal of the platform: no pair takes it, and the refusal names the range. */
function sizeOf(claim: number | string): Size {
  try {
    return asSize(parseDecimal(claim));
  } catch (error) {
    if (error instanceof DecimalError) return asSize(0n);
    throw error;
  }
}

/** A bound needs no more than eight decimals: a finer claim, as float arithmetic makes them, is rounded. */
function boundOf(claim: number | string | null | undefined): Price | null {
  if (claim == null) return null;
  try {
    return asPrice(parseDecimal(claim));
  } catch (error) {
    if (!(error instanceof DecimalError)) throw error;
    if (error.fault === 'too_fine') return asPrice(parseDecimal(Number(claim).toFixed(8)));
    throw new AppError('invalid_argument', 'p_entry_price is not a price', { details: error.message });
  }
}

export function openCommandOf(args: OpenArgs): OpenCommand {
  return {
    kind: 'open',
    symbol: args.p_symbol,
    side: args.p_side,
    size: sizeOf(args.p_size),
    leverage: args.p_leverage,
    claimedPrice: boundOf(args.p_entry_price),
  };
}

/** Ids are compared as PostgreSQL writes them: a client may write a uuid in capitals. */
export function closeCommandOf(args: CloseArgs): CloseCommand {
  return { kind: 'close', positionId: args.p_position_id.toLowerCase(), reason: 'manual' };
}

/**
 * The key under which a command's answer is stored, null without a client id. Only what the server reads makes the body:
 * a retry whose ignored figures have moved on is still the same command.
 * @throws AppError for an id that PostgreSQL cannot hold.
 */
export function idempotencyKeyOf(
  procedure: string,
  clientId: string | null | undefined,
  body: readonly unknown[],
): IdempotencyKey | null {
  if (clientId == null) return null;
  // PostgreSQL would refuse the whole batch for it, or store another id than memory knows.
  if (clientId.includes('\0') || !clientId.isWellFormed()) {
    throw new AppError('invalid_argument', 'p_client_id is not a text that can be stored');
  }
  return { clientId, procedure, bodyHash: hash('sha256', JSON.stringify([procedure, ...body]), 'hex') };
}
