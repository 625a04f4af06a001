/**
 * Inbound signals: an account's addresses take alerts from outside (`POST /hooks/<secret>`), store them and execute them as their owner.
 * Invariants: a signal is answered once it is stored and executed after that; the signals of an account are executed one after the
 * other, as they came; the same body by the same address within 60 s is one signal; a stop loses none, because the next start
 * finds what has no outcome.
 */
import { createHash } from 'node:crypto';
import { AppError, type ArgsOf, type SignalPreview, type SignedIn } from '@fulcrum/contract';
import { hourMs, parseDecimal, toNumber } from '@fulcrum/domain';
import { allDuties } from '../../platform/duties/shared-duties.ts';
import { createFairQueue } from '../../platform/fair-queue.ts';
import { idOfHour } from '../../platform/ids.ts';
import { defaultLimits } from '../../platform/limits/index.ts';
import { createRateLimiter } from '../../platform/rate-limit/rate-limiter.ts';
import { endDemoCredentials } from '../identity/index.ts';
import type { Received, SignalsDependencies } from './dependencies.ts';
import { createExecutor } from './executor.ts';
import { createHooks, hashSecret, requireOwnAccount } from './hooks.ts';
import { parseSignal, type Signal, UnreadableSignal } from './parse.ts';
import { clientIdOf, outlineSignal, type Plan, type Step } from './plan.ts';
import { createPlanner } from './planner.ts';
import { toRequest } from './requests.ts';
import {
  deleteBeyondLimit,
  deleteExpired,
  findHook,
  finishSignal,
  listStored,
  readPending,
  readPendingOne,
  storeSignal,
} from './store.ts';

export type Signals = ReturnType<typeof createSignals>;

/** What has no outcome is tried again so often. */
const sweepEveryMs = 2_000;
/** Where other processes receive signals too. */
const sharedSweepEveryMs = 250;
const retentionEveryMs = hourMs;
/** Read by one sweep. */
const pendingMax = 1_000;
const queueLimits = { runningMax: 8, runningOfOneMax: 1, waitingMax: 5_000, waitingOfOneMax: 200 };

/** States no more than that nothing is there. */
const unknownAddress = () => new AppError('not_found', 'There is nothing at this address.');

/** PostgreSQL stores no NUL; what is no UTF-8 becomes replacement characters. */
const toText = (body: Buffer): string => body.toString('utf8').replaceAll('\0', '\uFFFD').toWellFormed();

/** Why the body cannot be read, or null. */
function faultOf(body: string): string | null {
  try {
    parseSignal(body);
    return null;
  } catch (error) {
    if (error instanceof UnreadableSignal) return error.message;
    throw error;
  }
}

