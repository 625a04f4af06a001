/**
 * Opens the accounts of the steps of a challenge, and has the results of attempts that have passed written. Invariants: a step of an attempt
 * has one account, though two servers, or two checks, open it; a step opens only after the verdict of the step before. What a crash
 * interrupts between the two goes on with the next check. A step that cannot be opened keeps no other one waiting.
 */
import type { AuditedAction, ChallengeRules } from '@fulcrum/contract';
import type { Queryable } from '../../platform/database/index.ts';
import { openLockedAccount } from '../accounts/index.ts';
import { recordAuditEntry } from '../audit/index.ts';
import { createChallengeResults } from './challenge-result.ts';
import type { ProgramsDependencies } from './dependencies.ts';
import { createRetriedRows, rowsAtOnce } from './retried-rows.ts';
import { rulesOfChallenge } from './stored-challenge.ts';

const checkEveryMs = 1_000;
const firstId = '00000000-0000-0000-0000-000000000000';
/** Of the challenge's name, so that the number of the account has room beside it. */
const nameLength = 30;

interface NewStep {
  readonly ownerId: string;
  readonly actorId: string | null;
  readonly action: Extract<AuditedAction, `challenge.${string}`>;
  readonly programId: string;
  readonly name: string;
  readonly rules: ChallengeRules;
  /** Of the account, in the challenge; and of the attempt, which is that of its first account. */
  readonly number: number;
  readonly attempt: number;
  readonly step: number;
  readonly at: Date;
}

/** Resolves with the id of the account. */
export async function openStep(
  tx: Queryable,
  config: ProgramsDependencies['config'],
  of: NewStep,
): Promise<string> {
  const { ownerId, actorId, action, programId, name, rules, number, attempt, step, at } = of;
  const accountId = await openLockedAccount(tx, config, {
    ownerId,
    belonging: { kind: 'challenge', programId, number, attempt, step },
    terms: {
      name: `${[...name].slice(0, nameLength).join('')} #${number}`,
      ...{ rules: rules.ruleSet, leverageMax: rules.leverageMax, startBalance: String(rules.startBalance) },
    },
    at,
  });
  await recordAuditEntry(tx, {
    ...{ at, actorId, subjectId: ownerId, action, objectId: programId },
    detail: { account_id: accountId, attempt, step },
  });
  return accountId;
}

interface Passed {
  /** Where the next page begins, with the account. */
  readonly cursor: string;
  readonly accountId: string;
  readonly programId: string;
  readonly ownerId: string;
  readonly name: string;
  readonly rules: unknown;
  readonly attempt: number;
  readonly step: number;
}

/**
 * Steps that were passed and have no next one yet. Of a user who is no trader any more, and after the end, none opens.
 * $1: now; $2, $3: the verdict before the first one: its instant, its account.
 */
const passedQuery = `
  select v.created_at::text as cursor, v.account_id as "accountId", v.program_id as "programId", u.id as "ownerId", p.name, p.rules, v.attempt, v.step
  from app.program_verdicts v
  join app.programs p on p.id = v.program_id and p.ends_at > $1 and v.step < jsonb_array_length(p.rules -> 'steps')
  join app.trading_accounts a on a.id = v.account_id
  join app.users u on u.id = a.owner_id and u.role = 'trader'
  where v.outcome = 'passed' and (v.created_at, v.account_id) > ($2::timestamptz, $3::uuid) and not exists (
    select from app.trading_accounts n
    where n.program_id = v.program_id and n.program_attempt = v.attempt and n.program_step = v.step + 1)
  order by v.created_at, v.account_id limit ${rowsAtOnce}`;

/** The job that opens next steps and completes attempts. */
export function createSteps(deps: ProgramsDependencies) {
  const { db, clock, config, timers, log, duties, trading } = deps;
  const results = createChallengeResults(deps);
  let running: Promise<void> | undefined;
  let cancel: (() => void) | undefined;
  let isStopping = false;

  async function advance({ programId, ownerId, name, rules, attempt, step }: Passed): Promise<void> {
    const opened = await db.transaction(async (tx) => {
      const at = new Date(clock.now());
      // Another check waits for this one here, and then finds the account.
      const { rows } = await tx.query<{ number: number }>(
        `update app.programs p set entrants = entrants + 1 where p.id = $1 and p.ends_at > $4 and not exists (
           select from app.trading_accounts n where n.program_id = p.id and n.program_attempt = $2 and n.program_step = $3)
         returning entrants as number`,
        [programId, attempt, step + 1, at],
      );
      const [given] = rows;
      if (!given) return null;
      return openStep(tx, config, {
        ...{ ownerId, actorId: null, action: 'challenge.advance', programId, name },
        rules: rulesOfChallenge({ rules }),
        ...{ number: given.number, attempt, step: step + 1, at },
      });
    });
    if (opened !== null) trading.reload([opened]);
  }

  const openAll = createRetriedRows<Passed>({
    now: () => clock.now(),
    async read(last) {
      const after = last ? [last.cursor, last.accountId] : ['-infinity', firstId];
      const { rows } = await db.query<Passed>(
        passedQuery,
        [new Date(clock.now()), ...after],
        'steps_to_open',
      );
      return rows;
    },
    handle: advance,
    keyOf: ({ accountId }) => accountId,
    logFailure: (error, { programId: challenge, attempt, step }) =>
      log.warn({ err: error, challenge, attempt, step }, 'opening a step failed; trying again'),
  });

  async function checkAll(): Promise<void> {
    if (!duties.isOurs('chores')) return;
    await results.completeAll(() => isStopping);
    if (!isStopping) await openAll(() => isStopping);
  }

  return {
    /** What failed is tried again by a call a minute later, and keeps nothing else waiting. */
    openAll,
    async start(): Promise<void> {
      cancel = timers.every(checkEveryMs, () => {
        running ??= checkAll()
          .catch((error: unknown) => {
            if (!isStopping) log.warn({ err: error }, 'reading the steps to open failed; trying again');
          })
          .finally(() => {
            running = undefined;
          });
      });
    },
    async stop(): Promise<void> {
      isStopping = true;
      cancel?.();
      await running;
    },
  };
}
