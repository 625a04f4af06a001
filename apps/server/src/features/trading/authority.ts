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

/** A staff member, and the account that the command changes. */
interface StaffCall {
  readonly caller: SignedIn;
  readonly accountId: string;
  /** The user that the caller named; an account of another user does not exist then. */
  readonly ownerId?: string;
  readonly reason: string | null | undefined;
}

/** The origin with a reason, which every command of staff has. */
interface StaffCommandOrigin extends CommandOrigin {
  readonly reason: string;
}

/**
 * @throws AppError `not_allowed` during impersonation and for a user who is no trader, `reason_required`, `not_found`
 */
export async function requireStaffOrigin(
  db: Database,
  { caller, accountId, ownerId: named, reason }: StaffCall,
): Promise<StaffCommandOrigin> {
  refuseWhileImpersonating(caller);
  const given = requireReason(reason);
  const ownerId = await requireTrader(db, caller, accountId);
  if (named !== undefined && named !== ownerId) throw new AppError('not_found', texts.userNotFound);
  return {
    accountId,
    ownerId,
    actorId: caller.userId,
    authority: caller.role === 'admin' ? 'admin' : 'assigned',
    reason: given,
  };
}

/**
 * The owner of the account, a trader whose accounts the caller may change.
 * @throws AppError `not_found` for an account that the caller may not change, `not_allowed` for that of a user who is no trader
 */
export async function requireTrader(db: Queryable, caller: SignedIn, accountId: string): Promise<string> {
  const { rows } = await db.query<{ id: string; role: UserRole; managerId: string | null }>(
    `select u.id, u.role, u.manager_id as "managerId"
     from app.trading_accounts a join app.users u on u.id = a.owner_id where a.id = $1`,
    [accountId],
    'staff_subject',
  );
  const [subject] = rows;
  const isReached =
    subject &&
    (caller.role === 'admin' || (caller.role === 'manager' && subject.managerId === caller.userId));
  if (!isReached) throw new AppError('not_found', texts.userNotFound);
  if (subject.role !== 'trader') throw new AppError('not_allowed', texts.tradersOnly);
  return subject.id;
}

/** The origin of the trader's own command, or of staff who impersonate the trader (A45). */
export const toCommandOrigin = ({ userId, accountId, actorId }: SignedIn): CommandOrigin => ({
  accountId,
  ownerId: userId,
  actorId,
  authority: null,
  reason: null,
});