export function createSignals(deps: SignalsDependencies) {
  const { db, clock, timers, log, trading, duties = allDuties } = deps;
  const planner = createPlanner(deps);
  const execute = createExecutor(deps, planner);
  const perHook = createRateLimiter(defaultLimits.signalsOfHook, deps.sharedRates?.rate('signalsOfHook'));
  const withSlot = createFairQueue(queueLimits);
  const startedAt = clock.now();
  const underWay = new Map<string, Promise<void>>();
  let isStopping = false;
  let cancels: readonly (() => void)[] = [];
  let sweeping: Promise<void> | undefined;

  async function run(id: string, accountId: string): Promise<void> {
    if (isStopping) return;
    const signal = await readPendingOne(db, id);
    if (!signal) return;
    const result = await execute(signal, signal.receivedAt.getTime() < startedAt);
    if (result === null) return;
    await finishSignal(db, id, result, new Date(clock.now()));
    await deleteBeyondLimit(db, accountId);
  }

  /** Never rejects: what fails stays without an outcome, and the next sweep finds it. */
  function begin(id: string, accountId: string): void {
    // Those of an account go one after the other, so one process of a cluster executes all.
    if (!duties.isOurs('chores') || underWay.has(id) || isStopping) return;
    const done = withSlot(accountId, () => run(id, accountId))
      .catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'busy') return;
        log.error({ err: error, signal: id }, 'a signal could not be executed; it is tried again');
      })
      .finally(() => underWay.delete(id));
    underWay.set(id, done);
  }

  async function sweep(): Promise<void> {
    try {
      for (const { id, accountId } of await readPending(db, pendingMax)) begin(id, accountId);
    } catch (error) {
      if (!isStopping) log.warn({ err: error }, 'signals without an outcome could not be read');
    }
  }
  const startSweep = async (): Promise<void> => {
    if (!duties.isOurs('chores')) return;
    sweeping ??= sweep().finally(() => {
      sweeping = undefined;
    });
    return sweeping;
  };

  const discardExpired = (): void => {
    deleteExpired(db, clock.now()).catch((error: unknown) => {
      if (!isStopping) log.warn({ err: error }, 'old signals could not be deleted; retrying in an hour');
    });
  };

  /**
   * Stores a signal and begins to execute it.
   * @throws AppError `not_found` for an address that does not exist; TooManyAttempts
   */
  async function receive(secret: string, body: Buffer): Promise<Received> {
    const secretHash = hashSecret(secret);
    const hook = secretHash === null ? undefined : await findHook(db, secretHash);
    if (!hook) throw unknownAddress();
    perHook.take(hook.id);
    const text = toText(body);
    const fault = faultOf(text);
    const stored = await storeSignal(db, {
      ...{ id: idOfHour(clock.now()), hook, at: new Date(clock.now()), body: text, fault },
      bodyHash: createHash('sha256').update(body).digest(),
    });
    if (!stored) throw unknownAddress();
    if (fault !== null) await deleteBeyondLimit(db, hook.accountId);
    else if (!stored.isRepeated) begin(stored.id, hook.accountId);
    return {
      ...stored,
      fault: fault === null ? null : new AppError('invalid_argument', fault, { details: stored.id }),
    };
  }

  return {
    receive,
    async start() {
      // Before the first sweep: what waits at an address that ends here is refused.
      if (!deps.config.demo) await endDemoCredentials(deps, 'app.signal_hooks');
      await startSweep();
      discardExpired();
      cancels = [
        timers.every(duties.isShared ? sharedSweepEveryMs : sweepEveryMs, () => void startSweep()),
        timers.every(retentionEveryMs, discardExpired),
      ];
    },
    async stop() {
      isStopping = true;
      for (const cancel of cancels) cancel();
      await sweeping;
      await Promise.all(underWay.values());
    },
    procedures: {
      ...createHooks(deps),

      /** @throws AppError `not_found` */
      list_signals: async (caller: SignedIn, { p_account_id }: ArgsOf<'list_signals'>) => {
        const accountId = p_account_id?.toLowerCase() ?? caller.accountId;
        await requireOwnAccount(db, caller.userId, accountId);
        return listStored(db, accountId);
      },

      /** @throws AppError `not_found` */
      preview_signal: async (caller: SignedIn, args: ArgsOf<'preview_signal'>): Promise<SignalPreview> => {
        const accountId = args.p_account_id.toLowerCase();
        await requireOwnAccount(db, caller.userId, accountId);
        return preview(accountId, args.p_body);
      },
    },
  };

  async function preview(accountId: string, body: string): Promise<SignalPreview> {
    let signal: Signal;
    try {
      signal = parseSignal(body);
    } catch (error) {
      if (!(error instanceof UnreadableSignal)) throw error;
      return { ...emptyPreview, status: 'unreadable', message: error.message };
    }
    let known: SignalPreview = {
      ...{ ...emptyPreview, status: 'refused', action: signal.action },
      summary: outlineSignal(signal),
    };
    try {
      known = { ...known, symbol: planner.requirePair(signal).symbol };
      const plan = await planner.plan(accountId, signal);
      known = { ...known, ...describe(plan) };
      const requests = plan.steps.map((step, index) => toRequest(step, clientIdOf(previewId, index)));
      const refusal = await trading.dryRun(accountId, requests);
      return refusal === null ? { ...known, status: 'ready' } : { ...known, message: refusal.message };
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      return { ...known, message: error.message };
    }
  }
}

const previewId = 'preview';

const emptyPreview = {
  ...{ message: null, summary: null, action: null, symbol: null, order: null },
  ...{ closes: [], cancels: [] },
} satisfies Partial<SignalPreview>;

const numberOrNull = (decimal: string | null): number | null =>
  decimal === null ? null : toNumber(parseDecimal(decimal));

const isOf =
  <Kind extends Step['kind']>(kind: Kind) =>
  (step: Step): step is Extract<Step, { kind: Kind }> =>
    step.kind === kind;

function describe({ steps, summary }: Plan): Pick<SignalPreview, 'summary' | 'order' | 'closes' | 'cancels'> {
  const order = steps.find(isOf('place'));
  return {
    summary,
    order: order
      ? {
          type: order.type,
          side: order.side,
          size: toNumber(parseDecimal(order.size)),
          price: numberOrNull(order.price),
          leverage: order.leverage,
          take_profit_price: numberOrNull(order.takeProfitPrice),
          stop_loss_price: numberOrNull(order.stopLossPrice),
          reduce_only: order.reduceOnly,
        }
      : null,
    closes: steps
      .filter(isOf('close'))
      .map(({ positionId, size }) => ({ position_id: positionId, size: numberOrNull(size) })),
    cancels: steps.filter(isOf('cancel')).map(({ orderId }) => orderId),
  };
}
