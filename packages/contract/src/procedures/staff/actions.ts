/** Staff actions on a trader's account or a price. Each needs a reason and is written to the audit log. */

import { z } from 'zod';
import { decimal, id, symbol } from '../../columns.ts';
import { managingRoles } from '../../roles.ts';
import { sources } from '../../topics.ts';
import { clientId, reason } from '../arguments.ts';
import { command, query } from '../procedure.ts';
import { walletRow } from '../trading.ts';

/** CALL-52, A12: a deposit above zero, a withdrawal below; traders only, a manager's own only. */
export const adjustWalletBalance = command('adjust_wallet_balance', {
  roles: managingRoles,
  args: z.strictObject({
    p_user_id: id,
    /** An account of that user; default, the main one. */
    p_account_id: id.nullish(),
    p_amount: decimal,
    p_reason: reason,
    p_client_id: clientId,
  }),
  /** The wallet after the change, and the id of its line in the history. */
  result: walletRow.extend({ transaction_id: id }),
});

/** Restricts a trader, who then opens nothing; restricting cancels waiting orders (A72). */
export const restrictUser = command('restrict_user', {
  roles: ['admin'],
  args: z.strictObject({ p_user_id: id, p_restricted: z.boolean(), p_reason: reason, p_client_id: clientId }),
  result: z.object({ user_id: id, restricted: z.boolean(), orders_canceled: z.number().int() }),
});

/** Deletes an account permanently. Refused for admins and for the caller's own (CALL-53, A73). */
export const deleteUserWithData = command('delete_user_with_data', {
  roles: ['admin'],
  args: z.strictObject({ p_user_id: id, p_reason: reason, p_client_id: clientId }),
  result: z.object({ user_id: id }),
});

/** The price that the caller saw and decided on; if another one waits by then, the answer is a conflict. */
export const heldPrice = z.number().positive().nullish();

/** Accepts a price that was held as absurd, because staff verified it (A106). */
export const acceptPrice = command('accept_price', {
  roles: ['admin'],
  args: z.strictObject({ p_symbol: symbol, p_reason: reason, p_price: heldPrice }),
  result: z.object({ symbol, price: z.number() }),
});

/** What staff can do about the market: held prices, the current replay, active shocks. */
export const getMarketControls = query('get_market_controls', {
  roles: ['admin'],
  result: z.object({
    holds: z.array(
      z.object({
        symbol,
        /** `jump`: absurd against the last price (A106). `source`: it comes from another source than the last one. */
        kind: z.enum(['jump', 'source']),
        /** The held price and its source. */
        price: z.number(),
        source: z.enum(sources),
        last_price: z.number(),
        last_source: z.enum(sources),
        /** ISO 8601 UTC. */
        since: z.string(),
      }),
    ),
    /** Null without a replay. */
    replay: z
      .object({
        paused: z.boolean(),
        /** Recorded seconds per second: the requested speed, and the real one (0 while it waits). */
        speed: z.number(),
        actual_speed: z.number(),
        loop: z.boolean(),
        /** Recorded time of day, in seconds since 00:00 UTC, without the gaps between days; its beginning and end. */
        position_s: z.number(),
        begin_s: z.number(),
        end_s: z.number(),
        /**
         * A move beyond the bound of the jump guard; the replay waits before it until `set_replay` states how to go
         * on.
         */
        jump: z
          .object({
            symbol,
            price: z.number(),
            last_price: z.number(),
            /** Recorded time, ISO 8601 UTC. */
            at: z.string(),
            text: z.string(),
          })
          .nullable(),
      })
      .nullable(),
    shocks: z.array(
      z.object({
        symbol,
        /** Of the price, in percent. */
        percent: z.number(),
        /** The time after which half of it remains; null: it stays. */
        half_life_minutes: z.number().nullable(),
        /** ISO 8601 UTC. */
        at: z.string(),
      }),
    ),
  }),
});

/**
 * Pauses, resumes or speeds up the replay; an absent argument changes nothing. Where it waits at a jump, `p_jump`
 * states how it continues: as a `gap` to the price behind it, or `without` the symbol, whose market ends.
 */
export const setReplay = command('set_replay', {
  roles: ['admin'],
  args: z.strictObject({
    p_paused: z.boolean().nullish(),
    /** Recorded seconds per second. */
    p_speed: z.number().min(1).max(3600).nullish(),
    p_jump: z.enum(['gap', 'without']).nullish(),
    /** The symbol of the jump that the caller saw; at another jump nothing is decided. */
    p_symbol: symbol.nullish(),
    /** The recorded time of that jump, as `get_market_controls` returned it. */
    p_at: z.iso.datetime({ offset: true }).nullish(),
    p_reason: reason,
  }),
  result: z.object({ paused: z.boolean(), speed: z.number() }),
});

/** Moves a simulated price by a percentage at once; the move is part of the path from then on. */
export const shockPrice = command('shock_price', {
  roles: ['admin'],
  args: z.strictObject({
    p_symbol: symbol,
    p_percent: z
      .number()
      .min(-50)
      .max(100)
      .refine((percent) => percent !== 0, 'Must not be 0'),
    /** The time after which half of it remains; null: it stays. */
    p_half_life_minutes: z.number().positive().max(10_080).nullish(),
    p_reason: reason,
    p_client_id: clientId,
  }),
  result: z.object({ symbol, percent: z.number(), at: z.string() }),
});
