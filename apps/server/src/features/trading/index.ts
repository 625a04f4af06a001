/**
 * Trading: opens and closes positions through the engine's queue, and watches the books. Invariant: every change of a
 * wallet or a position goes through that one queue, and trading stands still as soon as an invariant does not hold.
 */
import { randomUUID } from 'node:crypto';
import { asFeeRate, asPercent, asPrice, type Context, type MarketView, parseDecimal } from '@fulcrum/domain';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import type { Market } from '../market/index.ts';
import { type BooksReport, type CheckReport, watchBooks } from '../wallet/index.ts';
import { Engine, type EngineState } from './engine/engine.ts';
import { defaultLimits, type EngineLimits } from './engine/limits.ts';
import { PostgresStore } from './engine/postgres-store.ts';
import type { Tape } from './engine/tape.ts';
import { hourly, snapshotEquity } from './equity.ts';
import { createHalts, type Halts } from './halts.ts';
import { createProcedures, type Deletions, type Submit } from './procedures.ts';
import { forgetOld } from './retention.ts';
import { createStaffOrders } from './staff-orders.ts';
import { createWrites } from './writes.ts';

export type { TapeEntry } from './engine/tape.ts';
export { readEquity } from './equity.ts';
export type { Halts } from './halts.ts';
export { type LedgerRow, ledgerHash, replay } from './replay.ts';

export interface TradingDependencies {
  readonly db: Database;
  readonly config: Pick<
    Config,
    'rules' | 'priceTolerancePct' | 'tradingFeeRate' | 'allowReset' | 'signupBalance'
  >;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly log: Log;
  readonly market: Pick<Market, 'pair' | 'isListed' | 'price' | 'isStale' | 'freshen' | 'useSymbolsInUse'>;
  readonly deletions: Deletions;
  /** Other limits than production's, for tests. */
  readonly limits?: Partial<EngineLimits>;
  /** Records what the engine decides, for `replay`. */
  readonly tape?: Tape;
}

export interface Trading {
  /** A handler for every procedure that the contract declares for trading. */
  readonly procedures: ReturnType<typeof createProcedures>;
  /** What becomes of the documents' own writes to `orders`, `positions` and `transactions`. */
  readonly writes: ReturnType<typeof createWrites>;
  /** @throws StartError when another engine runs, or something of another rule set is open (A01). */
  start(): Promise<void>;
  stop(): Promise<void>;
  state(): EngineState;
  /** What the last passes over the books found: a full one at the start and every day, a short one every minute. */
  invariants(): BooksReport;
  /** The same, each invariant by itself. */
  checks(): readonly CheckReport[];
  /** Trading in the hands of admins. */
  readonly halts: Pick<Halts, 'halt' | 'resume' | 'current'>;
}

const choresEveryMs = 60_000;
const sweepEveryMs = 1_000;

export function createTrading(deps: TradingDependencies): Trading {
  const { db, config, clock, bus, log, market, deletions } = deps;
  const marketAt = (now: number): MarketView => viewOf(market, now);
  const terms = {
    newId: randomUUID,
    rules: config.rules,
    feeRate: asFeeRate(config.tradingFeeRate),
    priceTolerance: asPercent(parseDecimal(config.priceTolerancePct.toFixed(8))),
  } as const;
  const contextNow = (): Context => {
    const now = clock.now();
    return { ...terms, now, market: marketAt(now) };
  };
  const engine = new Engine({
    ...terms,
    store: new PostgresStore(db, log),
    clock,
    bus,
    log,
    limits: { ...defaultLimits, ...deps.limits },
    marketAt,
    ...(deps.tape && { tape: deps.tape }),
  });

  const submit: Submit = (of, command, key) => engine.submit(of, command, key);

  const books = watchBooks({
    db,
    clock,
    log,
    onViolation: ({ invariant, detail }) =>
      engine.halt('books', `invariant violated: ${invariant} (${detail})`),
  });
  const halts = createHalts({ db, clock, engine, books });
  const staffOrders = createStaffOrders({ db, submit, log });
  const stopping = new AbortController();
  const { signal } = stopping;
  let chores: Promise<void> | undefined;
  let timers: readonly NodeJS.Timeout[] = [];
  let listening: readonly (() => void)[] = [];

  const snapshotHourly = hourly(clock.now(), (now) => snapshotEquity(db, { now, marketAt, signal }));
  const doChores = async (): Promise<void> => {
    const now = clock.now();
    try {
      await forgetOld(db, now, signal);
      await snapshotHourly(now);
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'the chores of trading are left for the next minute');
    }
  };
  const beginChores = (): void => {
    staffOrders.look();
    chores ??= doChores().finally(() => {
      chores = undefined;
    });
  };

  return {
    procedures: createProcedures({
      ...{ submit, db, config, market, deletions, contextNow },
      isHalted: () => engine.state().halted !== null,
    }),
    writes: createWrites({ submit, db, market }),
    start: async () => {
      await halts.restore();
      await engine.start();
      market.useSymbolsInUse(() => engine.symbolsInUse());
      listening = [
        bus.subscribe('market.tick', ({ symbol }) => engine.tick(symbol)),
        bus.subscribe('role.changed', () => staffOrders.look()),
      ];
      books.start();
      beginChores();
      timers = [
        setInterval(beginChores, choresEveryMs).unref(),
        setInterval(() => engine.sweep(), sweepEveryMs).unref(),
      ];
    },
    stop: async () => {
      for (const stopListening of listening) stopListening();
      for (const timer of timers) clearInterval(timer);
      stopping.abort();
      await Promise.all([engine.stop(), books.stop(), staffOrders.idle(), chores]);
    },
    state: () => engine.state(),
    invariants: () => books.report(),
    checks: () => books.checks(),
    halts,
  };
}

function viewOf(market: TradingDependencies['market'], now: number): MarketView {
  return {
    pair: (symbol) => market.pair(symbol),
    isListed: (symbol) => market.isListed(symbol),
    quote: (symbol) => {
      const last = market.price(symbol);
      if (!last) return undefined;
      return { price: asPrice(last.price), stale: market.isStale(symbol, now), marketOpen: last.marketOpen };
    },
  };
}
