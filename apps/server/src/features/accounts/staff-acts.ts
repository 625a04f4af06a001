/**
 * What changes roles, assignments and impersonations takes turns: one such transaction at a time in the database.
 * Invariant: within its turn nobody's role or manager changes, so 'is there another admin?' and 'may they act as them?'
 * stay true until the commit, and these transactions cannot lock each other out.
 */
import type { SignedIn } from '@fulcrum/contract';
import type { Queryable } from '../../platform/database/index.ts';
import { AccountError } from './errors.ts';
import * as sessions from './sessions.ts';
import { findUser, type User } from './users.ts';

/** Beside the engine's lock, which has the same first half ('FULC') and the second half 1. */
const turnKey = [0x46554c43, 2] as const;

/**
 * Begins the transaction of an act by `caller`, waiting for the ones before it, and returns the caller as they now are.
 * The token was good when the request came; a role or session that was taken away meanwhile stops the act here.
 * @throws AccountError `session_ended`
 */
export async function takeStaffTurn(tx: Queryable, caller: SignedIn): Promise<User> {
  await tx.query(`select pg_advisory_xact_lock($1, $2)`, [...turnKey], 'take_staff_turn');
  const authTime = await sessions.authTimeOf(tx, caller.sessionId);
  const user = await findUser(tx, caller.userId);
  if (!authTime || user?.role !== caller.role) throw new AccountError('session_ended');
  return user;
}
