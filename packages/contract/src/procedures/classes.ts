/** Classes of traders (A112): an account each, with the class's money, rules and limits. */
import {
  accountNameMax,
  classMembersMax,
  classMessageMax,
  classSymbolsMax,
  classTutorsMax,
  MAX_OPEN_POSITIONS,
  ruleSetNames,
} from '@fulcrum/domain';
import { z } from 'zod';
import { decimal, id, symbol } from '../columns.ts';
import { managingRoles } from '../roles.ts';
import { clientId, instant, reason, storableText } from './arguments.ts';
import { bulkReport, bulkUserIds } from './bulk-report.ts';
import { command, query } from './procedure.ts';

const classRow = z.object({
  id,
  name: z.string(),
  begins_at: z.string(),
  ends_at: z.string(),
  start_balance: z.number(),
  rules: z.enum(ruleSetNames),
  leverage_max: z.number().int(),
  /** Null is every listed one. */
  symbols: z.array(z.string()).nullable(),
  positions_max: z.number().int().nullable(),
  members_see_each_other: z.boolean(),
  tutors: z.array(z.object({ id, username: z.string() })),
  /** Members who trade. */
  members: z.number().int(),
  version: z.number().int(),
});
export type ClassRow = z.infer<typeof classRow>;

/**
 * Makes a class, or changes the one that `p_id` names. Start balance, rules and leverage are fixed once it has a member; dates, symbols and
 * the number of positions hold for all members from then on.
 */
export const saveClass = command('save_class', {
  roles: ['admin'],
  args: z.strictObject({
    p_id: id.nullish(),
    /** Of the class that the caller saw; needed with `p_id`. */
    p_version: z.number().int().nullish(),
    p_client_id: clientId,
    p_name: storableText(2 * accountNameMax),
    p_begins_at: instant,
    p_ends_at: instant,
    p_start_balance: decimal,
    p_rules: z.enum(ruleSetNames),
    p_leverage_max: z.number().int(),
    p_symbols: z.array(symbol).min(1).max(classSymbolsMax).nullable(),
    p_positions_max: z.number().int().min(1).max(MAX_OPEN_POSITIONS).nullable(),
    p_tutor_ids: z.array(id).max(classTutorsMax),
    /** Default: not, or as it was. */
    p_members_see_each_other: z.boolean().nullish(),
  }),
  result: classRow,
});

/** All classes, or those that the calling manager is a tutor of; the ones that end last first. */
export const listClasses = query('list_classes', { roles: managingRoles, result: z.array(classRow) });

/**
 * Opens an account of the class for each trader, who leaves the other class that is named in the same transaction. A repeat leaves a member
 * unchanged.
 */
export const addClassMembers = command('add_class_members', {
  roles: ['admin'],
  args: z.strictObject({
    p_class_id: id,
    p_user_ids: bulkUserIds,
    /** A class that they move from. */
    p_from_class_id: id.nullish(),
    p_reason: reason,
  }),
  result: bulkReport,
});

/** Archives the account of each member who has nothing open in it. Its history stays readable. */
export const removeClassMembers = command('remove_class_members', {
  roles: ['admin'],
  args: z.strictObject({ p_class_id: id, p_user_ids: bulkUserIds }),
  result: bulkReport,
});

const classmate = z.object({
  username: z.string(),
  /** Time-weighted, apart from what was paid in or out, in per cent; a few seconds old. */
  return_pct: z.number(),
  is_self: z.boolean(),
});
export type ClassmateRow = z.infer<typeof classmate>;

const classmatesMax = 200;

/**
 * The members of the class that the present account is of, the best return first: names and returns alone. Null where the class does not
 * let its members see each other, and for an account of no class.
 */
export const listClassmates = query('list_classmates', {
  roles: ['trader'],
  whileImpersonating: 'allowed',
  args: z.strictObject({
    /** How many to leave out, and how many to answer; default 0 and 100. */
    p_offset: z.number().int().min(0).max(classMembersMax).nullish(),
    p_limit: z.number().int().min(1).max(classmatesMax).nullish(),
  }),
  result: z
    .object({
      class_name: z.string(),
      /** Members in all. */
      total: z.number().int(),
      members: z.array(classmate),
      /** The caller, wherever they are in the list. */
      own: classmate.nullable(),
    })
    .nullable(),
});

/**
 * Sends a message to the members of a class: a notification for each. It goes once: a repeat with the client id answers as before. For an
 * admin and the tutors of the class.
 */
export const messageClass = command('message_class', {
  roles: managingRoles,
  args: z.strictObject({
    p_class_id: id,
    p_subject: storableText(classMessageMax.subject),
    p_text: storableText(classMessageMax.text),
    p_client_id: storableText(64).min(1),
  }),
  result: z.object({
    id,
    /** Members who were notified. */
    recipients: z.number().int(),
    /** Those among them who also get a mail. */
    mailed: z.number().int(),
    created_at: z.string(),
  }),
});

/** The members of a class with what their accounts hold, for an admin and its tutors. */
export const listClassMembers = query('list_class_members', {
  roles: managingRoles,
  args: z.strictObject({ p_class_id: id }),
  result: z.array(
    z.object({
      user_id: id,
      account_id: id,
      /** Whether the caller may change their funds: of a manager those assigned to them. */
      is_funded_by_caller: z.boolean(),
      username: z.string(),
      email: z.string(),
      joined_at: z.string(),
      /** Null: never signed in. */
      last_login: z.string().nullable(),
      /** USDT at the present prices. */
      equity: z.number(),
      /** Time-weighted, apart from what was paid in or out, in per cent. */
      return_pct: z.number(),
      /** The deepest fall of the equity from its highest value, in per cent of that, by the hourly values and those at each close; at most a minute old. */
      drawdown_pct: z.number(),
      /** USDT that the stop losses of the open positions would cost, or the margin where a position has none. */
      open_risk: z.number(),
      open_positions: z.number().int(),
      /** The last opening or close; null for no trade yet. */
      last_trade_at: z.string().nullable(),
    }),
  ),
});
export type ClassMemberRow = z.infer<(typeof listClassMembers)['result']>[number];
