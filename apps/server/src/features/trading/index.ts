/**
 * Trading: opens and closes positions through the queue of an engine, and monitors the ledger. Invariants: every change
 * of a wallet or a position goes through the one queue of its account's lane; trading halts as soon as an invariant is violated.
 */
import {
  type AccountTerms,
  asFeeRate,
  asPercent,
  asPrice,
  MAX_LEVERAGE,
  type MarketContext,
  type MarketView,
  parseDecimal,
  type QuotedBook,
} from '@fulcrum/domain';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { ClusterLink } from '../../platform/cluster/link.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { allDuties, type Duties } from '../../platform/duties/shared-duties.ts';
import { idOfHour } from '../../platform/ids.ts';
import type { Log } from '../../platform/log/index.ts';
import type { Market, PriceNumber } from '../market/index.ts';
import { type CheckReport, createLedgerMonitor, type LedgerReport } from '../wallet/index.ts';
import { createAbsentLane } from './absent-lane.ts';
import { serveEngines } from './cluster/command-handler.ts';
import { createCommandRouter, type RouterState } from './cluster/command-router.ts';
import type { EngineHost } from './cluster/engine-host.ts';
import { readSlotOwners } from './cluster/slot-owners.ts';
import { createDryRun, type DryRun } from './dry-run.ts';
import { crossingMaxAgeMs } from './engine/batch-decision.ts';
import type { CommandLog } from './engine/command-log.ts';
import type { EngineDependencies } from './engine/dependencies.ts';
import { Engine } from './engine/engine.ts';
import type { HaltCause } from './engine/halt.ts';
import { defaultLimits, type EngineLimits } from './engine/limits.ts';
import type { EngineObserver } from './engine/observer.ts';
import { createMemberStore, createPostgresStores } from './engine/postgres-store.ts';
import { RecentTicks } from './engine/recent-ticks.ts';
import type { MemberIdentity } from './engine/registration.ts';
import type { EngineState } from './engine/state.ts';
import { onceAnHour, snapshotEquity } from './equity.ts';
import { createHalts, type Halts } from './halts.ts';
import { Lanes, moveSlots } from './lanes.ts';
import { beginPast, type Past } from './past/index.ts';
import { createPreviewEach, type PreviewEach } from './previews.ts';
import { createProcedures } from './procedures.ts';
import { deleteExpired } from './retention.ts';
import { type HeldSlots, Member } from './slots/member.ts';
import { createStaffOrders } from './staff-orders.ts';
import { createWrites } from './writes.ts';

export { requireStaffOrigin, requireTrader, toCommandOrigin } from './authority.ts';
export { createIdempotencyKey, parseFunds } from './command-input.ts';
export type { DryRunRequest } from './dry-run.ts';
export { amountsAsDecimals, toChallengeStep } from './engine/challenge-rows.ts';
export type { CommandLogEntry } from './engine/command-log.ts';
export { CommandLate, OutcomeUnknown, SlotMoved } from './engine/router-errors.ts';
export { slotOf } from './engine/slots.ts';
export {
  type HeldAccount,
  marksOf,
  readChallengeFigures,
  readEquities,
  readEquity,
  readOwnStanding,
} from './equity.ts';
export { createEngineMetrics } from './metrics.ts';
export { defaultProfile } from './order-book.ts';
export type { Past } from './past/index.ts';
export { readPositionsOf } from './positions-of-accounts.ts';
export { readMembership } from './slots/store.ts';
export { findStoredAnswer, readStoredAnswers } from './stored-answer.ts';
export { TriggerIndex } from './triggers/trigger-index.ts';

