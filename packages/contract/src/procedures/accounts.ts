/** A user's trading accounts (A112). */
import {
  accountNameMax,
  coolDownMinutesMax,
  ownTradesMax,
  quotedProfiles,
  ruleSetNames,
} from '@fulcrum/domain';
import { z } from 'zod';
import { decimal, id, rowSchema } from '../columns.ts';
import { userRoles } from '../roles.ts';
import { tradingAccounts } from '../tables/accounts.ts';
import { clientId, storableText } from './arguments.ts';
import { command, query } from './procedure.ts';

export const tradingAccountRow = rowSchema(tradingAccounts.columns);
export type TradingAccountRow = z.infer<typeof tradingAccountRow>;

/** Longer names are refused by the domain, with the text that states the bound. */
const name = storableText(2 * accountNameMax);

/** Opens a practice account. Names differ from those of the user's other accounts. */
export const createAccount = command('create_account', {
  roles: ['trader'],
  args: z.strictObject({
    p_client_id: clientId,
    p_name: name,
    /** USDT; default, the start balance of a main account, or 10,000 where that is 0. */
    p_start_balance: decimal.nullish(),
    p_leverage_max: z.number().int().nullish(),
    /** A fraction, at most that of `TRADING_FEE_RATE`'s bound. */
    p_fee_rate: decimal.nullish(),
    /** `perpetual` has net positions that fill on a book (A113); default, the rules of main accounts. */
    p_rules: z.enum(ruleSetNames).nullish(),
    /** Of `perpetual`, whose fees it has; default `retail`. */
    p_fill_profile: z.enum(quotedProfiles).nullish(),
  }),
  result: tradingAccountRow,
});

export const renameAccount = command('rename_account', {
  roles: ['trader'],
  args: z.strictObject({ p_account_id: id, p_name: name }),
  result: tradingAccountRow,
});

/** Ends a practice account without open positions and waiting orders. Its history stays readable; it never trades again. */
export const archiveAccount = command('archive_account', {
  roles: ['trader'],
  args: z.strictObject({ p_account_id: id }),
  result: tradingAccountRow,
});

/**
 * An access token of the caller's session for one of their accounts, for one tab or script: every call with it means that
 * account. The session and its other tokens stay as they are. During an impersonation it is one of the target's accounts.
 */
export const accountToken = command('account_token', {
  roles: userRoles,
  whileImpersonating: 'allowed',
  args: z.strictObject({ p_account_id: id }),
  result: z.object({
    access_token: z.string(),
    /** Seconds until the token ends, and its end in seconds since the epoch. Ask for the next one before. */
    expires_in: z.number().int(),
    expires_at: z.number().int(),
    account_id: id,
  }),
});

/** The accounts of a user with what they hold; the caller's own, or for staff those of a trader they may manage. */
export const listAccounts = query('list_accounts', {
  roles: userRoles,
  whileImpersonating: 'allowed',
  apiKey: 'read',
  args: z.strictObject({ p_user_id: id.nullish() }),
  /** The main account first, archived ones last. USDT; equity at the present prices. */
  result: z.array(
    tradingAccountRow.extend({
      balance: z.number(),
      available_balance: z.number(),
      equity: z.number(),
      open_positions: z.number().int(),
      waiting_orders: z.number().int(),
    }),
  ),
});

const ownLimits = z.object({
  /** USDT, and per cent of the first equity of the day (UTC). */
  daily_loss: z.number().nullable(),
  daily_loss_percent: z.number().nullable(),
  trades_max: z.number().int().nullable(),
  cool_down_minutes: z.number().int().nullable(),
});

/** The limits that the caller has set for the account of the token, and the day so far. Null is no limit. */
const ownLimitsRow = ownLimits.extend({
  /** The looser ones that wait, and from when they hold, ISO 8601 UTC. */
  waiting: ownLimits.extend({ from: z.string() }).nullable(),
  /** Null without a limit. */
  day: z
    .object({
      since: z.string(),
      /** USDT: at the start, and what was paid in since (out: below zero). */
      first_equity: z.number(),
      paid: z.number(),
      /** USDT; a gain is below zero. `loss_max` is the lower of both limits. */
      loss: z.number(),
      loss_max: z.number().nullable(),
      trades: z.number().int(),
      cool_down_until: z.string().nullable(),
    })
    .nullable(),
});
export type OwnLimitsRow = z.infer<typeof ownLimitsRow>;

export const getOwnLimits = query('get_own_limits', { roles: ['trader'], result: ownLimitsRow });

/** Replaces the limits: what is tightened holds at once, what is loosened from 00:00 UTC of the next day. */
export const setOwnLimits = command('set_own_limits', {
  roles: ['trader'],
  args: z.strictObject({
    p_daily_loss: decimal.nullish(),
    p_daily_loss_percent: decimal.nullish(),
    p_trades_max: z.number().int().min(1).max(ownTradesMax).nullish(),
    p_cool_down_minutes: z.number().int().min(1).max(coolDownMinutesMax).nullish(),
  }),
  result: ownLimitsRow,
});
