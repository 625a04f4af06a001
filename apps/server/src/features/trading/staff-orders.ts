/**
 * Cancels the waiting orders of users who are no longer traders, and releases their reserves: staff open nothing.
 * Their positions stay. The check runs after a change of a role, at the start and every minute, so it recovers from a
 * failed check or a restart.
 *
 * Known limitation: the change of the role and the cancelling are two commits; a price between them may still fill an
 * order.
 */

import { AppError } from '@fulcrum/contract';
import type { Database } from '../../platform/database/index.ts';
import { isWaitingSql } from '../../platform/database/row-scope.ts';
import type { Log } from '../../platform/log/index.ts';
import { toCancelCommand } from './command-input.ts';
import type { Engine } from './engine/engine.ts';

/** Orders that one batch cancels; the others follow. */
const batchSize = 500;

interface StaffOrders {
  /** Starts a check now, or once more after the current one. Never throws. */
  check(): void;
  /** Resolves when no check is running. */
  idle(): Promise<void>;
}

export function createStaffOrders(deps: {
  db: Database;
  engine: Pick<Engine, 'submit'>;
  log: Log;
}): StaffOrders {
  const { db, engine, log } = deps;
  let running: Promise<void> | undefined;
  let isRequestedAgain: boolean = false;

  /** Returns the number of cancelled orders. */
  async function cancelBatch(): Promise<number> {
    const { rows } = await db.query<{ id: string; accountId: string; ownerId: string }>(
      `select o.id, o.user_id as "accountId", a.owner_id as "ownerId"
       from app.orders o join app.trading_accounts a on a.id = o.user_id join app.users u on u.id = a.owner_id
       where ${isWaitingSql('o.status')} and u.role <> 'trader' order by o.user_id, o.id limit $1`,
      [batchSize],
      'staff_orders',
    );
    const outcomes = await Promise.allSettled(
      rows.map(({ id, accountId, ownerId }) =>
        engine.submit(
          { accountId, ownerId, actorId: ownerId, authority: null, reason: null },
          toCancelCommand(id),
          null,
        ),
      ),
    );
    const canceled = outcomes.filter(({ status }) => status === 'fulfilled').length;
    if (canceled > 0) log.info({ orders: canceled }, 'canceled waiting orders of staff');
    const fault = outcomes.find(
      (outcome): outcome is PromiseRejectedResult =>
        outcome.status === 'rejected' && !(outcome.reason instanceof AppError),
    );
    if (fault) log.warn({ err: fault.reason }, 'canceling orders of staff failed; retrying in a minute');
    return canceled;
  }

  async function cancelAll(): Promise<void> {
    try {
      do {
        isRequestedAgain = false;
        // A refused one (an AppError) was filled or cancelled meanwhile, or waits for the next minute.
        while ((await cancelBatch()) === batchSize);
      } while (isRequestedAgain);
    } catch (error) {
      log.warn({ err: error }, 'canceling orders of staff failed; retrying in a minute');
    }
  }

  return {
    check: () => {
      if (running) {
        isRequestedAgain = true;
        return;
      }
      running = cancelAll().finally(() => {
        running = undefined;
      });
    },
    idle: async () => running,
  };
}
