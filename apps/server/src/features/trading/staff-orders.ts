/**
 * Orders of people who are no traders any more: who becomes staff opens nothing, so what they had waiting is cancelled and
 * its reserve is free again. Their positions stay. Looked for when a role has changed, at the start and every minute, so a
 * look that failed, or a process that ended in between, is made good.
 *
 * Known limitation: the change of the role and the cancelling are two commits; a price that comes between them may still
 * fill an order.
 */
import { AppError } from '@fulcrum/contract';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { cancelCommandOf } from './claims.ts';
import type { Submit } from './procedures.ts';

/** Orders that are cancelled at once; the others follow. */
const atOnce = 500;

export interface StaffOrders {
  /** Looks now, or once more after the look under way. Never throws. */
  look(): void;
  /** Resolves when no look is under way. */
  idle(): Promise<void>;
}

export function createStaffOrders(deps: { db: Database; submit: Submit; log: Log }): StaffOrders {
  const { db, submit, log } = deps;
  let looking: Promise<void> | undefined;
  let isAskedAgain: boolean = false;

  /** How many were cancelled. */
  async function cancelSome(): Promise<number> {
    const { rows } = await db.query<{ id: string; userId: string }>(
      `select o.id, o.user_id as "userId" from app.orders o join app.users u on u.id = o.user_id
       where o.status = 'NEW' and u.role <> 'trader' order by o.user_id, o.id limit $1`,
      [atOnce],
      'staff_orders',
    );
    const outcomes = await Promise.allSettled(
      rows.map(({ id, userId }) =>
        submit({ userId, actorId: userId, authority: null, reason: null }, cancelCommandOf(id), null),
      ),
    );
    const canceled = outcomes.filter(({ status }) => status === 'fulfilled').length;
    if (canceled > 0) log.info({ orders: canceled }, 'orders of staff are canceled');
    const fault = outcomes.find(
      (outcome): outcome is PromiseRejectedResult =>
        outcome.status === 'rejected' && !(outcome.reason instanceof AppError),
    );
    if (fault) log.warn({ err: fault.reason }, 'orders of staff are left for the next minute');
    return canceled;
  }

  async function cancelAll(): Promise<void> {
    try {
      do {
        isAskedAgain = false;
        // One that is refused (an AppError) was filled or cancelled meanwhile, or waits for the next minute.
        while ((await cancelSome()) === atOnce);
      } while (isAskedAgain);
    } catch (error) {
      log.warn({ err: error }, 'orders of staff are left for the next minute');
    }
  }

  return {
    look: () => {
      if (looking) {
        isAskedAgain = true;
        return;
      }
      looking = cancelAll().finally(() => {
        looking = undefined;
      });
    },
    idle: async () => looking,
  };
}
