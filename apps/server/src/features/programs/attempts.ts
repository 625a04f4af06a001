/**
 * Attempts at a challenge with what is stored of their verdicts, where the steps in progress stand at the present prices, and the certificate of
 * the one that has passed.
 */
import {
  type ArgsOf,
  getChallengeAttempts as procedure,
  type ResultOf,
  type SignedIn,
} from '@fulcrum/contract';
import { inReadSnapshot } from '../../platform/database/read-snapshot.ts';
import { amountsAsDecimals, marksOf, readChallengeFigures } from '../trading/index.ts';
import { createCertificateSigner } from './certificate.ts';
import { challengeResult, verdictSql } from './challenge-result.ts';
import type { ProgramsDependencies } from './dependencies.ts';
import { readChallenge, rulesOfChallenge } from './stored-challenge.ts';

type Result = ResultOf<'get_challenge_attempts'>;

const shownByDefault = 50;

interface StepRow {
  readonly attempt: number;
  readonly total: number;
  readonly username: string;
  readonly isSelf: boolean;
  readonly step: number;
  readonly accountId: string;
  readonly beganAt: Date;
  readonly verdict: unknown;
  /** The hash of the attempt's result; null before there is one. */
  readonly sha256: string | null;
}

/** $1 challenge, $2 the owner or null, $3 the caller, $4 offset, $5 limit. */
const stepsQuery = `
  with attempts as (
    select a.program_attempt as attempt, count(*) over ()::int as total
    from app.trading_accounts a where a.program_id = $1 and ($2::uuid is null or a.owner_id = $2)
    group by a.program_attempt order by a.program_attempt desc offset $4 limit $5)
  select t.attempt, t.total, u.username, a.owner_id = $3 as "isSelf", a.program_step as step, a.id as "accountId",
         a.created_at as "beganAt",
         case when v.account_id is not null then ${verdictSql} end as verdict, r.sha256
  from attempts t join app.trading_accounts a on a.program_id = $1 and a.program_attempt = t.attempt
  join app.users u on u.id = a.owner_id
  left join app.program_verdicts v on v.account_id = a.id
  left join app.program_results r on r.program_id = $1 and r.attempt = t.attempt
  order by t.attempt desc, a.program_step`;

/** $1 challenge, $2 the owner. */
const certificateQuery = `
  select r.document, r.sha256, r.created_at as "frozenAt", u.username, c.seq, encode(c.hash, 'hex') as hash
  from app.program_results r
  join app.trading_accounts t on t.program_id = r.program_id and t.program_attempt = r.attempt and t.program_step = 1 and t.owner_id = $2
  join app.users u on u.id = t.owner_id
  join app.audit_log a on a.subject_id = $2 and a.object_id = r.program_id and a.action = 'challenge.complete'
    and a.detail ->> 'result_sha256' = r.sha256
  join app.audit_chain c on c.audit_id = a.id
  where r.program_id = $1`;

interface CertificateRow {
  readonly document: string;
  readonly sha256: string;
  readonly frozenAt: Date;
  readonly username: string;
  readonly seq: string;
  readonly hash: string;
}

export function createChallengeAttempts({ db, clock, market, secrets }: ProgramsDependencies) {
  const signer = createCertificateSigner(secrets.certificatesKey);
  return {
    /** @throws AppError not_found */
    get_challenge_attempts: (
      caller: SignedIn,
      { p_challenge_id, p_offset, p_limit }: ArgsOf<'get_challenge_attempts'>,
    ): Promise<Result> =>
      inReadSnapshot(db, async (tx) => {
        const challenge = await readChallenge(tx, caller, p_challenge_id);
        const owner = caller.role === 'trader' ? caller.userId : null;
        const { rows } = await tx.query<StepRow>(
          stepsQuery,
          [challenge.id, owner, caller.userId, p_offset ?? 0, p_limit ?? shownByDefault],
          'attempts_of_challenge',
        );
        const running = rows.filter(({ verdict }) => verdict === null).map(({ accountId }) => accountId);
        const figures = await readChallengeFigures(tx, running, marksOf(market), clock.now());
        const stepCount = rulesOfChallenge(challenge).steps.length;
        const isEnded = clock.now() >= challenge.ends_at.getTime();
        const attempts: unknown[] = [...Map.groupBy(rows, ({ attempt }) => attempt)].map(
          ([attempt, steps]) => ({
            ...{ attempt, username: steps[0]?.username ?? '', is_self: steps[0]?.isSelf ?? false },
            state: stateOf(steps, stepCount, isEnded),
            result_sha256: steps[0]?.sha256 ?? null,
            steps: steps.map(({ step, accountId, beganAt, verdict }) => {
              const now = figures.get(accountId);
              return {
                ...{ step, account_id: accountId, began_at: beganAt.toISOString(), verdict },
                figures: verdict === null && now ? amountsAsDecimals(now) : null,
              };
            }),
          }),
        );
        return procedure.result.parse({
          ...{ total: rows[0]?.total ?? 0, attempts, certificate_key: signer.fingerprint },
        });
      }),

    /** @throws AppError not_found */
    get_challenge_certificate: async (
      caller: SignedIn,
      { p_challenge_id }: ArgsOf<'get_challenge_certificate'>,
    ): Promise<ResultOf<'get_challenge_certificate'>> => {
      const { id } = await readChallenge(db, caller, p_challenge_id);
      const { rows } = await db.query<CertificateRow>(
        certificateQuery,
        [id, caller.userId],
        'certificate_of_attempt',
      );
      const [passed] = rows;
      if (!passed) return null;
      const { challenge, attempt, rules, steps } = challengeResult.parse(JSON.parse(passed.document));
      const text = signer.sign({
        ...{ v: 1, challenge, entrant: { number: attempt, username: passed.username } },
        ...{
          result: { rules, steps },
          frozen_at: passed.frozenAt.toISOString(),
          result_sha256: passed.sha256,
        },
        audit: { seq: Number(passed.seq), hash: passed.hash },
      });
      return { text };
    },
  };
}

/** After the end of the challenge no next step opens. */
function stateOf(
  steps: readonly StepRow[],
  stepCount: number,
  isEnded: boolean,
): 'running' | 'passed' | 'failed' {
  const last = steps.at(-1);
  const outcome = (last?.verdict as { readonly outcome: 'passed' | 'failed' } | null | undefined)?.outcome;
  if (outcome === 'failed') return 'failed';
  if (outcome !== 'passed') return 'running';
  if (last?.step === stepCount) return 'passed';
  return isEnded ? 'failed' : 'running';
}
