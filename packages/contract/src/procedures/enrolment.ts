/** How people come in (A117): invitations, and imports of users from a file. */
import { importCellMax, importColumns, importRowsMax, invitationUsesMax } from '@fulcrum/domain';
import { z } from 'zod';
import { decimal, id } from '../columns.ts';
import { roles } from '../roles.ts';
import { clientId, storableText } from './arguments.ts';
import { command, query } from './procedure.ts';

const invitation = z.object({
  id,
  /** As it is shown: `ABCDE-12345`. */
  code: z.string(),
  note: z.string(),
  /** The class that who registers joins; null for none. */
  class_id: id.nullable(),
  class_name: z.string().nullable(),
  /** USDT; null is what a registration without an invitation gets. */
  start_balance: z.number().nullable(),
  uses: z.number().int(),
  uses_max: z.number().int(),
  expires_at: z.string(),
  created_at: z.string(),
  revoked_at: z.string().nullable(),
});
export type InvitationRow = z.infer<typeof invitation>;

export const createInvitation = command('create_invitation', {
  roles: ['admin'],
  args: z.strictObject({
    p_client_id: clientId,
    /** For the staff who read the list. */
    p_note: storableText(200).nullish(),
    p_start_balance: decimal.nullish(),
    p_class_id: id.nullish(),
    p_uses_max: z.number().int().min(1).max(invitationUsesMax),
    p_days: z.number().int().min(1).max(366),
  }),
  result: invitation,
});

/** Ends an invitation; who registered with it stays. A repeat answers as before. */
export const revokeInvitation = command('revoke_invitation', {
  roles: ['admin'],
  args: z.strictObject({ p_id: id }),
  result: invitation,
});

/** The open ones first, then the newest. */
export const listInvitations = query('list_invitations', { roles: ['admin'], result: z.array(invitation) });

/** What an invitation is for, to who has its code; a used, expired or unknown one is not found. */
export const getInvitation = query('get_invitation', {
  roles,
  whileImpersonating: 'allowed',
  args: z.strictObject({ p_code: storableText(40) }),
  result: z.object({
    start_balance: z.number().nullable(),
    class_name: z.string().nullable(),
    expires_at: z.string(),
  }),
});

const cell = storableText(importCellMax);
const importedRow = z.strictObject(
  Object.fromEntries(importColumns.map((column) => [column, cell])) as Record<
    (typeof importColumns)[number],
    typeof cell
  >,
);
/** Rows of one request: each imported one is a transaction. */
const importBatchMax = 50;
const batch = z.array(importedRow).min(1).max(importBatchMax);

/** The verdict on rows, in their order; nothing is written. */
export const previewUserImport = query('preview_user_import', {
  roles: ['admin'],
  args: z.strictObject({ p_rows: batch }),
  result: z.object({
    rows: z.array(
      z.object({
        email: z.string(),
        verdict: z.enum(['new', 'exists', 'refused']),
        /** Of a refused one. */
        message: z.string().nullable(),
        /** USDT that a new one begins with. */
        start_balance: z.number(),
      }),
    ),
  }),
});

/**
 * Creates the users of some rows of a file. A repeat of the same import creates no one twice. Where links are in the
 * answer, it has fresh ones for those of the import who have not signed in and whose role an import may give.
 */
export const importUsers = command('import_users', {
  roles: ['admin'],
  args: z.strictObject({
    /** Made by the client; the same for all rows of a file. */
    p_import_id: id,
    /** Rows of the whole file, for the audit log. */
    p_rows_in_all: z.number().int().min(1).max(importRowsMax),
    /** How the users get the link to choose their password: each by mail, or all in the answer. */
    p_links: z.enum(['mail', 'file']),
    p_rows: batch,
  }),
  result: z.object({
    rows: z.array(
      z.object({
        email: z.string(),
        username: z.string().nullable(),
        verdict: z.enum(['created', 'exists', 'refused']),
        message: z.string().nullable(),
        /** Works once, for seven days; null where it is mailed, and for no new user. */
        link: z.string().nullable(),
      }),
    ),
  }),
});
