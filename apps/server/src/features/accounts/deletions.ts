/**
 * What the deletion of an account (A73) means for who is signed in. The engine's commit removes the user with everything
 * that hangs on it; here stands what comes before and after it. Invariants: admins and oneself are not deleted, which the
 * commit proves again; whoever acts as them, and as whom they act, is on record as ended; their access tokens are
 * refused as soon as the commit is heard of, also after a restart (`app.deleted_sessions`).
 */
import { AppError, type SignedIn, texts } from '@fulcrum/contract';
import type { Context } from './context.ts';
import { endImpersonationsAs, endImpersonationsBy } from './impersonations.ts';
import { sessionsOfDeleted } from './sessions.ts';
import { takeStaffTurn } from './staff-acts.ts';
import { findUser, userNotFound } from './users.ts';

export function createDeletions({ db, bus, revocations, assignments, now, log }: Context) {
  /** Of those whose deletion is under way, as it was when it began: with the account goes who their manager was. */
  const managerOf = new Map<string, string>();

  /** @throws AppError `not_found`, `not_allowed`; AccountError `session_ended` */
  async function prepare(caller: SignedIn, userId: string): Promise<void> {
    const ended = await db.transaction(async (tx) => {
      await takeStaffTurn(tx, caller);
      const user = await findUser(tx, userId);
      if (!user) throw userNotFound();
      if (user.role === 'admin' || userId === caller.userId) {
        throw new AppError('not_allowed', texts.cannotDelete);
      }
      if (user.managerId === null) managerOf.delete(userId);
      else managerOf.set(userId, user.managerId);
      const at = now();
      const asThem = await endImpersonationsAs(tx, userId, 'account deleted', at);
      return [...asThem, ...(await endImpersonationsBy(tx, userId, 'account deleted', at))];
    });
    revocations.announceEndedActing(ended);
  }

  async function announce(userId: string): Promise<void> {
    assignments.forget();
    const managerId = managerOf.get(userId);
    managerOf.delete(userId);
    if (managerId !== undefined) bus.publish('traders.changed', { managerIds: [managerId] });
    try {
      revocations.announce(await sessionsOfDeleted(db, userId));
    } catch (error) {
      // The deletion is done; the next look for what ended unannounced finds them, in two seconds.
      log.warn({ err: error }, 'the sessions of a deleted account could not be announced');
    }
  }

  return { prepare, announce };
}
