/**
 * Whose account staff may change: traders only, a manager's own only, and nobody while acting as somebody else. Invariants:
 * to a manager a trader of somebody else is one who does not exist; what is found here is proven again by the commit,
 * so it may be old by then.
 */
import { AppError, type SignedIn, texts, type UserRole } from '@fulcrum/contract';
import type { Database, Queryable } from '../../platform/database/index.ts';
import { requireNotActing, requireReason } from '../accounts/index.ts';
import type { CommandOf } from './engine/queue.ts';

/** A staff member who wants to change the account of the trader `userId`. */
export interface StaffCall {
  readonly caller: SignedIn;
  readonly userId: string;
  readonly reason: string | null | undefined;
}

/** With a reason, which every command of staff has. */
export interface StaffCommandOf extends CommandOf {
  readonly reason: string;
}

/** @throws AppError `not_allowed` while acting and for who is no trader, `reason_required`, `not_found` */
export async function staffCommandOf(
  db: Database,
  { caller, userId, reason }: StaffCall,
): Promise<StaffCommandOf> {
  requireNotActing(caller);
  const given = requireReason(reason);
  await requireTrader(db, caller, userId);
  return {
    userId,
    actorId: caller.userId,
    authority: caller.role === 'admin' ? 'admin' : 'assigned',
    reason: given,
  };
}

/** @throws AppError `not_found` for who is not the caller's, `not_allowed` for who is no trader */
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

/** The trader's own command, or that of staff who act as the trader (A45). */
export const ownCommandOf = ({ userId, actorId }: SignedIn): CommandOf => ({
  userId,
  actorId,
  authority: null,
  reason: null,
});
