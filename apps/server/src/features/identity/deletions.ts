/**
 * The effect of deleting an account (A73) on sessions. The engine's commit removes the user with all dependent rows; this
 * module runs before and after it. Invariants: admins and the caller are not deleted, which the commit checks again;
 * impersonations by and of the user are recorded as ended, and none begins until the commit; their access tokens are
 * refused right after the commit, also after a restart (`app.deleted_sessions`).
 */
import { AppError, type SignedIn, texts } from '@fulcrum/contract';
import type { Context } from './context.ts';
import { endImpersonationsByActor, endImpersonationsOfTarget } from './impersonation-store.ts';
import { sessionsOfDeleted } from './sessions.ts';
import { lockStaffChanges } from './staff-lock.ts';
import { findUser, userNotFound } from './users.ts';

interface UnderWay {
  /** As it was when the deletion began: with the account goes who their manager was. */
  managerId: string | null;
  callers: number;
}

export function createDeletions({ db, bus, revocations, assignments, now, log }: Context) {
  /** By account. The same one may be deleted by two callers at once; one of them is refused. */
  const underWay = new Map<string, UnderWay>();

  function begin(userId: string): UnderWay {
    const deletion = underWay.get(userId) ?? { managerId: null, callers: 0 };
    deletion.callers += 1;
    underWay.set(userId, deletion);
    return deletion;
  }

  /** After a refusal: the account stays. */
  function abandon(userId: string): void {
    const deletion = underWay.get(userId);
    if (!deletion) return;
    deletion.callers -= 1;
    if (deletion.callers === 0) underWay.delete(userId);
  }

  /** @throws AppError `not_found`, `not_allowed`; AccountError `session_ended` */
  async function prepare(caller: SignedIn, userId: string): Promise<void> {
    // Before the transaction: an impersonation that begins after it finds this, one from before it is ended by it.
    const deletion = begin(userId);
    try {
      const ended = await db.transaction(async (tx) => {
        await lockStaffChanges(tx, caller);
        const user = await findUser(tx, userId);
        if (!user) throw userNotFound();
        if (user.role === 'admin' || userId === caller.userId) {
          throw new AppError('not_allowed', texts.cannotDelete);
        }
        deletion.managerId = user.managerId;
        const at = now();
        const asThem = await endImpersonationsOfTarget(tx, userId, 'account deleted', at);
        return [...asThem, ...(await endImpersonationsByActor(tx, userId, 'account deleted', at))];
      });
      revocations.announceEndedImpersonations(ended);
    } catch (error) {
      abandon(userId);
      throw error;
    }
  }

  async function announce(userId: string): Promise<void> {
    assignments.invalidate();
    const managerId = underWay.get(userId)?.managerId ?? null;
    abandon(userId);
    if (managerId !== null) bus.publish('traders.changed', { managerIds: [managerId] });
    try {
      revocations.announce(await sessionsOfDeleted(db, userId));
    } catch (error) {
      // The deletion is done; the next look for what ended unannounced finds them, in two seconds.
      log.warn({ err: error }, 'the sessions of a deleted account could not be announced');
    }
  }

  return { prepare, abandon, announce, isUnderWay: (userId: string) => underWay.has(userId) };
}