export interface TradingDependencies {
  readonly db: Database;
  readonly config: Pick<
    Config,
    'rules' | 'priceTolerancePct' | 'tradingFeeRate' | 'allowReset' | 'signupBalance' | 'engineLanes'
  >;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly log: Log;
  readonly market: Pick<
    Market,
    | 'pair'
    | 'isListed'
    | 'price'
    | 'isStale'
    | 'isPolled'
    | 'ensureFresh'
    | 'setSymbolsInUse'
    | 'setPendingSettlement'
    | 'quotes'
  > & { readonly isCutOff?: () => boolean; readonly priceNumber?: () => PriceNumber | null };
  /**
   * Charges a user's request rate for the actual cost of a request, in addition to the request; without it there is
   * no charge.
   */
  readonly chargeRate?: (userId: string, units: number) => void;
  /** Makes the engines of this process members of a cluster; without it this server is alone on its database. */
  readonly member?: MemberIdentity & { readonly openBeatConnection: () => Database };
  /** Other limits than production's, for tests; the lanes share them. */
  readonly limits?: Partial<EngineLimits>;
  /** Records what the engine decides, for `replay`. */
  readonly commandLog?: CommandLog;
  /** Counts what the engine does. */
  readonly observer?: EngineObserver;
  /** In a cluster: commands go to the engine that owns the account, here or elsewhere. */
  readonly link?: ClusterLink;
  /** False in a process of a cluster that only sends commands to others; left out: true. */
  readonly hasEngines?: boolean;
  /** Left out: this server is alone on its database. */
  readonly duties?: Duties;
}

export interface Trading {
  /** The handlers of the traders' own procedures, and of what staff read before and after an action. */
  readonly procedures: ReturnType<typeof createProcedures>;
  readonly engine: Pick<Engine, 'submit'>;
  /** What requests of a trader would do now; nothing is written. */
  readonly dryRun: DryRun;
  /** What one command would do to each of many accounts; nothing is written. */
  readonly previewEach: PreviewEach;
  /** Reads accounts again that were written past the engine. */
  readonly reload: (accountIds: Iterable<string>) => void;
  /** Moves slots between the lanes of a server alone; in a cluster they move by themselves. */
  moveSlots(slots: readonly number[], toLane: number): Promise<void>;
  /** Which slots the engines of this process take commands of, for a router of a cluster. */
  readonly slots: {
    /** One of each lane; none where this server is alone. */
    held(): readonly HeldSlots[];
    /** Called after slots have changed hands, also between other processes, as far as this one knows. The returned function ends it. */
    onChange(listener: () => void): () => void;
  };
  /** Begins a past of these accounts at `start` (ms since the epoch), for the demo. */
  beginPast(accountIds: readonly string[], start: number): Promise<Past>;
  /** The handlers of the documents' own writes to `orders`, `positions` and `transactions`. */
  readonly writes: ReturnType<typeof createWrites>;
  /** @throws StartError when another engine runs, or something of another rule set is open (A01). */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The engines of this process, as commands of others find them. */
  readonly hosts: readonly EngineHost[];
  /** `refusal`: why PostgreSQL cannot write the engine's decisions; null while it can. */
  state(): EngineState & { readonly refusal: string | null };
  /** Commands for engines of other processes; null in a process that is no member of a cluster. */
  routing(): RouterState | null;
  /**
   * The results of the last ledger verification: a full pass at the start and every day, an incremental one every
   * minute.
   */
  invariants(): LedgerReport;
  /** The same, per invariant. */
  checks(): readonly CheckReport[];
  /** Halts of trading by admins. */
  readonly halts: Pick<Halts, 'halt' | 'resume' | 'current'>;
}

const maintenanceEveryMs = 60_000;
const sweepEveryMs = 1_000;
/** In a process without engines, whose members poll them. */
const haltsPolledEveryMs = 1_000;
/** How much later than its latency a trade may be filled. */
const dueEveryMs = 25;

