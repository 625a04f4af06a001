/**
 * An advisory lock that serialises changes of roles, assignments and impersonations in the database. Invariant: under the
 * lock no role or manager changes, so checks such as 'is there another admin?' stay true until the commit, and these
 * transactions cannot deadlock each other.
 */
import type { SignedIn } from '@fulcrum/contract';
import type { Queryable } from '../../platform/database/index.ts';
import { IdentityError } from './errors.ts';
import * as sessions from './sessions.ts';
import { findUser, type User } from './users.ts';

/** Beside the engine's lock, which has the same first half ('FULC') and the second half 1. */
const advisoryLockKey = [0x46554c43, 2] as const;

/** Takes the lock for the machine's operator, who has no session. */
export async function takeStaffLock(tx: Queryable): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock($1, $2)`, [...advisoryLockKey], 'lock_staff_changes');
}

/**
 * Takes the lock for a staff action and returns the caller's present row. The token was valid when the request came; a
 * role or session that was removed meanwhile stops the action here.
 * @throws AccountError `session_ended`
 */
export async function lockStaffChanges(tx: Queryable, caller: SignedIn): Promise<User> {
  await takeStaffLock(tx);
  const authTime = await sessions.authTimeOf(tx, caller.sessionId);
  const user = await findUser(tx, caller.userId);
  if (!authTime || user?.role !== caller.role) throw new IdentityError('session_ended');
  return user;
}
