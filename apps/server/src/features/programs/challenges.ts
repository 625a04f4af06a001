/**
 * Makes and changes challenges, and opens the account of a step (A112). Invariants: what a trader agreed to stays as it was; each step of an
 * attempt has one account, with the same money; a trader makes one attempt at a time; each action has an audit row. Verdicts are the engine's.
 */
import {
  AppError,
  type ArgsOf,
  type ChallengeRow,
  challengeRules,
  type SignedIn,
  texts,
} from '@fulcrum/contract';
import { challengeEntrantsMax, checkChallengeStep, checkChallengeTimes } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { checkTerms, saveTerms } from '../classes/index.ts';
import { toChallengeStep } from '../trading/index.ts';
import type { ProgramsDependencies } from './dependencies.ts';
import { entryRefusal, lockTrader, namedOnce, refuse, requireClass } from './saving.ts';
import { openStep } from './steps.ts';
import {
  challengesMax,
  readChallenge,
  readChallenges,
  rulesOfChallenge,
  type StoredChallenge,
  startRefusal,
  toChallengeRow,
} from './stored-challenge.ts';

type SaveArgs = ArgsOf<'save_challenge'>;

interface ChallengeTerms {
  readonly name: string;
  readonly description: string;
  readonly classId: string | null;
  readonly opens: Date;
  readonly startsUntil: Date;
  readonly ends: Date;
  /** As JSON, in the order of the schema. */
  readonly rules: string;
}

