/**
 * Executes a stored signal as the owner of its account, by the commands that the owner has too. Invariants: the plan is stored before
 * its first step, and each step has a client id, so a signal that is executed again after a crash trades once; a signal that is
 * older than 60 s, or whose address was revoked, begins nothing.
 */
import { AppError, type SignedIn } from '@fulcrum/contract';
import { readStoredAnswers } from '../trading/index.ts';
import type { SignalsDependencies } from './dependencies.ts';
import { parseSignal } from './parse.ts';
import { clientIdOf, outlineSignal, type Plan, type Step } from './plan.ts';
import type { Planner } from './planner.ts';
import { type Changed, changedBy, toRequest } from './requests.ts';
import { type Result, readCanceled, type StoredSignal, storePlan } from './store.ts';

const tooLateMs = 60_000;
const lateText = `It could not be executed within ${tooLateMs / 1000} seconds.`;

const nothing: Changed = { orderIds: [], positionIds: [] };
const canceledOnly = (orderId: string): Changed => ({ orderIds: [orderId], positionIds: [] });
const refusal = (detail: string, changed: Changed = nothing): Result => ({
  outcome: 'refused',
  detail,
  ...changed,
});

export function createExecutor(deps: SignalsDependencies, planner: Planner) {
  const { db, clock, trading } = deps;

  /** As the trader themself, in this account. */
  const callerOf = (signal: StoredSignal, ownerId: string): SignedIn => ({
    role: 'trader',
    userId: ownerId,
    accountId: signal.accountId,
    actorId: ownerId,
    sessionId: signal.id,
    impersonationId: null,
  });

  async function readOwner(accountId: string): Promise<string | null> {
    const { rows } = await db.query<{ ownerId: string }>(
      'select owner_id as "ownerId" from app.trading_accounts where id = $1',
      [accountId],
      'signal_owner',
    );
    return rows[0]?.ownerId ?? null;
  }

  async function perform(caller: SignedIn, step: Step, clientId: string): Promise<Changed> {
    const request = toRequest(step, clientId);
    switch (request.kind) {
      case 'open':
        return changedBy(step, await trading.procedures.open_position(caller, request.args));
      case 'place': {
        const { rows } = await trading.writes['orders.insert'](caller, [request.row]);
        return changedBy(step, rows[0] ?? {});
      }
      case 'close':
        return changedBy(step, await trading.procedures.close_position(caller, request.args));
      case 'cancel':
        await trading.writes['orders.update'](caller, [request.orderId], { status: 'CANCELED' });
        return canceledOnly(request.orderId);
    }
  }

  /** @throws what is no refusal, and refusals that `isPassing` */
  async function performAll(
    signal: StoredSignal,
    { steps }: Plan,
    isPassing: (error: unknown) => boolean,
  ): Promise<Result> {
    const ownerId = await readOwner(signal.accountId);
    if (ownerId === null) return refusal('The account is gone.');
    const caller = callerOf(signal, ownerId);
    const changes: Changed[] = [];
    let refused: string | null = null;
    for (const [index, step] of steps.entries()) {
      // What a reversal opens would stand beside what it was to close.
      if (refused !== null && step.kind === 'place') break;
      try {
        changes.push(await perform(caller, step, clientIdOf(signal.id, index)));
      } catch (error) {
        if (!(error instanceof AppError) || isPassing(error)) throw error;
        refused ??= error.message;
      }
    }
    const changed = unite(changes);
    if (refused === null) return { outcome: 'done', detail: null, ...changed };
    return refusal(changes.length === 0 ? refused : `${countOf(changes.length, steps)} ${refused}`, changed);
  }

  /** What the steps changed that were executed before a crash, as the stored answers tell. A cancel has none: its order's state tells. */
  async function readChanges(signal: StoredSignal, steps: readonly Step[]): Promise<readonly Changed[]> {
    const clientIds = steps.map((_, index) => clientIdOf(signal.id, index));
    const answers = await readStoredAnswers(db, signal.accountId, clientIds);
    const canceled = await readCanceled(
      db,
      signal.accountId,
      steps.flatMap((step) => (step.kind === 'cancel' ? [step.orderId] : [])),
    );
    return steps.flatMap((step, index) => {
      if (step.kind === 'cancel') return canceled.has(step.orderId) ? [canceledOnly(step.orderId)] : [];
      const answer = answers.get(clientIds[index] ?? '');
      return answer === undefined ? [] : [changedBy(step, answer)];
    });
  }

  /** A signal that begins nothing any more. One whose every step was executed before a crash is done all the same. */
  async function finishUnexecuted(
    signal: StoredSignal,
    outcome: 'refused' | 'too_late',
    reason: string,
  ): Promise<Result> {
    const steps = signal.plan?.steps ?? [];
    const changes = await readChanges(signal, steps);
    const changed = unite(changes);
    if (steps.length > 0 && changes.length === steps.length) {
      return { outcome: 'done', detail: null, ...changed };
    }
    const begun = changes.length === 0 ? '' : `${countOf(changes.length, steps)} `;
    return { outcome, detail: `${begun}${reason}`, ...changed };
  }

  /** Null: another run has planned it, or its address was revoked meanwhile. @throws AppError with the text of a refusal */
  async function planOf(signal: StoredSignal): Promise<Plan | null> {
    if (signal.plan !== null) return signal.plan;
    const plan = await planner.plan(signal.accountId, parseSignal(signal.body));
    return (await storePlan(db, signal.id, plan)) ? plan : null;
  }

  /**
   * The result, or null where nothing is known yet: the signal is to be tried again. `isResumed`: it was stored before this start, so a
   * price may be missing that comes within seconds.
   * @throws what is neither a refusal nor a shortage
   */
  return async (signal: StoredSignal, isResumed: boolean): Promise<Result | null> => {
    const isLate = () => clock.now() - signal.receivedAt.getTime() > tooLateMs;
    if (signal.isRevoked) return finishUnexecuted(signal, 'refused', 'The address was revoked.');
    if (isLate()) return finishUnexecuted(signal, 'too_late', lateText);
    const isPassing = (error: unknown): boolean =>
      error instanceof AppError && (shortages.has(error.code) || (isResumed && unpriced.has(error.code)));
    try {
      const plan = await planOf(signal);
      return plan && (await performAll(signal, plan, isPassing));
    } catch (error) {
      if (isPassing(error)) return null;
      if (error instanceof AppError)
        return { ...refusal(error.message), summary: outlineSignal(parseSignal(signal.body)) };
      throw error;
    }
  };
}

/** Nothing is wrong with the signal, and a later try may succeed. */
const shortages: ReadonlySet<string> = new Set(['busy', 'source_unavailable']);
const unpriced: ReadonlySet<string> = new Set(['no_price', 'price_stale', 'no_quote']);

const countOf = (done: number, steps: readonly Step[]): string =>
  `${done} of ${steps.length} steps were executed.`;

const unite = (changes: readonly Changed[]): Changed => ({
  orderIds: [...new Set(changes.flatMap(({ orderIds }) => orderIds))],
  positionIds: [...new Set(changes.flatMap(({ positionIds }) => positionIds))],
});
