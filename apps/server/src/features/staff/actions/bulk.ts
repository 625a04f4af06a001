/**
 * Bulk actions of an admin: the single action for each user, with a report of every row. Invariants: a refused row does not
 * stop the others; each done row has its own audit row and announcement, because it is the single action; a caller whose
 * session ended does nothing more.
 *
 * Known limitation: it is no transaction. A disconnected caller does not stop it; a repeat reports finished rows as before
 * (restricting, by its client id) or as unchanged (assigning).
 */
import { hash } from 'node:crypto';
import {
  AppError,
  type assignUsersToManager,
  type assignUserToManager,
  type restrictUsers,
  type SignedIn,
  texts,
} from '@fulcrum/contract';
import type { z } from 'zod';
import type { Queryable } from '../../../platform/database/index.ts';
import { requireReason } from '../../audit/index.ts';
import type { StaffDependencies } from '../dependencies.ts';
import type { createAccountCommands } from './account-commands.ts';

type Report = z.output<typeof assignUsersToManager.result>;
type Row = Report['rows'][number];

interface Subject {
  readonly id: string;
  readonly username: string;
  readonly managerId: string | null;
}

/** Restrictions under way at once; the engine commits those of one moment together. */
const atOnce = 20;

type UserActions = ReturnType<typeof createAccountCommands> & {
  assign_user_to_manager(caller: SignedIn, args: z.output<typeof assignUserToManager.args>): Promise<unknown>;
};

export function createBulkActions(
  { db, log }: Pick<StaffDependencies, 'db' | 'log'>,
  single: Pick<UserActions, 'assign_user_to_manager' | 'restrict_user'>,
) {
  /** @throws AppError `not_signed_in` for a caller who is none any more */
  async function runAction(action: () => Promise<Row['outcome']>): Promise<Pick<Row, 'outcome' | 'message'>> {
    try {
      return { outcome: await action(), message: null };
    } catch (error) {
      if (!(error instanceof AppError)) {
        log.error({ err: error }, 'a row of a bulk action failed');
        return { outcome: 'refused', message: texts.unexpectedError };
      }
      if (error.code === 'not_signed_in') throw error;
      if (error.code === 'restriction_unchanged') return { outcome: 'unchanged', message: null };
      return { outcome: 'refused', message: error.message };
    }
  }

  async function runForEach(
    ids: readonly string[],
    width: number,
    action: (subject: Subject) => Promise<Row['outcome']>,
  ): Promise<Report> {
    const distinctIds = [...new Set(ids.map((id) => id.toLowerCase()))];
    const subjects = await subjectsOf(db, distinctIds);
    const rows: Row[] = [];
    for (let first = 0; first < distinctIds.length; first += width) {
      const some = distinctIds.slice(first, first + width).map(async (id): Promise<Row> => {
        const subject = subjects.get(id);
        if (!subject) return { user_id: id, username: null, outcome: 'refused', message: texts.userNotFound };
        return { user_id: id, username: subject.username, ...(await runAction(() => action(subject))) };
      });
      rows.push(...(await Promise.all(some)));
    }
    return { rows };
  }

  return {
    /** In sequence: changes of assignments take the staff lock anyway. */
    assign_users_to_manager(
      caller: SignedIn,
      args: z.output<typeof assignUsersToManager.args>,
    ): Promise<Report> {
      const managerId = args.p_manager_id?.toLowerCase() ?? null;
      return runForEach(args.p_user_ids, 1, async (subject) => {
        if (subject.managerId === managerId) return 'unchanged';
        await single.assign_user_to_manager(caller, {
          p_user_id: subject.id,
          p_manager_id: managerId,
        });
        return 'done';
      });
    },

    /** @throws AppError `reason_required`, `invalid_argument` for a reason that cannot be stored, `not_signed_in` */
    async restrict_users(caller: SignedIn, args: z.output<typeof restrictUsers.args>): Promise<Report> {
      const reason = requireReason(args.p_reason);
      const { p_restricted: restricted, p_client_id: clientId } = args;
      return runForEach(args.p_user_ids, atOnce, async ({ id }) => {
        await single.restrict_user(caller, {
          p_user_id: id,
          p_restricted: restricted,
          p_reason: reason,
          p_client_id: clientId == null ? null : hash('sha256', `${clientId} ${id}`, 'hex'),
        });
        return 'done';
      });
    },
  };
}

async function subjectsOf(db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, Subject>> {
  const { rows } = await db.query<Subject>(
    `select id, username, manager_id as "managerId" from app.users where id = any($1::uuid[])`,
    [ids],
    'bulk_subjects',
  );
  return new Map(rows.map((row) => [row.id, row]));
}
