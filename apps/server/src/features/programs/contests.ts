/**
 * Makes and changes contests, and opens the account of an entrant (A112, A116). Invariants: what an entrant agreed to stays as it was; every
 * entrant has the same money and rules; a trader has one account of a contest; each action has an audit row.
 */
import {
  AppError,
  type ArgsOf,
  type ContestRow,
  contestRules,
  type SignedIn,
  texts,
} from '@fulcrum/contract';
import { canEnter, checkContestTimes, contestEntrantsMax } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { mapUniqueViolation } from '../../platform/database/unique-violation.ts';
import { accountNameIndex, openLockedAccount } from '../accounts/index.ts';
import { recordAuditEntry } from '../audit/index.ts';
import { checkTerms, saveTerms } from '../classes/index.ts';
import type { ProgramsDependencies } from './dependencies.ts';
import { entryRefusal, lockTrader, namedOnce, requireClass } from './saving.ts';
import {
  contestsMax,
  lockContest,
  readContest,
  readContests,
  rulesOf,
  type StoredContest,
  timesOf,
  toRow,
} from './stored-contest.ts';

type SaveArgs = ArgsOf<'save_contest'>;

/** What of a contest is stored, checked. */
interface ContestTerms {
  readonly name: string;
  readonly description: string;
  readonly classId: string | null;
  readonly registrationOpens: Date;
  readonly registrationEnds: Date;
  readonly begins: Date;
  readonly ends: Date;
  /** As JSON, in the order of the schema. */
  readonly rules: string;
}

