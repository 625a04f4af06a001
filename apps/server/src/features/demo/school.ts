/**
 * A class and a contest that runs, with what their members have traded so far. Invariants: both and all their accounts are written in one transaction,
 * once; a demo without its manager has none. The trading follows in groups, as that of the invented users.
 */
import { dayMs, hourMs } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { openLockedAccount } from '../accounts/index.ts';
import { recordAuditEntry } from '../audit/index.ts';
import { createJoinClass } from '../classes/index.ts';
import type { DemoDependencies } from './dependencies.ts';
import {
  classTradesOf,
  contestOpenOf,
  contestTradesOf,
  schoolClass,
  schoolClientId,
  schoolContest,
  schoolRules,
} from './script/school.ts';
import { users } from './script/users.ts';
import { readSteps, recordStep } from './steps.ts';
import { findDemoUsers, writeTradesOf } from './users.ts';

/** Hours are whole, as those of a school. */
const hoursOf = (now: number) => {
  const hour = Math.floor(now / hourMs) * hourMs;
  return {
    classBegins: new Date(hour - schoolClass.beganDaysAgo * dayMs),
    classEnds: new Date(hour + schoolClass.endsInDays * dayMs),
    opens: new Date(hour - (schoolContest.beganDaysAgo + schoolContest.registrationDays) * dayMs),
    begins: new Date(hour - schoolContest.beganDaysAgo * dayMs),
    ends: new Date(hour + schoolContest.endsInDays * dayMs),
  };
};
type Hours = ReturnType<typeof hoursOf>;

async function readManager(db: Queryable): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    `select id from app.users where email = 'manager@fulcrum.local' and role = 'manager'`,
  );
  return rows[0]?.id ?? null;
}

/** In the order of the script, the demo's trader first where this demo has written their past. */
async function readMembers(db: DemoDependencies['db']): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from app.users where email = 'trader@fulcrum.local' and role = 'trader'`,
  );
  const trader = (await readSteps(db)).has('trader') ? rows.map(({ id }) => id) : [];
  const known = await findDemoUsers(db);
  const managed = users.filter(({ role, managed }) => role === 'trader' && managed);
  return [...trader, ...managed.flatMap(({ username }) => known.get(username)?.id ?? [])];
}

async function writeClass(
  tx: Queryable,
  managerId: string,
  { classBegins, classEnds }: Hours,
): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(
    `insert into app.classes (name, begins_at, ends_at, start_balance, rules, leverage_max, members_see_each_other, created_by, client_id,
       created_at, updated_at)
     values ($1, $2, $3, $4, 'standard', $5, true, $6, $7, $2, $2) returning id`,
    [
      ...[schoolClass.name, classBegins, classEnds, schoolClass.startBalance, schoolClass.leverageMax],
      ...[managerId, schoolClientId],
    ],
  );
  const id = rows[0]?.id ?? '';
  await tx.query('insert into app.class_tutors (class_id, user_id) values ($1, $2)', [id, managerId]);
  await recordAuditEntry(tx, {
    ...{ at: classBegins, actorId: managerId, subjectId: null, action: 'class.create', objectId: id },
    detail: { after: { name: schoolClass.name } },
  });
  return id;
}

/** It has begun without a commitment: its trades are invented, and the simulated market never had their prices. */
async function writeContest(
  tx: Queryable,
  managerId: string,
  classId: string,
  { opens, begins, ends }: Hours,
  entrants: number,
): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(
    `insert into app.programs (face, name, description, class_id, registration_opens_at, registration_ends_at, begins_at, ends_at, rules,
       begun_at, entrants, created_by, client_id, created_at, updated_at)
     values ('contest', $1, $2, $3, $4, $5, $5, $6, $7::jsonb, $5, $8, $9, $10, $4, $4) returning id`,
    [
      ...[schoolContest.name, schoolContest.description, classId, opens, begins, ends],
      ...[JSON.stringify(schoolRules), entrants, managerId, schoolClientId],
    ],
  );
  const id = rows[0]?.id ?? '';
  await recordAuditEntry(tx, {
    ...{ at: opens, actorId: managerId, subjectId: null, action: 'contest.create', objectId: id },
    detail: { after: { name: schoolContest.name } },
  });
  return id;
}

export async function writeSchool({ db, clock, config }: DemoDependencies): Promise<void> {
  const managerId = await readManager(db);
  const members = await readMembers(db);
  if (managerId === null || members.length === 0) return;
  const joinClass = createJoinClass(config);
  const hours = hoursOf(clock.now());
  await db.transaction(async (tx) => {
    await recordStep(tx, 'school');
    const classId = await writeClass(tx, managerId, hours);
    const contestId = await writeContest(tx, managerId, classId, hours, members.length);
    for (const [index, userId] of members.entries()) {
      await joinClass(tx, { classId, userId, actorId: managerId, at: hours.classBegins });
      const accountId = await openLockedAccount(tx, config, {
        ...{ ownerId: userId, belonging: { kind: 'contest', programId: contestId, number: index + 1 } },
        terms: {
          ...{ name: schoolContest.name, rules: schoolRules.ruleSet, leverageMax: schoolRules.leverageMax },
          startBalance: String(schoolRules.startBalance),
        },
        at: hours.opens,
      });
      await recordAuditEntry(tx, {
        ...{
          at: hours.opens,
          actorId: userId,
          subjectId: userId,
          action: 'contest.enter',
          objectId: contestId,
        },
        detail: { account_id: accountId, number: index + 1 },
      });
    }
  });
}

/** Of the accounts in which nobody has traded yet. */
export async function writeSchoolTrades(deps: DemoDependencies, signal: AbortSignal): Promise<void> {
  const { rows } = await deps.db.query<{ id: string; kind: 'class' | 'contest'; slot: number }>(
    `select a.id, a.kind, dense_rank() over (order by a.owner_id)::int - 1 as slot
     from app.trading_accounts a join app.wallets w on w.user_id = a.id
     left join app.classes c on c.id = a.class_id left join app.programs p on p.id = a.program_id
     where coalesce(c.client_id, p.client_id) = $1 and w.version = 1 and a.status = 'active'
     order by a.kind desc, a.owner_id`,
    [schoolClientId],
  );
  const traders = rows.map(({ id, kind, slot }) => ({
    id,
    trades: kind === 'class' ? classTradesOf(slot) : contestTradesOf(slot),
    open: kind === 'class' ? [] : contestOpenOf(slot),
  }));
  await writeTradesOf(deps, traders, schoolClass.beganDaysAgo, signal);
}

/** A connection of the owner of the tables. Resolves with whether nothing is left: what has another member stays. */
export async function deleteDemoSchool(owner: {
  query(text: string, values: unknown[]): Promise<{ readonly rowCount: number | null }>;
}): Promise<boolean> {
  const own = `select p.id from app.programs p where p.client_id = $1
    and not exists (select from app.trading_accounts a where a.program_id = p.id)`;
  await owner.query(`delete from app.program_markets where program_id in (${own})`, [schoolClientId]);
  await owner.query(`delete from app.program_results where program_id in (${own})`, [schoolClientId]);
  await owner.query(`delete from app.programs where id in (${own})`, [schoolClientId]);
  await owner.query(
    `delete from app.classes c where c.client_id = $1
     and not exists (select from app.trading_accounts a where a.class_id = c.id)
     and not exists (select from app.programs p where p.class_id = c.id)`,
    [schoolClientId],
  );
  const { rowCount } = await owner.query('select from app.classes where client_id = $1', [schoolClientId]);
  return rowCount === 0;
}
