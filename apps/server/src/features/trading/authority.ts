/**
 * Which accounts staff may change: traders only, for a manager the assigned ones, and none during impersonation.
 * Invariants: to a manager, another manager's trader does not exist. The commit checks the authority again, because
 * it may have changed since.
 */
import { AppError, type SignedIn, texts, type UserRole } from '@fulcrum/contract';
import type { Database, Queryable } from '../../platform/database/index.ts';
import { requireReason } from '../audit/index.ts';
import { refuseWhileImpersonating } from '../identity/index.ts';
import type { CommandOrigin } from './engine/queue.ts';

/** A staff member and the trader `userId` whose account the command changes. */
export interface StaffCall {
  readonly caller: SignedIn;
  readonly userId: string;
  readonly reason: string | null | undefined;
}

/** The origin with a reason, which every command of staff has. */
export interface StaffCommandOrigin extends CommandOrigin {
  readonly reason: string;
}

/**
 * @throws AppError `not_allowed` during impersonation and for a user who is no trader, `reason_required`, `not_found`
 */
export async function requireStaffOrigin(
  db: Database,
  { caller, userId, reason }: StaffCall,
): Promise<StaffCommandOrigin> {
  refuseWhileImpersonating(caller);
  const given = requireReason(reason);
  await requireTrader(db, caller, userId);
  return {
    accountId: userId,
    actorId: caller.userId,
    authority: caller.role === 'admin' ? 'admin' : 'assigned',
    reason: given,
  };
}

/**
 * @throws AppError `not_found` for a trader that the caller may not change, `not_allowed` for a user who is no trader
 */
export async function requireTrader(db: Queryable, caller: SignedIn, userId: string): Promise<void> {
  const { rows } = await db.query<{ role: UserRole; managerId: string | null }>(
    `select role, manager_id as "managerId" from app.users where id = $1`,
    [userId],
    'staff_subject',
  );
  const [subject] = rows;
  const isReached =
    subject &&
    (caller.role === 'admin' || (caller.role === 'manager' && subject.managerId === caller.userId));
  if (!isReached) throw new AppError('not_found', texts.userNotFound);
  if (subject.role !== 'trader') throw new AppError('not_allowed', texts.tradersOnly);
}

/** The origin of the trader's own command, or of staff who impersonate the trader (A45). */
export const toCommandOrigin = ({ userId, actorId }: SignedIn): CommandOrigin => ({
  accountId: userId,
  actorId,
  authority: null,
  reason: null,
});
