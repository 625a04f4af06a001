/**
 * The members of a class: who joins and leaves, and what their accounts hold. Invariants: a refused user does not stop the others; a member
 * leaves with nothing open; a tutor reads the members of their own classes only, whoever manages them.
 */
import {
  AppError,
  type ArgsOf,
  type ClassMemberRow,
  managerOf,
  type ResultOf,
  type SignedIn,
  texts,
} from '@fulcrum/contract';
import { minuteMs, NO_MONEY, openRiskOf, toNumber } from '@fulcrum/domain';
import { createTtlCache } from '../../platform/cache/ttl-cache.ts';
import type { Queryable } from '../../platform/database/index.ts';
import { inReadSnapshot } from '../../platform/database/read-snapshot.ts';
import { isOpenSql } from '../accounts/index.ts';
import { readDeepestFalls, readReturns } from '../analytics/index.ts';
import { lockStaffChanges } from '../identity/index.ts';
import { marksOf, readEquities } from '../trading/index.ts';
import { classesMax, classNotFound } from './classes.ts';
import type { ClassesDependencies } from './dependencies.ts';
import { type JoinClass, joiningRefusal, leaveClass, openItemsRefusal } from './membership.ts';

type Report = ResultOf<'add_class_members'>;
type ReportRow = Report['rows'][number];

interface Subject {
  readonly id: string;
  readonly username: string;
}

interface JoiningPreview {
  readonly classId: string;
  /** The class that they move from. */
  readonly fromId: string | null;
  readonly userIds: readonly string[];
}

interface Candidate {
  readonly id: string;
  readonly role: string;
  readonly isMember: boolean;
  readonly isInFormer: boolean;
  /** Something is open in the account of the former class. */
  readonly isOpen: boolean;
}

const notInFormerClass = () => new AppError('conflict', 'This user is no member of the class to move from.');

type MemberFigures = Omit<ClassMemberRow, 'equity' | 'return_pct' | 'open_risk' | 'drawdown_pct'>;

/** $1: the class. $2: the manager whom it is read for, whose users they may fund; null of an admin. */
const membersQuery = `
  select a.owner_id as user_id, a.id as account_id, ($2::uuid is null or u.manager_id is not distinct from $2) as is_funded_by_caller,
         u.username, u.email, a.created_at as joined_at, u.last_login,
         p.open_positions, p.last_trade_at
  from app.trading_accounts a join app.users u on u.id = a.owner_id
  -- By the index of each: a member may have thousands of positions.
  cross join lateral (
    select (select count(*)::int from app.positions where user_id = a.id and status = 'open') as open_positions,
           greatest((select created_at from app.positions where user_id = a.id order by created_at desc limit 1),
             (select closed_at from app.positions where user_id = a.id and status = 'closed' order by closed_at desc limit 1)) as last_trade_at
  ) p
  where a.class_id = $1 and a.status = 'active' order by u.username`;

/** All snapshots of a class are read for them, and each viewer reads the class every few seconds. */
const drawdownsCachedForMs = minuteMs;

