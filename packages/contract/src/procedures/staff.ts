/** What staff do to a trader's account or a price. Each wants a reason and is written to the audit log. */
import { z } from 'zod';
import { decimal, id, symbol } from '../columns.ts';
import { sources } from '../topics.ts';
import { clientId, reason } from './arguments.ts';
import { procedure } from './procedure.ts';
import { walletRow } from './trading.ts';

/** CALL-52, A12: a deposit above zero, a withdrawal below; traders only, a manager's own only. */
export const adjustWalletBalance = procedure({
  name: 'adjust_wallet_balance',
  kind: 'command',
  roles: ['manager', 'admin'],
  args: z.strictObject({ p_user_id: id, p_amount: decimal, p_reason: reason, p_client_id: clientId }),
  /** The wallet as it then is, and the line of its history. */
  result: walletRow.extend({ transaction_id: id }),
});

/** A72: a restricted trader opens nothing; restricting cancels what waits. */
export const restrictUser = procedure({
  name: 'restrict_user',
  kind: 'command',
  roles: ['admin'],
  args: z.strictObject({ p_user_id: id, p_restricted: z.boolean(), p_reason: reason, p_client_id: clientId }),
  result: z.object({ user_id: id, restricted: z.boolean(), orders_canceled: z.number().int() }),
});

/** CALL-53, A73: for good. Not for admins and not for oneself. */
export const deleteUserWithData = procedure({
  name: 'delete_user_with_data',
  kind: 'command',
  roles: ['admin'],
  args: z.strictObject({ p_user_id: id, p_reason: reason, p_client_id: clientId }),
  result: z.object({ user_id: id }),
});

/** The price that was decided on, as it was shown: another one that waits by then is answered with a conflict. */
export const heldPrice = z.number().positive().nullish();

/** A106: lets a price through that was held back as absurd, because somebody knows that it is right. */
export const acceptPrice = procedure({
  name: 'accept_price',
  kind: 'command',
  roles: ['admin'],
  args: z.strictObject({ p_symbol: symbol, p_reason: reason, p_price: heldPrice }),
  result: z.object({ symbol, price: z.number() }),
});

/** What staff can do about the market: prices that are held back, the recording that plays, shocks that still act. */
export const getMarketControls = procedure({
  name: 'get_market_controls',
  kind: 'query',
  roles: ['admin'],
  args: z.strictObject({}),
  result: z.object({
    holds: z.array(
      z.object({
        symbol,
        /** `jump`: absurd against the last price (A106). `source`: it comes from another source than the last one. */
        kind: z.enum(['jump', 'source']),
        /** The price that waits and where it comes from. */
        price: z.number(),
        source: z.enum(sources),
        last_price: z.number(),
        last_source: z.enum(sources),
        /** ISO 8601 UTC. */
        since: z.string(),
      }),
    ),
    /** Null while nothing recorded plays. */
    replay: z
      .object({
        paused: z.boolean(),
        /** Recorded seconds per second. */
        speed: z.number(),
        loop: z.boolean(),
        /** Recorded time of day, seconds since 00:00 UTC, and where the recording begins and ends. */
        position_s: z.number(),
        begin_s: z.number(),
        end_s: z.number(),
      })
      .nullable(),
    shocks: z.array(
      z.object({
        symbol,
        /** Of the price, in percent. */
        percent: z.number(),
        /** After which half of it is left; null: it stays. */
        half_life_minutes: z.number().nullable(),
        /** ISO 8601 UTC. */
        at: z.string(),
      }),
    ),
  }),
});

/** Pauses, resumes or speeds up the recording that plays; what is left out stays as it is. */
export const setReplay = procedure({
  name: 'set_replay',
  kind: 'command',
  roles: ['admin'],
  args: z.strictObject({
    p_paused: z.boolean().nullish(),
    /** Recorded seconds per second. */
    p_speed: z.number().min(1).max(3600).nullish(),
    p_reason: reason,
  }),
  result: z.object({ paused: z.boolean(), speed: z.number() }),
});

/** Moves a simulated price by so many percent at once, for a lesson; it is part of the path from then on. */
export const shockPrice = procedure({
  name: 'shock_price',
  kind: 'command',
  roles: ['admin'],
  args: z.strictObject({
    p_symbol: symbol,
    p_percent: z
      .number()
      .min(-50)
      .max(100)
      .refine((percent) => percent !== 0, 'Must not be 0'),
    /** After which half of it is left; null: it stays. */
    p_half_life_minutes: z.number().positive().max(10_080).nullish(),
    p_reason: reason,
    p_client_id: clientId,
  }),
  result: z.object({ symbol, percent: z.number(), at: z.string() }),
});
