/**
 * The result of an attempt that has passed a challenge: a document with the rules and the verdict of each step, whose hash the audit chain has.
 * Invariants: an attempt gets it once, with its audit row, after the verdict of its last step; it has no personal data.
 */
import { challengeVerdict } from '@fulcrum/contract';
import { minuteMs } from '@fulcrum/domain';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/index.ts';
import { recordAuditEntry } from '../audit/index.ts';
import type { ProgramsDependencies } from './dependencies.ts';
import { hashOf } from './result.ts';
import { createRetriedRows, rowsAtOnce } from './retried-rows.ts';
import { rulesOfChallenge } from './stored-challenge.ts';

const firstId = '00000000-0000-0000-0000-000000000000';
/** Verdicts of another server: for its clock, and for its transactions that take long. */
const overlapMs = minuteMs;

const challengeSteps = z.array(z.object({ step: z.number(), verdict: challengeVerdict }));

/** What of the document a certificate needs. */
export const challengeResult = z.object({
  challenge: z.object({ id: z.string(), name: z.string(), begins_at: z.string(), ends_at: z.string() }),
  attempt: z.number(),
  rules: z.unknown(),
  steps: z.unknown(),
});

/** The text that is hashed; a certificate has all parts of it. */
export const formatChallengeResult = ({
  challenge,
  attempt,
  rules,
  steps,
}: z.output<typeof challengeResult>): string => JSON.stringify({ v: 1, challenge, attempt, rules, steps });

/** A verdict of `app.program_verdicts v` as JSON. */
export const verdictSql = `json_build_object('outcome', v.outcome, 'rule', v.rule,
  'decided_at', to_char(v.decided_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'marks',
  (select coalesce(json_agg(jsonb_build_object('symbol', m.key) || m.value order by m.key), '[]') from jsonb_each(v.marks) m),
  'arithmetic', v.arithmetic)`;

interface Passed {
  readonly createdAt: Date;
  /** Where the next page begins. */
  readonly cursor: string;
  readonly programId: string;
  readonly attempt: number;
  readonly name: string;
  readonly beginsAt: Date;
  readonly endsAt: Date;
  readonly rules: unknown;
  /** Null of a user who is gone. */
  readonly ownerId: string | null;
  readonly steps: unknown;
}

/** $1, $2, $3: the verdict before the first one: its instant, its program, its attempt. */
const passedQuery = `
  select l.created_at as "createdAt", l.created_at::text as cursor, l.program_id as "programId", l.attempt, p.name, p.begins_at as "beginsAt", p.ends_at as "endsAt", p.rules, a.owner_id as "ownerId",
         (select json_agg(json_build_object('step', v.step, 'verdict', ${verdictSql}) order by v.step)
          from app.program_verdicts v where v.program_id = l.program_id and v.attempt = l.attempt) as steps
  from app.program_verdicts l
  join app.programs p on p.id = l.program_id and l.step = jsonb_array_length(p.rules -> 'steps')
  left join app.trading_accounts a on a.id = l.account_id
  where l.outcome = 'passed' and (l.created_at, l.program_id, l.attempt) > ($1::timestamptz, $2::uuid, $3::int)
    and not exists (select from app.program_results r where r.program_id = l.program_id and r.attempt = l.attempt)
  order by l.created_at, l.program_id, l.attempt limit ${rowsAtOnce}`;

export function createChallengeResults({
  db,
  clock,
  log,
}: Pick<ProgramsDependencies, 'db' | 'clock' | 'log'>) {
  /** All verdicts before it have their results. */
  let completeUntil = 0;

  async function write(tx: Queryable, passed: Passed, at: Date): Promise<void> {
    const { programId, attempt, name, beginsAt, endsAt, ownerId } = passed;
    const document = formatChallengeResult({
      challenge: {
        ...{ id: programId, name },
        ...{ begins_at: beginsAt.toISOString(), ends_at: endsAt.toISOString() },
      },
      ...{ attempt, rules: rulesOfChallenge(passed), steps: challengeSteps.parse(passed.steps) },
    });
    const sha256 = hashOf(document);
    const { rowCount } = await tx.query(
      `insert into app.program_results (program_id, attempt, document, sha256, created_at) values ($1, $2, $3, $4, $5)
       on conflict do nothing`,
      [programId, attempt, document, sha256, at],
    );
    if (rowCount === 0) return;
    await recordAuditEntry(tx, {
      ...{ at, actorId: null, subjectId: ownerId, action: 'challenge.complete', objectId: programId },
      detail: { attempt, result_sha256: sha256 },
    });
  }

  const complete = createRetriedRows<Passed>({
    now: () => clock.now(),
    async read(last) {
      const after = last
        ? [last.cursor, last.programId, last.attempt]
        : [new Date(completeUntil).toISOString(), firstId, 0];
      return (await db.query<Passed>(passedQuery, after, 'passed_challenges')).rows;
    },
    handle: (passed) => db.transaction((tx) => write(tx, passed, new Date(clock.now()))),
    keyOf: ({ programId, attempt }) => `${programId} ${attempt}`,
    logFailure: (error, { programId: challenge, attempt }) =>
      log.warn({ err: error, challenge, attempt }, 'completing a challenge failed; trying again'),
  });

  return {
    /** For a server that has the duty. What failed is tried again by a call a minute later, and keeps nothing else waiting. */
    async completeAll(isStopping: () => boolean): Promise<void> {
      const began = clock.now();
      const run = await complete(isStopping);
      if (run) completeUntil = Math.min(began - overlapMs, run.firstFailing?.createdAt.getTime() ?? began);
    },
  };
}
