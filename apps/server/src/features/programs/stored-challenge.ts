/** Challenges as they are stored, and who reads which. Invariant: a challenge that the caller may not read does not exist. */
import { AppError, type ChallengeRow, challengeRules, type SignedIn, texts } from '@fulcrum/contract';
import { type ChallengeTimes, challengePhaseOf } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';

/** Challenges of this server that have not ended; the list shows as many. */
export const challengesMax = 500;

export interface StoredChallenge {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly class_id: string | null;
  readonly class_name: string | null;
  readonly opens_at: Date;
  readonly starts_until: Date;
  readonly ends_at: Date;
  readonly rules: unknown;
  readonly version: number;
  readonly attempts: number;
  readonly own_attempts: number;
  /** Whether the caller is in its class, where it has one. */
  readonly may_start: boolean;
  /** The account of the step in progress; null between steps. */
  readonly account_id: string | null;
  /** Of the caller's last attempt: whether all of its steps are passed, and whether the next one is about to open. */
  readonly is_passed: boolean;
  readonly is_advancing: boolean;
}

/** Of the caller's last attempt the last verdict, where nothing of it is in progress. */
const lastVerdict = `
  select v.outcome, v.step from app.program_verdicts v join app.trading_accounts a on a.id = v.account_id
  where v.program_id = p.id and a.owner_id = $1 order by v.attempt desc, v.step desc limit 1`;

const isOfMember = `p.class_id is null
  or exists (select from app.trading_accounts a where a.class_id = p.class_id and a.owner_id = $1 and a.status = 'active')`;

/** $1: the caller, $2: the role. */
const selectChallenge = `
  select p.id, p.name, p.description, p.class_id, c.name as class_name, p.registration_opens_at as opens_at,
         p.registration_ends_at as starts_until, p.ends_at, p.rules, p.version, o.attempts, o.own_attempts, o.account_id,
         coalesce(v.outcome = 'passed' and v.step = jsonb_array_length(p.rules -> 'steps'), false) as is_passed,
         coalesce(o.account_id is null and v.outcome = 'passed' and v.step < jsonb_array_length(p.rules -> 'steps'), false)
           as is_advancing, (${isOfMember}) as may_start
  from app.programs p left join app.classes c on c.id = p.class_id
  cross join lateral (
    select count(distinct a.program_attempt)::int as attempts,
           (count(distinct a.program_attempt) filter (where a.owner_id = $1))::int as own_attempts,
           (array_agg(a.id) filter (where a.owner_id = $1 and a.status = 'active'))[1] as account_id
    from app.trading_accounts a where a.program_id = p.id) o
  left join lateral (${lastVerdict}) v on true
  where p.face = 'challenge' and case $2
    when 'admin' then true
    when 'manager' then p.class_id is null
      or exists (select from app.class_tutors t where t.class_id = p.class_id and t.user_id = $1)
    when 'trader' then o.own_attempts > 0 or ${isOfMember}
    else false end`;

/** @throws AppError not_found */
export async function readChallenge(tx: Queryable, caller: SignedIn, id: string): Promise<StoredChallenge> {
  const { rows } = await tx.query<StoredChallenge>(
    `${selectChallenge} and p.id = $3`,
    [caller.userId, caller.role, id.toLowerCase()],
    'read_challenge',
  );
  const [found] = rows;
  if (!found) throw new AppError('not_found', 'This challenge does not exist.');
  return found;
}

/** What a trader can still start, or has started; for staff all that they read. */
export async function readChallenges(tx: Queryable, caller: SignedIn, now: Date): Promise<StoredChallenge[]> {
  const { rows } = await tx.query<StoredChallenge>(
    `select * from (${selectChallenge}) p
     where $2 <> 'trader' or p.own_attempts > 0 or p.starts_until > $3
     order by p.ends_at desc, p.id limit ${challengesMax}`,
    [caller.userId, caller.role, now],
    'list_challenges',
  );
  return rows;
}

const timesOfChallenge = (
  of: Pick<StoredChallenge, 'opens_at' | 'starts_until' | 'ends_at'>,
): ChallengeTimes => ({
  opens: of.opens_at.getTime(),
  startsUntil: of.starts_until.getTime(),
  ends: of.ends_at.getTime(),
});

export const rulesOfChallenge = (of: Pick<StoredChallenge, 'rules'>) => challengeRules.parse(of.rules);

const takesNoMore = 'This challenge takes no more attempts.';

/** Why the caller starts no attempt now; null where they may. */
export function startRefusal(of: StoredChallenge, now: number): string | null {
  const phase = challengePhaseOf(timesOfChallenge(of), now);
  const { attemptsMax } = rulesOfChallenge(of);
  if (of.is_passed) return 'You have passed this challenge.';
  if (phase === 'ended') return takesNoMore;
  if (of.is_advancing) return 'The next step of your attempt opens within seconds.';
  if (!of.may_start) return 'This challenge is for the members of its class, and you are not in it any more.';
  if (phase === 'announced') return texts.challengeOpens(of.opens_at);
  if (phase !== 'open') return takesNoMore;
  return of.own_attempts < attemptsMax
    ? null
    : `You have made ${attemptsMax === 1 ? 'the one attempt' : `all ${attemptsMax} attempts`} of this challenge.`;
}

export function toChallengeRow(of: StoredChallenge, role: SignedIn['role'], now: number): ChallengeRow {
  const { opens_at, starts_until, ends_at, is_passed: _, is_advancing: __, may_start: ___, ...row } = of;
  return {
    ...row,
    opens_at: opens_at.toISOString(),
    starts_until: starts_until.toISOString(),
    ends_at: ends_at.toISOString(),
    rules: rulesOfChallenge(of),
    phase: challengePhaseOf(timesOfChallenge(of), now),
    can_start: role === 'trader' && of.account_id === null && startRefusal(of, now) === null,
  };
}
