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
import type { Config } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { idOfHour } from '../../platform/ids.ts';
import type { Log } from '../../platform/log/index.ts';
import type { Market } from '../market/index.ts';
import { type CheckReport, createLedgerMonitor, type LedgerReport } from '../wallet/index.ts';
import { createDryRun, type DryRun } from './dry-run.ts';
import type { CommandLog } from './engine/command-log.ts';
import { Engine, type EngineDependencies, type EngineState } from './engine/engine.ts';
import { defaultLimits, type EngineLimits } from './engine/limits.ts';
import type { EngineObserver } from './engine/observer.ts';
import { createPostgresStores } from './engine/postgres-store.ts';
import { onceAnHour, snapshotEquity } from './equity.ts';
import { createHalts, type Halts } from './halts.ts';
import { Lanes } from './lanes.ts';
import { beginPast, type Past } from './past/index.ts';
import { createProcedures } from './procedures.ts';
import { deleteExpired } from './retention.ts';
import { createStaffOrders } from './staff-orders.ts';
import { createWrites } from './writes.ts';

export { requireStaffOrigin, requireTrader, toCommandOrigin } from './authority.ts';
export { createIdempotencyKey, parseFunds } from './command-input.ts';
export { type LedgerRow, ledgerHash, replayCommandLog } from './command-replay.ts';
export type { DryRunRequest } from './dry-run.ts';
export type { CommandLogEntry } from './engine/command-log.ts';
export { marksOf, readEquities, readEquity } from './equity.ts';
export type { Halts } from './halts.ts';
export { createEngineMetrics } from './metrics.ts';
export { defaultProfile } from './order-book.ts';
export type { Past } from './past/index.ts';
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
  >;
  /**
   * Charges a user's request rate for the actual cost of a request, in addition to the request; without it there is
   * no charge.
   */
  readonly chargeRate?: (userId: string, units: number) => void;
  /** Other limits than production's, for tests; the lanes share them. */
  readonly limits?: Partial<EngineLimits>;
  /** Records what the engine decides, for `replay`. */
  readonly commandLog?: CommandLog;
  /** Counts what the engine does. */
  readonly observer?: EngineObserver;
}

export interface Trading {
  /** The handlers of the traders' own procedures, and of what staff read before and after an action. */
  readonly procedures: ReturnType<typeof createProcedures>;
  readonly engine: Pick<Engine, 'submit'>;
  /** What requests of a trader would do now; nothing is written. */
  readonly dryRun: DryRun;
  /** Reads accounts again that were written past the engine. */
  readonly reload: (accountIds: Iterable<string>) => void;
  /** Moves accounts between lanes. */
  readonly lanes: Pick<Lanes, 'move'>;
  /** Begins a past of these accounts at `start` (ms since the epoch), for the demo. */
  beginPast(accountIds: readonly string[], start: number): Promise<Past>;
  /** The handlers of the documents' own writes to `orders`, `positions` and `transactions`. */
  readonly writes: ReturnType<typeof createWrites>;
  /** @throws StartError when another engine runs, or something of another rule set is open (A01). */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** `refusal`: why PostgreSQL cannot write the engine's decisions; null while it can. */
  state(): EngineState & { readonly refusal: string | null };
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
/** How much later than its latency a trade may be filled. */
const dueEveryMs = 25;

export function createTrading(deps: TradingDependencies): Trading {
  const { db, config, clock, bus, log, market } = deps;
  const marketAt = (now: number): MarketView => toMarketView(market, now);
  const terms = {
    newId: () => idOfHour(clock.now()),
    rules: config.rules,
    priceTolerance: asPercent(parseDecimal(config.priceTolerancePct.toFixed(8))),
  } as const;
  /** Of main accounts (A112). */
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
  const stores = createPostgresStores(db, log, config.engineLanes, mainTerms);
  const ofEachEngine: Omit<EngineDependencies, 'store'> = {
    ...terms,
    clock,
    bus,
    log,
    limits: shareOf({ ...defaultLimits, ...deps.limits }, config.engineLanes),
    marketAt,
    ...(deps.commandLog && { commandLog: deps.commandLog }),
    ...(deps.observer && { observer: deps.observer }),
    onHalt: (cause, reason) => {
      if (cause === 'ledger') halts.haltForLedger(reason);
      else engine.halt(cause, reason);
    },
  };
  const engine = new Lanes(stores.map((store) => new Engine({ ...ofEachEngine, store })));

  const ledger = createLedgerMonitor({
    db,
    clock,
    log,
    onViolation: ({ invariant, detail }) =>
      halts.haltForLedger(`invariant violated: ${invariant} (${detail})`),
  });
  const halts: Halts = createHalts({ db, clock, engine, ledger, log });
  const staffOrders = createStaffOrders({ db, engine, log });
  const stopping = new AbortController();
  const { signal } = stopping;
  let maintenance: Promise<void> | undefined;
  let timers: readonly NodeJS.Timeout[] = [];
  let subscriptions: readonly (() => void)[] = [];

  const snapshotHourly = onceAnHour(clock.now(), (now) => snapshotEquity(db, { now, marketAt, signal }));
  const runMaintenance = async (): Promise<void> => {
    const now = clock.now();
    try {
      await deleteExpired(db, now, signal);
      await snapshotHourly(now);
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'periodic tasks of trading failed; retrying in a minute');
    }
  };
  const startMaintenance = (): void => {
    staffOrders.check();
    halts.retry();
    maintenance ??= runMaintenance().finally(() => {
      maintenance = undefined;
    });
  };

  return {
    procedures: createProcedures({
      ...{ engine, db, config, market, marketContextNow, mainTerms, log },
      now: () => new Date(clock.now()),
      chargeRate: deps.chargeRate ?? (() => undefined),
      isHalted: () => engine.state().halted !== null,
    }),
    engine,
    dryRun: createDryRun({ db, marketContextNow, mainTerms, isHalted: () => engine.state().halted !== null }),
    reload: (accountIds) => engine.reload(accountIds),
    lanes: engine,
    writes: createWrites({ engine, db, market }),
    beginPast: (accountIds, start) =>
      beginPast(
        { ...terms, mainTerms, db, log, engine, pair: (symbol) => market.pair(symbol) },
        accountIds,
        start,
      ),
    start: async () => {
      await halts.restore();
      await engine.start();
      market.setSymbolsInUse(
        () => engine.symbolsInUse(),
        () => engine.bookedSymbols(),
      );
      market.setPendingSettlement(() => engine.settled());
      subscriptions = [
        bus.subscribe('market.tick', ({ symbol }) => engine.tick(symbol)),
        bus.subscribe('role.changed', () => staffOrders.check()),
      ];
      ledger.start();
      startMaintenance();
      timers = [
        setInterval(startMaintenance, maintenanceEveryMs).unref(),
        setInterval(() => engine.sweep(), sweepEveryMs).unref(),
        setInterval(() => engine.checkDue(), dueEveryMs).unref(),
      ];
    },
    stop: async () => {
      for (const stopListening of subscriptions) stopListening();
      for (const timer of timers) clearInterval(timer);
      stopping.abort();
      await Promise.all([engine.stop(), ledger.stop(), staffOrders.idle(), maintenance]);
      await halts.idle();
    },
    state: () => ({
      ...engine.state(),
      refusal: stores.find(({ refusal }) => refusal !== null)?.refusal ?? null,
    }),
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
      const { price, held, marketOpen } = last;
      return { price: asPrice(price), stale: market.isStale(symbol, now), held, marketOpen };
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