export function createContestCommands({ db, clock, config, market, trading }: ProgramsDependencies) {
  /** @throws AppError invalid_argument in words, unknown_symbol */
  function check(args: SaveArgs): ContestTerms {
    const { p_rules: rules } = args;
    const { name, startBalance } = checkTerms({ ...rules, name: args.p_name }, market);
    const terms = {
      name,
      description: args.p_description.trim(),
      classId: args.p_class_id?.toLowerCase() ?? null,
      registrationOpens: new Date(args.p_registration_opens_at),
      registrationEnds: new Date(args.p_registration_ends_at),
      begins: new Date(args.p_begins_at),
      ends: new Date(args.p_ends_at),
      rules: JSON.stringify(contestRules.parse({ ...rules, startBalance })),
    };
    const fault = checkContestTimes(
      {
        registrationOpens: terms.registrationOpens.getTime(),
        registrationEnds: terms.registrationEnds.getTime(),
        begins: terms.begins.getTime(),
        ends: terms.ends.getTime(),
      },
      rules.score,
    );
    if (fault !== null) throw new AppError('invalid_argument', fault);
    return terms;
  }

  const columnsOf = (terms: ContestTerms) => [
    ...[terms.name, terms.description, terms.classId, terms.registrationOpens, terms.registrationEnds],
    ...[terms.begins, terms.ends, terms.rules],
  ];

  async function create(tx: Queryable, caller: SignedIn, args: SaveArgs, terms: ContestTerms, at: Date) {
    if (terms.ends <= at) throw new AppError('invalid_argument', 'Choose an end in the future.');
    const { rows } = await tx.query<{ id: string }>(
      `insert into app.programs (face, name, description, class_id, registration_opens_at, registration_ends_at, begins_at, ends_at,
         rules, created_by, client_id, created_at, updated_at)
       select 'contest', $1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, $10, $11, $11
       where (select count(*) from app.programs where face = 'contest' and frozen_at is null and withdrawn_at is null) < ${contestsMax}
       returning id`,
      [...columnsOf(terms), caller.userId, args.p_client_id ?? null, at],
    );
    const [created] = rows;
    if (!created)
      throw new AppError(
        'conflict',
        `There are ${contestsMax} contests that have not ended. Wait for the end of one.`,
      );
    return created.id;
  }

  /** @throws AppError not_found, not_allowed for a manager's contest for everyone, conflict for a changed one and for terms that are fixed */
  async function change(tx: Queryable, caller: SignedIn, id: string, args: SaveArgs, terms: ContestTerms) {
    const hasBegun = await lockContest(tx, id);
    const at = new Date(clock.now());
    const before = await readContest(tx, caller, id);
    await requireClass(tx, caller, before.class_id, 'contest');
    if (before.withdrawn_at !== null) throw new AppError('conflict', withdrawn);
    if (before.version !== args.p_version) throw new AppError('conflict', texts.changedMeanwhile);
    const objection = fixedRefusal(before, terms, at, hasBegun);
    if (objection !== null) throw new AppError('conflict', objection);
    await tx.query(
      `update app.programs set name = $1, description = $2, class_id = $3, registration_opens_at = $4, registration_ends_at = $5,
         begins_at = $6, ends_at = $7, rules = $8::jsonb, updated_at = $10, version = version + 1
       where id = $9`,
      [...columnsOf(terms), id, at],
    );
    return before;
  }

  /** @throws AppError not_found, not_allowed for staff, conflict in words; a repeat resolves with null */
  async function enter(tx: Queryable, caller: SignedIn, contestId: string, at: Date): Promise<string | null> {
    await lockTrader(tx, caller);
    const contest = await readContest(tx, caller, contestId);
    if (contest.account_id !== null) return null;
    if (contest.withdrawn_at !== null) throw new AppError('conflict', withdrawn);
    const times = timesOf(contest);
    if (!canEnter(times, at.getTime())) throw new AppError('conflict', texts.registrationShut(contest, at));
    const rules = rulesOf(contest);
    // The row lock gives numbers one after the other, and keeps the terms until the commit.
    const { rows } = await tx.query<{ number: number }>(
      `update app.programs set entrants = entrants + 1
       where id = $1 and version = $2 and entrants < ${contestEntrantsMax} and closing_marks is null and frozen_at is null and withdrawn_at is null
       returning entrants as number`,
      [contest.id, contest.version],
    );
    const [given] = rows;
    // The lock may have been a long wait.
    const now = new Date(clock.now());
    if (!canEnter(times, now.getTime())) throw new AppError('conflict', texts.registrationShut(contest, now));
    if (!given) {
      const full = `This contest has had ${contestEntrantsMax} entrants. It takes no more.`;
      throw await entryRefusal(tx, contest.id, contestEntrantsMax, full);
    }
    const accountId = await mapUniqueViolation({ [accountNameIndex]: nameTaken }, () =>
      openLockedAccount(tx, config, {
        ownerId: caller.userId,
        belonging: { kind: 'contest', programId: contest.id, number: given.number },
        terms: {
          ...{ name: contest.name, rules: rules.ruleSet, leverageMax: rules.leverageMax },
          startBalance: String(rules.startBalance),
        },
        at,
      }),
    );
    await recordAuditEntry(tx, {
      ...{
        at,
        actorId: caller.userId,
        subjectId: caller.userId,
        action: 'contest.enter',
        objectId: contest.id,
      },
      detail: { account_id: accountId, number: given.number },
    });
    return accountId;
  }

  return {
    /** @throws AppError invalid_argument, not_found, not_allowed, conflict; AccountError session_ended */
    save_contest: async (caller: SignedIn, args: SaveArgs): Promise<ContestRow> => {
      const terms = check(args);
      const at = new Date(clock.now());
      const { row, accountIds } = await namedOnce(() =>
        saveTerms(db, caller, {
          ...{ object: 'contest', at, args, toDetail },
          authorize: (tx) => requireClass(tx, caller, terms.classId, 'contest'),
          read: (tx, id) => readContest(tx, caller, id),
          create: (tx) => create(tx, caller, args, terms, at),
          change: (tx, id) => change(tx, caller, id, args, terms),
        }),
      );
      // The engine reads the windows with the accounts.
      if (accountIds.length > 0) trading.reload(accountIds);
      return toRow(row, caller.role, at.getTime());
    },

    list_contests: async (caller: SignedIn): Promise<ContestRow[]> => {
      const now = clock.now();
      const contests = await readContests(db, caller, new Date(now));
      return contests.map((contest) => toRow(contest, caller.role, now));
    },

    /** @throws AppError not_found, not_allowed, conflict outside the registration, for a full contest and for a name */
    enter_contest: async (caller: SignedIn, args: ArgsOf<'enter_contest'>): Promise<ContestRow> => {
      const at = new Date(clock.now());
      return db.transaction(async (tx) => {
        await enter(tx, caller, args.p_contest_id, at);
        return toRow(await readContest(tx, caller, args.p_contest_id), caller.role, at.getTime());
      });
    },
  };
}

/** Why these terms may not replace the stored ones any more; null where they may. */
function fixedRefusal(
  before: StoredContest,
  terms: ContestTerms,
  at: Date,
  hasBegun: boolean,
): string | null {
  const times = timesOf(before);
  const hasSameRules = JSON.stringify(rulesOf(before)) === terms.rules && before.class_id === terms.classId;
  const hasSameTimes =
    times.registrationOpens === terms.registrationOpens.getTime() &&
    times.registrationEnds === terms.registrationEnds.getTime() &&
    times.begins === terms.begins.getTime() &&
    times.ends === terms.ends.getTime();
  if ((hasBegun || at.getTime() >= times.begins) && !(hasSameRules && hasSameTimes)) {
    return 'The contest has begun: only its name and description can change.';
  }
  if (before.entrants > 0 && !hasSameRules) {
    return 'The contest has entrants: its rules and its class are fixed. Times can change until it begins.';
  }
  return !hasSameTimes && terms.ends <= at ? 'Choose an end in the future.' : null;
}

const toDetail = ({
  entrants: _,
  account_id: __,
  version: ___,
  id: ____,
  class_name: _____,
  withdrawn_at: ______,
  ...terms
}: StoredContest) => terms;

const withdrawn = 'This contest was withdrawn.';

const nameTaken = () =>
  new AppError('conflict', 'You have accounts with the name of the contest. Rename one of them first.');
