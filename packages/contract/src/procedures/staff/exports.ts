/** Lists of the admin console as files. */
import { contactStatuses } from '@fulcrum/domain';
import { z } from 'zod';
import { id } from '../../columns.ts';
import { dateTime, search, storableText } from '../arguments.ts';
import { kycFilter } from '../kyc.ts';
import { command } from '../procedure.ts';
import { userFilter } from './users.ts';

/** Positions have a file of their own (`export_positions`). */
const exportedLists = ['users', 'wallets', 'transactions', 'audit', 'kyc', 'contact'] as const;
export type ExportedListName = (typeof exportedLists)[number];

/**
 * A link to a CSV file of a list, with the rows that the list shows for the same filter; valid for a minute and within
 * the caller's session. Times are UTC, ISO 8601. An argument of another list is ignored.
 */
export const exportList = command('export_list', {
  roles: ['admin'],
  args: z.strictObject({
    p_list: z.enum(exportedLists),
    /** Of users. */
    p_users: userFilter.nullish(),
    /** Of identity checks; all pending ones when left out. */
    p_kyc: kycFilter.nullish(),
    /** Of wallets and contact messages. */
    p_search: search,
    /** Of contact messages. */
    p_status: z.enum(contactStatuses).nullish(),
    /** Of transactions and the audit log; from (inclusive) to (exclusive). */
    p_from: dateTime,
    p_to: dateTime,
    /** Of transactions: one user's; of the audit log: what concerns the user. */
    p_user_id: id.nullish(),
    /** Of the audit log. */
    p_actor_id: id.nullish(),
    p_object_id: id.nullish(),
    p_request_id: storableText(64).nullish(),
    p_action: storableText(64).nullish(),
  }),
  /** `url` is a path of this server. */
  result: z.object({ url: z.string(), file_name: z.string() }),
});
