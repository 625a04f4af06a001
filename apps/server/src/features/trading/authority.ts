/**
 * Whose account staff may change: traders only, a manager's own only, and nobody while acting as somebody else. Invariants:
 * to a manager a trader of somebody else is one who does not exist; what is found here is proven again by the commit,
 * so it may be old by then.
 */
import { AppError, isActing, type SignedIn, texts, type UserRole } from '@fulcrum/contract';
import type { Database } from '../../platform/database/index.ts';
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

/** @throws AppError `not_allowed` while the caller acts as somebody else */
export function requireOwnName(caller: SignedIn): void {
  if (isActing(caller)) throw new AppError('not_allowed', texts.notWhileActing);
}

/** Of a reason, as the procedures declare it: a table's own write may bring a longer text. */
const reasonMax = 500;
/** A log must not be rewritten by what stands in it; a reason may have lines. */
const controlCharacter = /(?![\t\n\r])\p{Cc}/u;

/**
 * The reason without the blanks around it.
 * @throws AppError `reason_required`, `invalid_argument` for what the audit log does not take
 */
export function requireReason(reason: string | null | undefined): string {
  const given = reason?.trim() ?? '';
  if (given === '') throw new AppError('reason_required', texts.reasonRequired);
  if (given.length > reasonMax) {
    throw new AppError('invalid_argument', `A reason has at most ${reasonMax} characters`);
  }
  // PostgreSQL would refuse the JSON of half a surrogate pair, and everybody's batch with it.
  if (!given.isWellFormed() || controlCharacter.test(given)) {
    throw new AppError('invalid_argument', 'Control characters are not allowed in a reason');
  }
  return given;
}

/** @throws AppError `not_allowed` while acting and for who is no trader, `reason_required`, `not_found` */
export async function staffCommandOf(
  db: Database,
  { caller, userId, reason }: StaffCall,
): Promise<StaffCommandOf> {
  requireOwnName(caller);
  const given = requireReason(reason);
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
  return {
    userId,
    actorId: caller.userId,
    authority: caller.role === 'admin' ? 'admin' : 'assigned',
    reason: given,
  };
}

/** The trader's own command, or that of staff who act as the trader (A45). */
export const ownCommandOf = ({ userId, actorId }: SignedIn): CommandOf => ({
  userId,
  actorId,
  authority: null,
  reason: null,
});