export function createChallengeCommands({ db, clock, config, market, trading }: ProgramsDependencies) {
  /** @throws AppError invalid_argument in words, unknown_symbol */
  function check(args: SaveArgs): ChallengeTerms {
    const { p_rules: rules } = args;
    const { name, startBalance } = checkTerms({ ...rules, name: args.p_name }, market);
    for (const [index, step] of rules.steps.entries()) {
      const objection = checkChallengeStep(toChallengeStep(step));
      if (objection !== null)
        throw refuse(rules.steps.length > 1 ? `Step ${index + 1}: ${objection}` : objection);
    }
    const terms = {
      name,
      description: args.p_description.trim(),
      classId: args.p_class_id?.toLowerCase() ?? null,
      opens: new Date(args.p_opens_at),
      startsUntil: new Date(args.p_starts_until),
      ends: new Date(args.p_ends_at),
      rules: JSON.stringify(challengeRules.parse({ ...rules, startBalance })),
    };
    const fault = checkChallengeTimes({
      opens: terms.opens.getTime(),
      startsUntil: terms.startsUntil.getTime(),
      ends: terms.ends.getTime(),
    });
    if (fault !== null) throw refuse(fault);
    return terms;
  }

  const columnsOf = ({ name, description, classId, opens, startsUntil, ends, rules }: ChallengeTerms) => [
    name,
    description,
    classId,
    opens,
    startsUntil,
    ends,
    rules,
  ];

  async function create(tx: Queryable, caller: SignedIn, args: SaveArgs, terms: ChallengeTerms, at: Date) {
    if (terms.ends <= at) throw refuse('Choose an end in the future.');
    const { rows } = await tx.query<{ id: string }>(
      `insert into app.programs (face, name, description, class_id, registration_opens_at, registration_ends_at, begins_at, ends_at,
         rules, created_by, client_id, created_at, updated_at)
       select 'challenge', $1, $2, $3, $4, $5, $4, $6, $7::jsonb, $8, $9, $10, $10
       where (select count(*) from app.programs where face = 'challenge' and ends_at > $10) < ${challengesMax} returning id`,
      [...columnsOf(terms), caller.userId, args.p_client_id ?? null, at],
    );
    const [created] = rows;
    if (!created)
      throw new AppError(
        'conflict',
        `There are ${challengesMax} challenges that have not ended. Wait for the end of one.`,
      );
    return created.id;
  }

  /** @throws AppError not_found, not_allowed, conflict for a changed one and for terms that are fixed */
  async function change(
    tx: Queryable,
    caller: SignedIn,
    id: string,
    args: SaveArgs,
    terms: ChallengeTerms,
    at: Date,
  ): Promise<StoredChallenge> {
    await tx.query('select from app.programs where id = $1 for update', [id]);
    const before = await readChallenge(tx, caller, id);
    await requireClass(tx, caller, before.class_id, 'challenge');
    if (before.version !== args.p_version) throw new AppError('conflict', texts.changedMeanwhile);
    const isSame =
      JSON.stringify(rulesOfChallenge(before)) === terms.rules &&
      before.class_id === terms.classId &&
      before.opens_at.getTime() === terms.opens.getTime() &&
      before.starts_until.getTime() === terms.startsUntil.getTime() &&
      before.ends_at.getTime() === terms.ends.getTime();
    if (before.attempts > 0 && !isSame)
      throw new AppError('conflict', 'The challenge has attempts: only its name and description can change.');
    if (!isSame && terms.ends <= at) throw new AppError('conflict', 'Choose an end in the future.');
    await tx.query(
      `update app.programs set name = $1, description = $2, class_id = $3, registration_opens_at = $4, registration_ends_at = $5,
         begins_at = $4, ends_at = $6, rules = $7::jsonb, updated_at = $9, version = version + 1
       where id = $8`,
      [...columnsOf(terms), id, at],
    );
    return before;
  }

  /** Resolves with the new account, or null of an attempt in progress. @throws AppError not_found, not_allowed, conflict in words */
  async function start(tx: Queryable, caller: SignedIn, id: string, at: Date): Promise<string | null> {
    await lockTrader(tx, caller);
    const challenge = await readChallenge(tx, caller, id);
    if (challenge.account_id !== null) return null;
    const objection = startRefusal(challenge, at.getTime());
    if (objection !== null) throw new AppError('conflict', objection);
    // The row lock gives numbers one after the other, and keeps the terms until the commit.
    const { rows } = await tx.query<{ number: number }>(
      `update app.programs set entrants = entrants + 1 where id = $1 and version = $2 and entrants < ${challengeEntrantsMax}
       returning entrants as number`,
      [challenge.id, challenge.version],
    );
    const [given] = rows;
    if (!given) {
      const full = `This challenge has had ${challengeEntrantsMax} accounts. It takes no more attempts.`;
      throw await entryRefusal(tx, challenge.id, challengeEntrantsMax, full);
    }
    return openStep(tx, config, {
      ...{ ownerId: caller.userId, actorId: caller.userId, action: 'challenge.start' },
      ...{ programId: challenge.id, name: challenge.name, rules: rulesOfChallenge(challenge) },
      ...{ number: given.number, attempt: given.number, step: 1, at },
    });
  }

  return {
    /** @throws AppError invalid_argument, not_found, not_allowed, conflict; AccountError session_ended */
    save_challenge: async (caller: SignedIn, args: SaveArgs): Promise<ChallengeRow> => {
      const terms = check(args);
      const at = new Date(clock.now());
      const { row } = await namedOnce(() =>
        saveTerms(db, caller, {
          ...{ object: 'challenge', at, args, toDetail },
          authorize: (tx) => requireClass(tx, caller, terms.classId, 'challenge'),
          read: (tx, id) => readChallenge(tx, caller, id),
          create: (tx) => create(tx, caller, args, terms, at),
          change: (tx, id) => change(tx, caller, id, args, terms, at),
        }),
      );
      return toChallengeRow(row, caller.role, at.getTime());
    },

    list_challenges: async (caller: SignedIn): Promise<ChallengeRow[]> => {
      const now = clock.now();
      const challenges = await readChallenges(db, caller, new Date(now));
      return challenges.map((challenge) => toChallengeRow(challenge, caller.role, now));
    },

    /** @throws AppError not_found, not_allowed, conflict in words */
    start_challenge: async (
      caller: SignedIn,
      { p_challenge_id }: ArgsOf<'start_challenge'>,
    ): Promise<ChallengeRow> => {
      const at = new Date(clock.now());
      const { opened, row } = await db.transaction(async (tx) => ({
        opened: await start(tx, caller, p_challenge_id, at),
        row: await readChallenge(tx, caller, p_challenge_id),
      }));
      // The engine judges the account from now on, whether it trades or not.
      if (opened !== null) trading.reload([opened]);
      return toChallengeRow(row, caller.role, at.getTime());
    },
  };
}

const toDetail = ({
  name,
  description,
  class_id,
  opens_at,
  starts_until,
  ends_at,
  rules,
}: StoredChallenge) => ({
  ...{ name, description, class_id, opens_at, starts_until, ends_at, rules },
});