export function createTrading(deps: TradingDependencies): Trading {
  const { db, config, clock, bus, log, market, hasEngines = true, duties = allDuties } = deps;
  const marketAt = (now: number): MarketView => toMarketView(market, now);
  const terms = {
    newId: () => idOfHour(clock.now()),
    rules: config.rules,
    priceTolerance: asPercent(parseDecimal(config.priceTolerancePct.toFixed(8))),
  } as const;
  /** The terms of main accounts (A112). */
  const mainTerms: AccountTerms = {
    rules: config.rules,
    feeRate: asFeeRate(config.tradingFeeRate),
    leverageMax: MAX_LEVERAGE,
    fillProfile: 'exact',
  };
  const marketContextNow = (): MarketContext => {
    const now = clock.now();
    return { ...terms, now, market: marketAt(now) };
  };
  const limits = { ...defaultLimits, ...deps.limits };
  const recentTicks = deps.member && hasEngines ? new RecentTicks(crossingMaxAgeMs) : undefined;
  const rememberTick = (symbol: string): void => {
    const at = clock.now();
    const quote = marketAt(at).quote(symbol);
    if (quote && !quote.stale && quote.marketOpen) recentTicks?.add({ symbol, price: quote.price, at });
  };
  const ofEachEngine: Omit<EngineDependencies, 'store' | 'onHalt'> = {
    ...(recentTicks && { recentTicks }),
    ...(market.priceNumber && { priceNumber: market.priceNumber }),
    ...terms,
    clock,
    bus,
    log,
    limits: shareOf(limits, config.engineLanes),
    marketAt,
    ...(deps.commandLog && { commandLog: deps.commandLog }),
    ...(deps.observer && { observer: deps.observer }),
  };
  const onHalt = (cause: HaltCause, reason: string): void => {
    if (cause === 'ledger') halts.haltForLedger(reason);
    else engine.halt(cause, reason);
  };
  const slotListeners = new Set<() => void>();
  const createMember = ({ openBeatConnection, ...identity }: NonNullable<TradingDependencies['member']>) =>
    new Member({
      ...{ db, log, openBeatConnection },
      create: (lease, onOver) => {
        const store = createMemberStore(db, log, identity, mainTerms);
        const onHaltOfOne = (cause: HaltCause, reason: string): void =>
          cause === 'epoch' ? onOver() : onHalt(cause, reason);
        return { store, engine: new Engine({ ...ofEachEngine, store, lease, onHalt: onHaltOfOne }) };
      },
      ...(market.isCutOff && { isCutOff: market.isCutOff }),
      onPoll: (membership) => halts.follow(membership.halts),
      onChange: () => {
        for (const listener of slotListeners) listener();
      },
    });
  const { member } = deps;
  const members =
    member && hasEngines ? Array.from({ length: config.engineLanes }, () => createMember(member)) : [];
  const stores = member || !hasEngines ? [] : createPostgresStores(db, log, config.engineLanes, mainTerms);
  const engines = stores.map((store) => new Engine({ ...ofEachEngine, store, onHalt }));
  const lanes = member ? members : engines;
  const engine = new Lanes(hasEngines ? lanes : [createAbsentLane({ db, clock, log })]);
  const { link } = deps;
  const router = link
    ? createCommandRouter({
        ...{ link, clock, log, limits },
        readOwners: () => readSlotOwners(db),
        local: () => engine.hosts(),
      })
    : null;
  const served = link ? serveEngines({ link, clock, log }, () => engine.hosts()) : null;
  if (link)
    slotListeners.add(() => {
      served?.refresh();
      // The others read the owners again.
      link.publish('tell.slots', {});
    });
  /** What takes commands: without a cluster the lanes themselves. */
  const submission: Pick<Engine, 'submit'> = router ?? engine;

  const ledger = createLedgerMonitor({
    db,
    clock,
    log,
    isOurs: () => duties.isOurs('ledger'),
    onViolation: ({ invariant, detail }) =>
      halts.haltForLedger(`invariant violated: ${invariant} (${detail})`),
  });
  const halts: Halts = createHalts({ db, clock, engine, ledger, log });
  const staffOrders = createStaffOrders({ db, engine: submission, log });
  const stopping = new AbortController();
  const { signal } = stopping;
  let maintenance: Promise<void> | undefined;
  let timers: readonly NodeJS.Timeout[] = [];
  let subscriptions: readonly (() => void)[] = [];

  const snapshotHourly = onceAnHour(clock.now(), async (now) => {
    if (duties.isOurs('chores')) await snapshotEquity(db, { now, marketAt, signal });
  });
  const runMaintenance = async (): Promise<void> => {
    const now = clock.now();
    try {
      if (duties.isOurs('chores')) await deleteExpired(db, now, signal);
      await snapshotHourly(now);
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'periodic tasks of trading failed; retrying in a minute');
    }
  };
  const startMaintenance = (): void => {
    halts.retry();
    if (duties.isOurs('chores')) staffOrders.check();
    maintenance ??= runMaintenance().finally(() => {
      maintenance = undefined;
    });
  };

  const previewing = { db, marketContextNow, mainTerms, isHalted: () => engine.state().halted !== null };
  return {
    procedures: createProcedures({
      ...{ engine: submission, db, config, market, marketContextNow, mainTerms, log },
      now: () => new Date(clock.now()),
      chargeRate: deps.chargeRate ?? (() => undefined),
      isHalted: () => engine.state().halted !== null,
    }),
    engine: submission,
    dryRun: createDryRun(previewing),
    previewEach: createPreviewEach(previewing),
    reload: (accountIds) => bus.publish('accounts.written', { accountIds: [...accountIds] }),
    moveSlots: (slots, toLane) => moveSlots(engines, slots, toLane),
    slots: {
      held: () => members.map((each) => each.held()),
      onChange: (listener) => {
        slotListeners.add(listener);
        return () => void slotListeners.delete(listener);
      },
    },
    writes: createWrites({ engine: submission, db, market }),
    beginPast: (accountIds, start) =>
      beginPast(
        { ...terms, mainTerms, db, log, engine, pair: (symbol) => market.pair(symbol) },
        accountIds,
        start,
      ),
    start: async () => {
      await halts.restore();
      await engine.start();
      await router?.start();
      served?.refresh();
      market.setSymbolsInUse(
        () => engine.symbolsInUse(),
        () => engine.bookedSymbols(),
      );
      market.setPendingSettlement(() => engine.settled());
      subscriptions = [
        bus.subscribe('market.tick', ({ symbol }) => {
          if (recentTicks) rememberTick(symbol);
          engine.tick(symbol);
        }),
        bus.subscribe('role.changed', () => duties.isOurs('chores') && staffOrders.check()),
        bus.subscribe('accounts.written', ({ accountIds }) => engine.reload(accountIds)),
        // Some of those events may have been lost.
        bus.subscribe('link.restored', () => engine.forgetCached()),
      ];
      ledger.start();
      startMaintenance();
      timers = [
        setInterval(startMaintenance, maintenanceEveryMs).unref(),
        setInterval(() => engine.sweep(), sweepEveryMs).unref(),
        setInterval(() => engine.checkDue(), dueEveryMs).unref(),
        ...(hasEngines ? [] : [setInterval(() => halts.poll(), haltsPolledEveryMs).unref()]),
      ];
    },
    stop: async () => {
      for (const stopListening of subscriptions) stopListening();
      for (const timer of timers) clearInterval(timer);
      stopping.abort();
      // Until its engines have given their slots to others, this process takes commands for them.
      await Promise.all([engine.stop(), ledger.stop(), staffOrders.idle(), maintenance]);
      served?.stop();
      router?.stop();
      await halts.idle();
    },
    state: () => ({
      ...engine.state(),
      refusal: [...stores, ...members].find(({ refusal }) => refusal !== null)?.refusal ?? null,
    }),
    hosts: engine.hosts(),
    routing: () => router?.state() ?? null,
    invariants: () => ledger.report(),
    checks: () => ledger.checks(),
    halts,
  };
}

