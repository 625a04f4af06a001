/**
 * Bulk actions of staff: the single action for each user, with a report of every row. Invariants: to a manager, a user who is
 * not assigned to them does not exist; a refused row does not stop the others; each done row has its own audit row and
 * announcement, because it is the single action; a caller whose session ended does nothing more.
 *
 * Known limitation: it is no transaction. A disconnected caller does not stop it; a repeat reports finished rows as before
 * (by its client id) or as unchanged (assigning).
 */
import { hash } from 'node:crypto';
import {
  AppError,
  type ArgsOf,
  managerOf,
  type ResultOf,
  type SignedIn,
  texts,
  type UserRole,
} from '@fulcrum/contract';
import type { Queryable } from '../../../platform/database/index.ts';
import { requireReason } from '../../audit/index.ts';
import { lockStaffChanges } from '../../identity/index.ts';
import type { StaffDependencies } from '../dependencies.ts';
import {
  type BulkSubject,
  type createAccountCommands,
  type createBulkCommands,
  parseFundsChange,
} from './account-commands.ts';

type Report = ResultOf<'assign_users_to_manager'>;
type Row = Report['rows'][number];

export interface Subject {
  readonly id: string;
  readonly username: string;
  readonly managerId: string | null;
  readonly role: UserRole;
  readonly hasSignedIn: boolean;
  /** That the action is on; null for who has none in the class. */
  readonly accountId: string | null;
}

/** Commands under way at once; the engine commits those of one moment together. */
const atOnce = 20;
/** A reset may end many positions, and other commands wait for each. */
const resetsAtOnce = 4;

type UserActions = ReturnType<typeof createAccountCommands> & {
  assign_user_to_manager(caller: SignedIn, args: ArgsOf<'assign_user_to_manager'>): Promise<unknown>;
};

export function createBulkActions(
  { db, log }: Pick<StaffDependencies, 'db' | 'log'>,
  single: Pick<UserActions, 'assign_user_to_manager' | 'restrict_user'>,
  { adjustFunds, reset }: ReturnType<typeof createBulkCommands>,
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
      if (isUnchanged(error)) return { outcome: 'unchanged', message: null };
      return { outcome: 'refused', message: error.message };
    }
  }

  async function runForEach(
    caller: SignedIn,
    ids: readonly string[],
    { width, classId = null }: { readonly width: number; readonly classId?: string | null | undefined },
    action: (subject: Subject) => Promise<Row['outcome']>,
  ): Promise<Report> {
    const distinctIds = [...new Set(ids.map((id) => id.toLowerCase()))];
    const subjects = await subjectsOf(db, caller, { ids: distinctIds, classId });
    const rows: Row[] = [];
    for (let first = 0; first < distinctIds.length; first += width) {
      await db.transaction((tx) => lockStaffChanges(tx, caller));
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
    assign_users_to_manager(caller: SignedIn, args: ArgsOf<'assign_users_to_manager'>): Promise<Report> {
      const managerId = args.p_manager_id?.toLowerCase() ?? null;
      return runForEach(caller, args.p_user_ids, { width: 1 }, async (subject) => {
        if (subject.managerId === managerId) return 'unchanged';
        await single.assign_user_to_manager(caller, {
          p_user_id: subject.id,
          p_manager_id: managerId,
        });
        return 'done';
      });
    },

    /** @throws AppError `reason_required`, `invalid_argument` for a reason that cannot be stored, `not_signed_in` */
    async restrict_users(caller: SignedIn, args: ArgsOf<'restrict_users'>): Promise<Report> {
      const reason = requireReason(args.p_reason);
      const { p_restricted: restricted, p_client_id: clientId } = args;
      return runForEach(caller, args.p_user_ids, { width: atOnce }, async ({ id }) => {
        await single.restrict_user(caller, {
          p_user_id: id,
          p_restricted: restricted,
          p_reason: reason,
          p_client_id: rowClientId(clientId, id),
        });
        return 'done';
      });
    },

    /** @throws AppError `funds_amount_invalid`, `reason_required`, `not_signed_in` */
    async adjust_funds_of_users(caller: SignedIn, args: ArgsOf<'adjust_funds_of_users'>): Promise<Report> {
      const reason = requireReason(args.p_reason);
      const change = parseFundsChange(args.p_change, args.p_amount);
      const terms = { width: atOnce, classId: args.p_class_id };
      return runForEach(caller, args.p_user_ids, terms, async (subject) => {
        await adjustFunds(caller, toBulkSubject(subject, reason, args.p_client_id), change);
        return 'done';
      });
    },

    /** @throws AppError `reason_required`, `not_signed_in` */
    async reset_users(caller: SignedIn, args: ArgsOf<'reset_users'>): Promise<Report> {
      const reason = requireReason(args.p_reason);
      const terms = { width: resetsAtOnce, classId: args.p_class_id };
      return runForEach(caller, args.p_user_ids, terms, async (subject) => {
        await reset(caller, toBulkSubject(subject, reason, args.p_client_id));
        return 'done';
      });
    },
  };
}

/** Of one row, so that a repeat of the whole finds each answer. */
const rowClientId = (clientId: string | null | undefined, userId: string): string | null =>
  clientId == null ? null : hash('sha256', `${clientId} ${userId}`, 'hex');

/** @throws AppError `not_found` for a user who is no member of the class */
export function accountIdOf({ accountId }: Pick<Subject, 'accountId'>): string {
  if (accountId === null) throw new AppError('not_found', 'This user is no member of the class.');
  return accountId;
}

const toBulkSubject = (
  subject: Subject,
  reason: string,
  clientId: string | null | undefined,
): BulkSubject => ({
  accountId: accountIdOf(subject),
  ownerId: subject.id,
  reason,
  clientId: rowClientId(clientId, subject.id),
});

/** Nothing was to be done. */
export const isUnchanged = ({ code }: AppError): boolean =>
  code === 'restriction_unchanged' || code === 'funds_unchanged';

interface Subjects {
  readonly ids: readonly string[];
  readonly classId: string | null;
}

/**
 * Those whom the caller reaches, with their accounts of the class, or null of who is no member; without a class their main accounts. Each action
 * checks its right again.
 */
export async function subjectsOf(
  db: Queryable,
  caller: SignedIn,
  { ids, classId }: Subjects,
): Promise<ReadonlyMap<string, Subject>> {
  const { rows } = await db.query<Subject>(
    `select u.id, u.username, u.manager_id as "managerId", u.role, u.last_login is not null as "hasSignedIn",
            case when $2::uuid is null then u.id else a.id end as "accountId"
     from app.users u left join app.trading_accounts a on a.class_id = $2 and a.owner_id = u.id and a.status = 'active'
     where u.id = any($1::uuid[]) and ($3::uuid is null or u.manager_id = $3)`,
    [ids, classId, managerOf(caller)],
    'bulk_subjects',
  );
  return new Map(rows.map((row) => [row.id, row]));
}
