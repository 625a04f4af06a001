/**
 * Trading: opens and closes positions through the engine's queue, and watches the books. Invariant: every change of a
 * wallet or a position goes through that one queue, and trading stands still as soon as an invariant does not hold.
 */
import type { PositionRow, SignedIn } from '@fulcrum/contract';
import { asPercent, asPrice, type MarketView, parseDecimal } from '@fulcrum/domain';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { StartError } from '../../platform/start-error.ts';
import type { Market } from '../market/index.ts';
import { checkInvariants, type InvariantReport } from '../wallet/index.ts';
import { type CloseArgs, closeCommandOf, idempotencyKeyOf, type OpenArgs, openCommandOf } from './claims.ts';
import { defaultLimits, Engine, type EngineLimits, type EngineState } from './engine/engine.ts';

export interface TradingDependencies {
  readonly db: Database;
  readonly config: Pick<Config, 'rules' | 'priceTolerancePct'>;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly log: Log;
  readonly market: Pick<Market, 'pair' | 'price' | 'isStale'>;
  /** Other limits than production's, for tests. */
  readonly limits?: Partial<EngineLimits>;
}

export interface Trading {
  /** Opens at the server's price (CALL-47). @throws AppError with the stated text when nothing was opened. */
  openPosition(this: void, caller: SignedIn, args: OpenArgs): Promise<PositionRow>;
  /** Closes the whole position (CALL-48). @throws AppError with the stated text when nothing was closed. */
  closePosition(this: void, caller: SignedIn, args: CloseArgs): Promise<PositionRow>;
  /** @throws StartError when another engine runs, or positions of another rule set are open (A01). */
  start(): Promise<void>;
  stop(): Promise<void>;
  state(): EngineState;
  /** The last pass over the books; one runs at the start and every minute. */
  invariants(): InvariantReport;
}

const checkEveryMs = 60_000;
/** Batch rows are read only after a lost connection, seconds later. */
const keepBatches = '1 hour';

export function createTrading(deps: TradingDependencies): Trading {
  const { db, config, clock, bus, log, market } = deps;
  const engine = new Engine({
    db,
    clock,
    bus,
    log,
    rules: config.rules,
    priceTolerance: asPercent(parseDecimal(config.priceTolerancePct.toFixed(8))),
    limits: { ...defaultLimits, ...deps.limits },
    marketAt: (now) => viewOf(market, now),
  });

  let report: InvariantReport = { ok: true, checkedAt: null, violations: [] };
  let pass: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const watchBooks = async (): Promise<void> => {
    try {
      report = await checkInvariants(db);
    } catch (error) {
      log.error({ err: error }, 'the invariants could not be checked');
      return;
    }
    const [first] = report.violations;
    if (first) engine.halt(`invariant violated: ${first.invariant} (${first.detail})`);
  };
  const forgetBatches = async (): Promise<void> => {
    try {
      await db.query(`delete from app.engine_batches where committed_at < now() - $1::interval`, [
        keepBatches,
      ]);
    } catch (error) {
      log.warn({ err: error }, 'old batch rows could not be removed');
    }
  };
  const schedulePass = (): void => {
    pass ??= Promise.all([watchBooks(), forgetBatches()]).then(() => {
      pass = undefined;
    });
  };

  return {
    openPosition: async (caller, args) => {
      const command = openCommandOf(args);
      const { p_symbol, p_side, p_size, p_leverage, p_entry_price = null } = args;
      const body = [p_symbol, p_side, p_size, p_leverage, p_entry_price];
      return engine.submit(caller, command, idempotencyKeyOf('open_position', args.p_client_id, body));
    },
    closePosition: async (caller, args) => {
      const command = closeCommandOf(args);
      const key = idempotencyKeyOf('close_position', args.p_client_id, [command.positionId]);
      return engine.submit(caller, command, key);
    },
    start: async () => {
      await engine.start();
      try {
        await refuseForeignRules(db, config.rules);
      } catch (error) {
        await engine.stop();
        throw error;
      }
      schedulePass();
      timer = setInterval(schedulePass, checkEveryMs).unref();
    },
    stop: async () => {
      clearInterval(timer);
      await engine.stop();
      await pass;
    },
    state: () => engine.state(),
    invariants: () => report,
  };
}

function viewOf(market: TradingDependencies['market'], now: number): MarketView {
  return {
    pair: (symbol) => market.pair(symbol),
    quote: (symbol) => {
      const last = market.price(symbol);
      if (!last) return undefined;
      return { price: asPrice(last.price), stale: market.isStale(symbol, now), marketOpen: last.marketOpen };
    },
  };
}

/** A01: a position lives under the rules that it was opened under, and one server trades under one set. */
async function refuseForeignRules(db: Database, rules: Config['rules']): Promise<void> {
  const { rows } = await db.query<{ rules: string; open: string }>(
    `select rules, count(*) as open from app.positions where status = 'open' and rules <> $1 group by rules`,
    [rules],
  );
  const [other] = rows;
  if (!other) return;
  throw new StartError(
    `RULES=${rules}, but ${other.open} open position${other.open === '1' ? '' : 's'} follow${other.open === '1' ? 's' : ''} ` +
      `the rule set ${other.rules}: start with RULES=${other.rules} and close them first`,
  );
}
