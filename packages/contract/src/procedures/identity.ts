/** Accounts, sessions and impersonation. Argument names are the specification's, where it has them. */

import { z } from 'zod';
import { id, rowSchema } from '../columns.ts';
import { managingRoles, userRoles } from '../roles.ts';
import { users } from '../tables/users.ts';
import { command, query } from './procedure.ts';

const userRole = z.enum(userRoles);
// The domain checks lengths with a stated text; these only bound what the server reads. PostgreSQL's text cannot hold
// a NUL, and no name needs the other control characters.
const line = z
  .string()
  .max(254)
  .regex(/^\P{Cc}*$/u, 'Control characters are not allowed');
const password = z.string().max(256);
const reason = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .refine((text) => !text.includes('\0') && text.isWellFormed(), 'Control characters are not allowed');

/** A user as the table API returns it, as an answer to a command. */
export const userRow = rowSchema(users.columns);
export type UserRow = z.infer<typeof userRow>;

/**
 * Updates the caller's own profile, or any profile for an admin; an absent or null field stays (CALL-50, A49, A50).
 */
export const safeUpdateUserProfile = command('safe_update_user_profile', {
  roles: userRoles,
  args: z.strictObject({
    user_id: id,
    new_username: line.nullish(),
    new_email: line.nullish(),
    /** Admins only; another caller may name only the current role. */
    new_role: userRole.nullish(),
    /** Admins only, as the role; '' removes the manager. */
    new_manager_id: z.union([id, z.literal('')]).nullish(),
    new_phone_number: line.nullish(),
    /**
     * The caller's own. Required when the caller's email changes, when a user becomes an admin and when an admin's
     * email changes. A recent sign-in replaces it.
     */
    current_password: password.nullish(),
  }),
  result: userRow,
});

/**
 * Sets a user's password and ends the user's sessions (CALL-51). For an admin's account the caller proves the own
 * identity.
 */
export const adminUpdateUserPassword = command('admin_update_user_password', {
  roles: ['admin'],
  args: z.strictObject({
    p_user_id: id,
    p_new_password: password,
    p_reason: reason.nullish(),
    /** The caller's, for an admin's account; a recent sign-in replaces it. */
    p_current_password: password.nullish(),
  }),
  result: z.object({ user_id: id, sessions_ended: z.number().int() }),
});

/** Creates account, profile and wallet in one transaction; the caller's session is unaffected (A51, A13). */
export const adminCreateUser = command('admin_create_user', {
  roles: ['admin'],
  args: z.strictObject({
    p_email: line,
    p_username: line,
    p_password: password,
    p_role: userRole,
    /** For a trader only. */
    p_manager_id: id.nullish(),
    /** The caller's, for a new admin; a recent sign-in replaces it. */
    p_current_password: password.nullish(),
  }),
  result: userRow,
});

/** Assigns a trader to a manager; null removes the manager (CALL-54). */
export const assignUserToManager = command('assign_user_to_manager', {
  roles: ['admin'],
  args: z.strictObject({ p_user_id: id, p_manager_id: id.nullable() }),
  result: userRow,
});

/** The manager who can fund the caller's wallet; null for a trader without one (A102). */
export const getMyManager = query('get_my_manager', {
  roles: ['trader'],
  whileImpersonating: 'allowed',
  result: z.object({ username: z.string() }).nullable(),
});

const sessionRow = z.object({
  id,
  created_at: z.string(),
  last_seen_at: z.string(),
  user_agent: z.string().nullable(),
  address: z.string().nullable(),
  /** The session of this request. */
  current: z.boolean(),
});
export type SessionRow = z.infer<typeof sessionRow>;

/** The caller's live sessions, the last used first. */
export const listSessions = query('list_sessions', { roles: userRoles, result: z.array(sessionRow) });

/** Ends one of the caller's own sessions, at once and everywhere. */
export const revokeSession = command('revoke_session', {
  roles: userRoles,
  args: z.strictObject({ p_id: id }),
  result: z.object({ id }),
});

/**
 * Starts an impersonation: the caller's session acts as `p_user_id` from its next refresh on, for at most an hour
 * (A45).
 */
export const impersonateUser = command('impersonate_user', {
  roles: managingRoles,
  args: z.strictObject({ p_user_id: id, p_reason: reason }),
  result: z.object({ user_id: id, username: z.string(), role: userRole, until: z.string() }),
});

/** Ends the impersonation; does nothing without one. The next refresh returns the actor's own token (A45). */
export const endImpersonation = command('end_impersonation', {
  roles: userRoles,
  whileImpersonating: 'allowed',
  result: z.object({ ended: z.boolean() }),
});

/** The actor, the reason and the end of the current impersonation; null for the caller's own session (A45). */
export const getActing = query('get_acting', {
  roles: userRoles,
  whileImpersonating: 'allowed',
  result: z
    .object({ actor: z.string(), actor_role: userRole, reason: z.string(), until: z.string() })
    .nullable(),
});