/** What the lanes of this process hold together is bounded as if there were one. */
function shareOf(limits: EngineLimits, lanes: number): EngineLimits {
  const share = (most: number): number => Math.ceil(most / lanes);
  const { queue, queuedCrossings, accounts, positions } = limits;
  return {
    ...limits,
    queue: share(queue),
    queuedCrossings: share(queuedCrossings),
    accounts: share(accounts),
    positions: share(positions),
  };
}

/** Prices and books as of one moment: a book that the exchange changes meanwhile stays what it was. */
function toMarketView(market: TradingDependencies['market'], now: number): MarketView {
  const orderBooks = new Map<string, QuotedBook | undefined>();
  return {
    pair: (symbol) => market.pair(symbol),
    isListed: (symbol) => market.isListed(symbol),
    quote: (symbol) => {
      const last = market.price(symbol);
      if (!last) return undefined;
      const { price, held, marketOpen, source } = last;
      return { price: asPrice(price), stale: market.isStale(symbol, now), held, marketOpen, source };
    },
    book: (symbol, profile) => {
      const name = `${profile} ${symbol}`;
      const known = orderBooks.get(name);
      if (known || orderBooks.has(name)) return known;
      const book = market.quotes.book(symbol, profile, now);
      orderBooks.set(name, book);
      return book;
    },
  };
}
