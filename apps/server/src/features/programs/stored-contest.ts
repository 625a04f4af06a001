/** Contests as they are stored, and who reads which. Invariant: a contest that the caller may not read does not exist. */
import { AppError, type ContestRow, contestRules, type SignedIn } from '@fulcrum/contract';
import { type ContestTimes, canEnter, contestPhaseOf } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';

/** Contests of this server; the list shows all of them. */
export const contestsMax = 500;

export interface StoredContest {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly class_id: string | null;
  readonly class_name: string | null;
  readonly registration_opens_at: Date;
  readonly registration_ends_at: Date;
  readonly begins_at: Date;
  readonly ends_at: Date;
  readonly rules: unknown;
  readonly version: number;
  readonly frozen_at: Date | null;
  readonly withdrawn_at: Date | null;
  /** Those of the result once there is one: it keeps an entrant whose user was deleted. */
  readonly entrants: number;
  readonly account_id: string | null;
}

/** $1: the caller, $2: the role. */
const selectContest = `
  select p.id, p.name, p.description, p.class_id, c.name as class_name, p.registration_opens_at, p.registration_ends_at,
         p.begins_at, p.ends_at, p.rules, p.version, p.frozen_at, p.withdrawn_at,
         coalesce((select r.entrants from app.program_results r where r.program_id = p.id and r.attempt = 0),
                  (select count(*)::int from app.trading_accounts a where a.program_id = p.id)) as entrants,
         (select a.id from app.trading_accounts a where a.program_id = p.id and a.owner_id = $1 limit 1) as account_id
  from app.programs p left join app.classes c on c.id = p.class_id
  where p.face = 'contest' and case $2
    when 'admin' then true
    when 'manager' then p.class_id is null
      or exists (select from app.class_tutors t where t.class_id = p.class_id and t.user_id = $1)
    when 'trader' then exists (select from app.trading_accounts a where a.program_id = p.id and a.owner_id = $1)
      or p.class_id is null
      or exists (select from app.trading_accounts a where a.class_id = p.class_id and a.owner_id = $1 and a.status = 'active')
    else false end`;

const contestNotFound = () => new AppError('not_found', 'This contest does not exist.');

/** @throws AppError not_found */
export async function readContest(tx: Queryable, caller: SignedIn, id: string): Promise<StoredContest> {
  const { rows } = await tx.query<StoredContest>(
    `${selectContest} and p.id = $3`,
    [caller.userId, caller.role, id.toLowerCase()],
    'read_contest',
  );
  const [found] = rows;
  if (!found) throw contestNotFound();
  return found;
}

/** What depends on the time is decided by the time after this: another change may have been a long wait. Resolves with whether the contest had begun by then. */
export async function lockContest(tx: Queryable, id: string): Promise<boolean> {
  const { rows } = await tx.query<{ hasBegun: boolean }>(
    'select begun_at is not null as "hasBegun" from app.programs where id = $1 for update',
    [id],
  );
  return rows[0]?.hasBegun === true;
}

/** What a trader can still enter, or has entered; for staff all that they read. */
export async function readContests(tx: Queryable, caller: SignedIn, now: Date): Promise<StoredContest[]> {
  const { rows } = await tx.query<StoredContest>(
    `select * from (${selectContest}) p
     where $2 <> 'trader' or p.account_id is not null or (p.registration_ends_at > $3 and p.withdrawn_at is null)
     order by p.ends_at desc, p.id limit ${contestsMax}`,
    [caller.userId, caller.role, now],
    'list_contests',
  );
  return rows;
}

export const timesOf = (
  of: Pick<StoredContest, 'registration_opens_at' | 'registration_ends_at' | 'begins_at' | 'ends_at'>,
): ContestTimes => ({
  registrationOpens: of.registration_opens_at.getTime(),
  registrationEnds: of.registration_ends_at.getTime(),
  begins: of.begins_at.getTime(),
  ends: of.ends_at.getTime(),
});

export const rulesOf = (of: Pick<StoredContest, 'rules'>) => contestRules.parse(of.rules);

export function toRow(of: StoredContest, role: SignedIn['role'], now: number): ContestRow {
  const times = timesOf(of);
  const isWithdrawn = of.withdrawn_at !== null;
  return {
    ...of,
    rules: rulesOf(of),
    registration_opens_at: of.registration_opens_at.toISOString(),
    registration_ends_at: of.registration_ends_at.toISOString(),
    begins_at: of.begins_at.toISOString(),
    ends_at: of.ends_at.toISOString(),
    frozen_at: of.frozen_at?.toISOString() ?? null,
    withdrawn_at: of.withdrawn_at?.toISOString() ?? null,
    phase: isWithdrawn ? 'withdrawn' : contestPhaseOf(times, of.frozen_at !== null, now),
    can_enter: role === 'trader' && of.account_id === null && !isWithdrawn && canEnter(times, now),
  };
}
