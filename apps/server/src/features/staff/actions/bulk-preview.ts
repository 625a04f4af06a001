/**
 * What a bulk action would do to each user now. Invariants: nothing is written; money is the engine's own decision on the committed account;
 * a refusal has the text of the action's refusal.
 *
 * Known limitation: a preview is as old as its answer, and the action decides again.
 */
import { AppError, type ArgsOf, type ResultOf, type SignedIn, texts } from '@fulcrum/contract';
import { asMoney, balanceOf, type Command, type Money, toNumber } from '@fulcrum/domain';
import { inviteRefusal } from '../../enrolment/index.ts';
import { findStartBalances } from '../../wallet/index.ts';
import type { StaffDependencies } from '../dependencies.ts';
import { parseFundsChange } from './account-commands.ts';
import { accountIdOf, isUnchanged, type Subject, subjectsOf } from './bulk.ts';

type Args = ArgsOf<'preview_bulk_action'>;
type Preview = ResultOf<'preview_bulk_action'>;
type Action = Args['p_action'];

/** Null: it would be done. */
type Verdict = AppError | 'unchanged' | null;
interface Judged {
  readonly verdict: Verdict;
  /** Balances, where money moves. */
  readonly moved?: { readonly before: Money; readonly after: Money };
}

/** A command requires a reason, a preview has none yet. */
const reason = 'preview';

export function createBulkPreview({
  db,
  config,
  trading,
  classes,
}: Pick<StaffDependencies, 'db' | 'config' | 'trading' | 'classes'>) {
  /** @throws AppError `funds_amount_invalid` */
  async function commandsOf(
    action: Exclude<Action, { kind: 'invite' | 'class' }>,
    accountIds: readonly string[],
  ): Promise<(accountId: string) => Command> {
    switch (action.kind) {
      case 'funds': {
        const change = parseFundsChange(action.change, action.amount);
        return () => ({ kind: 'adjust', reason, ...change });
      }
      case 'reset': {
        const balances = await findStartBalances(db, accountIds);
        return (id) => ({
          ...{ kind: 'reset', reason },
          startBalance: asMoney(balances.get(id) ?? config.signupBalance),
        });
      }
      case 'restrict':
      case 'lift':
        return () => ({ kind: 'restrict', restricted: action.kind === 'restrict', reason });
    }
  }

  async function judgeByEngine(
    action: Exclude<Action, { kind: 'invite' | 'class' }>,
    subjects: readonly Subject[],
  ): Promise<(subject: Subject) => Judged> {
    const accountIds = subjects.flatMap(({ accountId }) => accountId ?? []);
    const outcomes = await trading.previewEach(accountIds, await commandsOf(action, accountIds));
    const movesMoney = action.kind === 'funds' || action.kind === 'reset';
    return (subject) => {
      if (subject.role !== 'trader') return { verdict: new AppError('not_allowed', texts.tradersOnly) };
      const outcome = outcomes.get(accountIdOf(subject));
      if (!outcome) return { verdict: new AppError('not_found', texts.userNotFound) };
      const { before, after, refusal } = outcome;
      if (refusal) return { verdict: isUnchanged(refusal) ? 'unchanged' : refusal };
      if (!movesMoney || !after) return { verdict: null };
      return { verdict: null, moved: { before: balanceOf(before), after: balanceOf(after) } };
    };
  }

  async function judgeJoining(classId: string, fromId: string | null, subjects: readonly Subject[]) {
    const userIds = subjects.map(({ id }) => id);
    const outcomes = await classes.previewJoining({ classId, fromId, userIds });
    return ({ id }: Subject): Judged => {
      const outcome = outcomes.get(id) ?? new AppError('not_found', texts.userNotFound);
      return { verdict: outcome === 'done' ? null : outcome };
    };
  }

  async function judgeEach(
    action: Action,
    classId: string | null,
    subjects: readonly Subject[],
  ): Promise<(subject: Subject) => Judged> {
    switch (action.kind) {
      case 'invite':
        return (subject) => ({ verdict: inviteRefusal(subject) });
      case 'class':
        return judgeJoining(action.class_id.toLowerCase(), classId, subjects);
      default:
        return judgeByEngine(action, subjects);
    }
  }

  return {
    /** @throws AppError `funds_amount_invalid`, `not_found` for a class that is none, `not_allowed` for what the caller may not do */
    async preview_bulk_action(caller: SignedIn, args: Args): Promise<Preview> {
      const { p_action: action } = args;
      if (caller.role !== 'admin' && action.kind !== 'funds')
        throw new AppError('not_allowed', 'Only an admin does this to many users.');
      const classId = args.p_class_id?.toLowerCase() ?? null;
      const ids = [...new Set(args.p_user_ids.map((id) => id.toLowerCase()))];
      // Restrictions, links and classes are of users, whichever account they have.
      const isOfAccount = action.kind === 'funds' || action.kind === 'reset';
      const subjects = await subjectsOf(db, caller, { ids, classId: isOfAccount ? classId : null });
      const judge = await judgeEach(action, classId, [...subjects.values()]);
      const moved: NonNullable<Judged['moved']>[] = [];
      const rows = ids.map((id) => {
        const subject = subjects.get(id);
        const judged = subject ? judgeOrRefuse(judge, subject) : { verdict: userNotFound() };
        if (judged.moved) moved.push(judged.moved);
        return toRow(id, subject, judged.verdict);
      });
      return { rows, balances: sumOf(moved) };
    },
  };
}

const userNotFound = () => new AppError('not_found', texts.userNotFound);

function judgeOrRefuse(judge: (subject: Subject) => Judged, subject: Subject): Judged {
  try {
    return judge(subject);
  } catch (error) {
    if (error instanceof AppError) return { verdict: error };
    throw error;
  }
}

const toRow = (id: string, subject: Subject | undefined, verdict: Verdict): Preview['rows'][number] => ({
  ...{ user_id: id, username: subject?.username ?? null },
  outcome: verdict === null ? 'done' : verdict === 'unchanged' ? 'unchanged' : 'refused',
  message: verdict instanceof AppError ? verdict.message : null,
});

function sumOf(moved: readonly NonNullable<Judged['moved']>[]): Preview['balances'] {
  const [first] = moved;
  if (!first) return null;
  let [before, after] = [0n, 0n];
  let { after: lowest } = first;
  let highest = lowest;
  for (const one of moved) {
    before += one.before;
    after += one.after;
    if (one.after < lowest) lowest = one.after;
    if (one.after > highest) highest = one.after;
  }
  return {
    before: toNumber(asMoney(before)),
    after: toNumber(asMoney(after)),
    lowest_after: toNumber(lowest),
    highest_after: toNumber(highest),
  };
}
