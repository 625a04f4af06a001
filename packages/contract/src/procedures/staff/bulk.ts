/** Bulk actions on the accounts of users, and the preview of any bulk action (A72, A112). */
import { z } from 'zod';
import { decimal, id } from '../../columns.ts';
import { managingRoles } from '../../roles.ts';
import { clientId, reason } from '../arguments.ts';
import { bulkReport, bulkRow, bulkUserIds } from '../bulk-report.ts';
import { command, query } from '../procedure.ts';

/** USDT, above zero, or not below zero to set the balance. */
const fundsChange = { p_change: z.enum(['add', 'subtract', 'set']), p_amount: decimal };
/** Their accounts of this class; default, their main accounts. */
const ofClass = { p_class_id: id.nullish() };

/** Changes the balance of many traders, of a manager those assigned to them; each row has a client id derived from this one. */
export const adjustFundsOfUsers = command('adjust_funds_of_users', {
  roles: managingRoles,
  args: z.strictObject({
    p_user_ids: bulkUserIds,
    ...ofClass,
    ...fundsChange,
    p_reason: reason,
    p_client_id: clientId,
  }),
  result: bulkReport,
});

/** Closes what is open, and books each account to the balance that it was opened with (A102). */
export const resetUsers = command('reset_users', {
  roles: ['admin'],
  args: z.strictObject({ p_user_ids: bulkUserIds, ...ofClass, p_reason: reason, p_client_id: clientId }),
  result: bulkReport,
});

/**
 * A fresh link to choose a password for each who has never signed in. A repeat with the client id sends no second mail; where links are in
 * the answer it has new ones, and the former ones are void.
 */
export const inviteUsersAgain = command('invite_users_again', {
  roles: ['admin'],
  args: z.strictObject({
    p_user_ids: bulkUserIds,
    p_links: z.enum(['mail', 'file']),
    p_reason: reason,
    p_client_id: clientId,
  }),
  result: z.object({
    rows: z.array(
      bulkRow.extend({
        /** Where the mail went or who the link is for; null for a refused one. */
        email: z.string().nullable(),
        /** Works once, for seven days; null where it is mailed. */
        link: z.string().nullable(),
      }),
    ),
  }),
});

/** What a bulk action would do to each user now; nothing is written. Of a manager the action is `funds`. */
export const previewBulkAction = query('preview_bulk_action', {
  roles: managingRoles,
  args: z.strictObject({
    p_user_ids: bulkUserIds,
    ...ofClass,
    p_action: z.union([
      z.strictObject({ kind: z.literal('funds'), change: fundsChange.p_change, amount: decimal }),
      z.strictObject({ kind: z.literal('reset') }),
      z.strictObject({ kind: z.literal('restrict') }),
      z.strictObject({ kind: z.literal('lift') }),
      z.strictObject({ kind: z.literal('invite') }),
      /** Into this class; from `p_class_id` where that is given. */
      z.strictObject({ kind: z.literal('class'), class_id: id }),
    ]),
  }),
  result: z.object({
    rows: z.array(bulkRow),
    /** Balances in USDT of the accounts that change; null where no money moves or none changes. */
    balances: z
      .object({ before: z.number(), after: z.number(), lowest_after: z.number(), highest_after: z.number() })
      .nullable(),
  }),
});