export function createClassMembers(
  { db, clock, reload, bus, market, log, withReadSlot }: ClassesDependencies,
  joinClass: JoinClass,
) {
  const drawdowns = createTtlCache<ReadonlyMap<string, number>>(clock, {
    ttlMs: drawdownsCachedForMs,
    max: classesMax,
  });
  const announceArchived = (accountIds: readonly string[]): void => {
    reload(accountIds);
    for (const accountId of accountIds) bus.publish('account.archived', { accountId });
  };

  /** Each user in a transaction of its own, with its audit row. What `work` resolves with is called once it is committed. */
  async function runForEach(
    caller: SignedIn,
    ids: readonly string[],
    work: (tx: Queryable, subject: Subject, at: Date) => Promise<'unchanged' | (() => void)>,
  ): Promise<Report> {
    const distinct = [...new Set(ids.map((id) => id.toLowerCase()))];
    const { rows: found } = await db.query<Subject>(
      'select id, username from app.users where id = any ($1::uuid[])',
      [distinct],
      'class_subjects',
    );
    const subjects = new Map(found.map((subject) => [subject.id, subject]));
    const rows: ReportRow[] = [];
    for (const id of distinct) {
      const subject = subjects.get(id);
      const base = { user_id: id, username: subject?.username ?? null };
      if (!subject) {
        rows.push({ ...base, outcome: 'refused', message: texts.userNotFound });
        continue;
      }
      try {
        const outcome = await db.transaction(async (tx) => {
          await lockStaffChanges(tx, caller);
          return work(tx, subject, new Date(clock.now()));
        });
        if (outcome !== 'unchanged') outcome();
        rows.push({ ...base, outcome: outcome === 'unchanged' ? outcome : 'done', message: null });
      } catch (error) {
        if (error instanceof AppError && error.code === 'not_signed_in') throw error;
        if (!(error instanceof AppError)) log.error({ err: error }, 'a row of a class command failed');
        const message = error instanceof AppError ? error.message : texts.unexpectedError;
        rows.push({ ...base, outcome: 'refused', message });
      }
    }
    return { rows };
  }

  /** @throws AppError not_found for a class that is none, or not the caller's */
  async function requireReach(tx: Queryable, caller: SignedIn, classId: string): Promise<void> {
    const { rowCount } = await tx.query(
      `select from app.classes c where c.id = $1
       and ($2::uuid is null or exists (select from app.class_tutors t where t.class_id = c.id and t.user_id = $2))`,
      [classId, managerOf(caller)],
      'reach_class',
    );
    if (rowCount === 0) throw classNotFound();
  }

  /**
   * What `add_class_members` would do to each of these users now. Known limitation: a name of the class that another account of the trader
   * has is found at the joining only.
   * @throws AppError not_found for a class that is none
   */
  async function previewJoining({ classId, fromId, userIds }: JoiningPreview) {
    const at = new Date(clock.now());
    const { rows: classes } = await db.query<{ name: string; endsAt: Date; members: number }>(
      `select c.name, c.ends_at as "endsAt",
              (select count(*)::int from app.trading_accounts a where a.class_id = c.id and a.status = 'active') as members
       from app.classes c where c.id = $1`,
      [classId],
      'preview_class',
    );
    const [found] = classes;
    if (!found) throw classNotFound();
    const { rows } = await db.query<Candidate>(
      `select u.id, u.role, a.id is not null as "isMember", f.id is not null as "isInFormer",
              f.id is not null and ${isOpenSql('f.id')} as "isOpen"
       from app.users u
       left join app.trading_accounts a on a.class_id = $2 and a.owner_id = u.id and a.status = 'active'
       left join app.trading_accounts f on f.class_id = $3 and f.owner_id = u.id and f.status = 'active'
       where u.id = any ($1::uuid[])`,
      [userIds, classId, fromId],
      'preview_joining',
    );
    const candidates = new Map(rows.map((row) => [row.id, row]));
    let { members } = found;
    const outcomes = new Map<string, AppError | 'unchanged' | 'done'>();
    for (const id of userIds) {
      const user = candidates.get(id);
      if (!user) continue;
      const { isMember, isInFormer, isOpen } = user;
      const refusal =
        (isOpen ? openItemsRefusal() : null) ??
        (isMember ? null : joiningRefusal(user.role, { ...found, members }, at)) ??
        (!isMember && !isInFormer && fromId !== null ? notInFormerClass() : null);
      outcomes.set(id, refusal ?? (isMember && !isInFormer ? 'unchanged' : 'done'));
      if (refusal === null && !isMember) members += 1;
    }
    return outcomes;
  }

  return {
    requireReach,
    previewJoining,
    procedures: {
      /** @throws AppError not_found; AccountError session_ended */
      add_class_members: async (caller: SignedIn, args: ArgsOf<'add_class_members'>) => {
        const classId = args.p_class_id.toLowerCase();
        await requireReach(db, caller, classId);
        const fromId = args.p_from_class_id?.toLowerCase() ?? null;
        if (fromId === classId) throw new AppError('invalid_argument', 'They are in this class already.');
        if (fromId !== null) await requireReach(db, caller, fromId);
        const reason = args.p_reason?.trim() || null;
        const joined: string[] = [];
        const archived: string[] = [];
        try {
          return await runForEach(caller, args.p_user_ids, async (tx, { id: userId }, at) => {
            const of = { userId, actorId: caller.userId, at, reason };
            const left = fromId === null ? null : await leaveClass(tx, { ...of, classId: fromId });
            const accountId = await joinClass(tx, { ...of, classId });
            if (accountId !== null && left === null && fromId !== null) throw notInFormerClass();
            if (accountId === null && left === null) return 'unchanged';
            return () => {
              if (accountId !== null) joined.push(accountId);
              if (left !== null) archived.push(left);
            };
          });
        } finally {
          // Also of the rows before one that ended the command. Who was a member before has an account in memory.
          reload(joined);
          announceArchived(archived);
        }
      },

      /** @throws AppError not_found; AccountError session_ended */
      remove_class_members: async (caller: SignedIn, args: ArgsOf<'remove_class_members'>) => {
        const classId = args.p_class_id.toLowerCase();
        await requireReach(db, caller, classId);
        const archived: string[] = [];
        try {
          return await runForEach(caller, args.p_user_ids, async (tx, { id: userId }, at) => {
            const left = await leaveClass(tx, { classId, userId, actorId: caller.userId, at });
            return left === null ? 'unchanged' : () => void archived.push(left);
          });
        } finally {
          announceArchived(archived);
        }
      },

      /** @throws AppError not_found */
      list_class_members: (caller: SignedIn, args: ArgsOf<'list_class_members'>) =>
        withReadSlot(caller.actorId, () =>
          inReadSnapshot(db, async (tx): Promise<ClassMemberRow[]> => {
            const classId = args.p_class_id.toLowerCase();
            await requireReach(tx, caller, classId);
            const { rows } = await tx.query<MemberFigures>(
              membersQuery,
              [classId, managerOf(caller)],
              'list_class_members',
            );
            const ids = rows.map(({ account_id }) => account_id);
            const held = await readEquities(tx, ids, marksOf(market));
            const returns = await readReturns(tx, ids);
            const falls = await drawdowns.get(classId, () => readDeepestFalls(tx, returns));
            return rows.map((row) => {
              const account = held.get(row.account_id);
              const equity = account?.equity ?? NO_MONEY;
              return {
                ...row,
                joined_at: toIso(row.joined_at) ?? '',
                last_login: toIso(row.last_login),
                last_trade_at: toIso(row.last_trade_at),
                equity: toNumber(equity),
                return_pct: toNumber(returns.of(row.account_id, equity)),
                drawdown_pct: falls.get(row.account_id) ?? 0,
                open_risk: toNumber(openRiskOf(account?.positions ?? [], account?.orders ?? [])),
              };
            });
          }),
        ),
    },
  };
}

const toIso = (at: unknown): string | null => (at instanceof Date ? at.toISOString() : null);
