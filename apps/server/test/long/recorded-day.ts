/**
 * A recorded day through the real hub and the real engine on PostgreSQL, beside the simulator's auditor, which checks
 * every open position at every price and shares no formula with the domain. Positions of mixed leverage, most with take
 * profit, stop loss or both, are opened in waves over the day. At the end the test compares the cause, time, price and result
 * of each close, and every wallet.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import {
  asFeeRate,
  asMoney,
  asPercent,
  asPrice,
  asSize,
  hourMs,
  MAX_LEVERAGE,
  type MarketView,
  minuteMs,
  type OpenCommand,
  ownTradesMs,
  type Price,
  parseDecimal,
  type RuleSetName,
  roundToTick,
  type TradingPair,
  toNumber,
} from '@fulcrum/domain';
import { catalogue } from '../../src/features/market/catalogue/index.ts';
import type { FeedTick } from '../../src/features/market/feed.ts';
import { type Recording, readRecordings } from '../../src/features/market/feeds/replay/recording.ts';
import { createReplayRun } from '../../src/features/market/feeds/replay/run.ts';
import { createHub, type Hub } from '../../src/features/market/hub.ts';
import { createQuotes, type Quotes } from '../../src/features/market/quotes/index.ts';
import { writePairs } from '../../src/features/market/store.ts';
import { Engine } from '../../src/features/trading/engine/engine.ts';
import { defaultLimits } from '../../src/features/trading/engine/limits.ts';
import { createPostgresStores } from '../../src/features/trading/engine/postgres-store.ts';
import { checkInvariants, openWallet } from '../../src/features/wallet/index.ts';
import { createBus } from '../../src/platform/bus/index.ts';
import { createManualClock, type ManualClock } from '../../src/platform/clock/index.ts';
import { type TestDatabase, testLog } from '../harness/index.ts';
import { consequencesOf } from '../simulation/audited-market.ts';
import { netFees } from '../simulation/audited-net-formulas.ts';
import { Auditor } from '../simulation/auditor.ts';
import { type AuditedPosition, availableIn, marginIn } from '../simulation/ledger-book.ts';
import { type Chance, createChance } from '../simulation/random.ts';

export interface RecordedDayOptions {
  readonly folder: string;
  /** `perpetual`: the traders trade in accounts of their own with net positions, and `positions` counts what was opened or increased. */
  readonly rules: RuleSetName;
  readonly positions: number;
  readonly traders: number;
  readonly seed: number;
}

export interface RecordedDayReport {
  readonly ticks: number;
  readonly opened: number;
  /** Of both sides, by what ended them; `open` is what is still open. */
  readonly ended: Readonly<Record<string, number>>;
  readonly warnings: number;
  /** What differs between engine and auditor, and broken invariants; as text. */
  readonly differences: readonly string[];
}

/** Interval of the checks of the recording; its turning points lie 20 s apart. */
const stepMs = 10_000;
const wavesEveryMs = 20 * minuteMs;
const deposit = parseDecimal('10000000');
const feeRate = parseDecimal('0.0004');
const tolerance = parseDecimal('0.5');
const leverages = [1, 2, 5, 10, 20, 30, 50, 75, 100, 125] as const;
/** Of every position, so that all of them together fit into the deposits at any leverage. USDT. */
const valueOfOne = 1_000;
/** A made recording trades little, so its book is thin. */
const valueOfOneNet = 100;
const differencesMax = 20;
const roundsOfWave = 30;
const pairs: ReadonlyMap<string, TradingPair> = new Map(catalogue.map((pair) => [pair.symbol, pair]));
/** So that a generated day of 90 minutes is funded at 08:00, too. */
const firstInstant = Date.UTC(2026, 0, 5, 7);

interface Trader {
  readonly ownerId: string;
  readonly accountId: string;
}

interface OpenedPosition {
  readonly userId: string;
  readonly position: AuditedPosition;
}

interface StoredEnd {
  readonly id: string;
  readonly reason: string | null;
  readonly price: string | null;
  readonly pnl: string | null;
  readonly source: string | null;
  readonly at: string | null;
  readonly fees: string;
  readonly funding: string;
  readonly liquidation: string;
  readonly warned: boolean;
}

/** As text, with amounts and prices in 1e-8. */
function endOf({ reason, price, pnl, source, at, warned, ...figures }: StoredEnd): string {
  const [fees, funding, liquidation] = [figures.fees, figures.funding, figures.liquidation].map(parseDecimal);
  const end =
    price === null || pnl === null
      ? null
      : `${reason} at ${parseDecimal(price)} (${source}), ${parseDecimal(pnl)}, ${at}`;
  return `${end}; fees ${fees}, funding ${funding}, liquidation ${liquidation}, warned ${warned}`;
}

class RecordedDay {
  readonly #db: TestDatabase;
  readonly #options: RecordedDayOptions;
  readonly #recordings: readonly Recording[];
  readonly #traders: readonly Trader[];
  readonly #isNet: boolean;
  readonly #quotes: Quotes;
  readonly #chance: Chance;
  readonly #clock: ManualClock = createManualClock(firstInstant);
  readonly #hub: Hub;
  readonly #engine: Engine;
  readonly #auditor: Auditor;
  /** Open as the auditor has it, by symbol. */
  readonly #open = new Map<string, OpenedPosition[]>();
  /** At which the auditor has looked already. */
  readonly #checkedAt = new Map<string, Price>();
  readonly #differences: string[] = [];
  #ticks = 0;
  #warnings = 0;
  #opened = 0;
  /** The last hour of the clock in which funding was booked, and whether something waits for its price since. */
  #fundedHour = 0;
  #isFundingLate = false;

  constructor(
    db: TestDatabase,
    options: RecordedDayOptions,
    recordings: readonly Recording[],
    traders: readonly Trader[],
  ) {
    this.#db = db;
    this.#options = options;
    this.#recordings = recordings;
    this.#traders = traders;
    this.#isNet = options.rules === 'perpetual';
    this.#chance = createChance(options.seed);
    const rules = options.rules === 'perpetual' ? 'standard' : options.rules;
    const clock = this.#clock;
    const bus = createBus(testLog);
    const config = { sessions: '24x7', staleAfterS: null } as const;
    this.#hub = createHub({ pairs: catalogue, config, clock, bus, log: testLog });
    this.#quotes = createQuotes({
      ...{ bus, key: randomBytes(32), pair: (symbol) => pairs.get(symbol), price: this.#hub.price },
    });
    this.#quotes.start();
    this.#engine = new Engine({
      store: createPostgresStores(db, testLog, 1, {
        rules,
        feeRate: asFeeRate(feeRate),
        leverageMax: MAX_LEVERAGE,
        fillProfile: 'exact',
      })[0],
      clock,
      bus,
      log: testLog,
      newId: randomUUID,
      rules,
      priceTolerance: asPercent(tolerance),
      limits: defaultLimits,
      marketAt: (now) => this.#marketAt(now),
    });
    this.#auditor = new Auditor({ tolerancePercent: tolerance, pairs: catalogue });
    const rate = this.#isNet ? netFees.taker : feeRate;
    const terms = { rules: options.rules, feeRate: rate, leverageMax: MAX_LEVERAGE, fillProfile: 'pro' };
    for (const trader of traders) this.#auditor.addAccount({ ...trader, deposit, terms });
    bus.subscribe('market.tick', ({ symbol }) => {
      this.#ticks += 1;
      this.#engine.tick(symbol);
    });
  }

  #marketAt(now: number): MarketView {
    return {
      pair: (symbol) => pairs.get(symbol),
      book: (symbol, profile) => this.#quotes.book(symbol, profile, now),
      quote: (symbol) => {
        const last = this.#hub.price(symbol);
        if (!last) return undefined;
        return {
          price: asPrice(last.price),
          stale: this.#hub.isStale(symbol, now),
          held: last.held,
          marketOpen: last.marketOpen,
        };
      },
    };
  }

  async run(): Promise<RecordedDayReport> {
    await this.#engine.start();
    const run = createReplayRun(this.#recordings, { loop: false });
    const begin = Math.min(
      ...this.#recordings.map(({ candles, midnight }) => (candles[0]?.openTime ?? 0) - midnight),
    );
    const end = Math.max(
      ...this.#recordings.map(({ candles, midnight }) => (candles.at(-1)?.openTime ?? 0) - midnight),
    );
    const waves = Math.floor((end - begin) / wavesEveryMs);
    for (let at = 0; at <= end - begin; at += stepMs) {
      for (const tick of run.advance(stepMs)) await this.#take(tick);
      this.#clock.advance(stepMs);
      await this.#fund();
      if (at % wavesEveryMs === 0) await this.#openSome(Math.ceil(this.#options.positions / waves));
    }
    await this.#engine.stop();
    this.#quotes.stop();
    await this.#compare();
    return this.#report();
  }

  /** As the engine's timer does it; the auditor then books the same. Every hour, because no instant lies in between. */
  async #fund(): Promise<void> {
    const now = this.#clock.now();
    const hour = Math.floor(now / hourMs);
    if (!this.#isNet || (hour === this.#fundedHour && !this.#isFundingLate)) return;
    this.#fundedHour = hour;
    this.#engine.sweep();
    await this.#engine.idle();
    const market = this.#marketAt(now);
    const instant = this.#instantOf(market);
    this.#isFundingLate = false;
    for (const { accountId } of this.#traders) {
      for (const { id, symbol, closing } of this.#auditor.accountOf(accountId)?.positions ?? []) {
        if (closing || id === null) continue;
        // While its price is held the engine waits.
        this.#isFundingLate ||= market.quote(symbol)?.held !== false;
        this.#auditor.settle(accountId, { kind: 'fund', positionId: id }, instant);
      }
    }
  }

  async #take(tick: FeedTick): Promise<void> {
    this.#hub.take(tick);
    this.#check(tick.symbol);
    await this.#engine.idle();
  }

  /** Runs the auditor on every open position of the symbol at its newest price. */
  #check(symbol: string): void {
    const quote = this.#marketAt(this.#clock.now()).quote(symbol);
    if (!quote || quote.stale || !quote.marketOpen || this.#checkedAt.get(symbol) === quote.price) return;
    const { price } = quote;
    this.#checkedAt.set(symbol, price);
    const opened = this.#open.get(symbol) ?? [];
    for (const { userId, position } of opened) {
      const [trigger] = consequencesOf(position, price);
      const { id: positionId } = position;
      if (!trigger || positionId === null) continue;
      const instant = this.#instantOf(this.#marketAt(this.#clock.now()));
      const verdict = this.#auditor.settle(userId, { kind: 'trigger', trigger, positionId, price }, instant);
      if (verdict.length > 0)
        this.#differ(`${trigger} of ${positionId}: the auditor refuses its own (${verdict})`);
      if (trigger === 'margin_warning') this.#warnings += 1;
    }
    this.#open.set(
      symbol,
      opened.filter(({ position }) => position.closing === null),
    );
  }

  /** What the auditor sees: prices, and the books of the profile that net positions fill on. */
  #instantOf(market: MarketView) {
    return {
      at: this.#clock.now(),
      quote: (symbol: string) => market.quote(symbol),
      book: (symbol: string) => market.book?.(symbol, 'pro'),
    };
  }

  /** As many as are still to come, at most `count`, over the symbols that have a price to open at. */
  async #openSome(count: number): Promise<void> {
    const market = this.#marketAt(this.#clock.now());
    const open = this.#recordings.flatMap(({ symbol }) => {
      const quote = market.quote(symbol);
      const pair = market.pair(symbol);
      return pair && quote?.marketOpen && !quote.stale ? [{ pair, price: quote.price }] : [];
    });
    if (open.length === 0) return;
    const target = Math.min(this.#opened + count, this.#options.positions);
    // Some are refused, their stop loss beyond the liquidation price: engine and auditor have to agree on these too.
    for (let round = 0; round < roundsOfWave && this.#opened < target; round += 1) {
      // The levels are whole again for an account that has used them up.
      if (this.#isNet && round > 0) this.#clock.advance(ownTradesMs);
      await this.#fund();
      await Promise.all(
        Array.from({ length: target - this.#opened }, async () => {
          const { pair, price } = this.#chance.pick(open);
          const trader = this.#chance.pick(this.#traders);
          await this.#openOne(trader, this.#commandAt(pair, price, trader));
        }),
      );
    }
    // New positions at a repeated price must be checked again.
    for (const { pair } of open) this.#checkedAt.delete(pair.symbol);
  }

  /**
   * Each trader opens only one side of a symbol. Both sides would pay for each other (A111) in positions that the engine
   * creates; the simulator covers that.
   */
  #sideOf(trader: Trader, pair: TradingPair): 'BUY' | 'SELL' {
    const index = this.#recordings.findIndex(({ symbol }) => symbol === pair.symbol);
    return (this.#traders.indexOf(trader) + index) % 2 === 0 ? 'BUY' : 'SELL';
  }

  #commandAt(pair: TradingPair, price: Price, trader: Trader): OpenCommand {
    const side = this.#sideOf(trader, pair);
    const recording = this.#recordings.find(({ symbol }) => symbol === pair.symbol);
    const range = rangeOf(recording?.candles ?? []);
    const gain = side === 'BUY' ? 1 : -1;
    const away = (direction: number): Price => {
      const share = range * (0.03 + 0.5 * this.#chance.fraction());
      const exact = asPrice(parseDecimal((toNumber(price) * (1 + direction * share)).toFixed(8)));
      return roundToTick(exact, pair.tickSize, 'half-away-from-zero');
    };
    const value = this.#isNet ? valueOfOneNet : valueOfOne;
    const steps = (BigInt(value) * 10n ** 16n) / price / pair.stepSize;
    return {
      kind: 'open',
      symbol: pair.symbol,
      side,
      size: asSize((steps < 1n ? 1n : steps) * pair.stepSize),
      leverage: this.#leverageOf(trader),
      expectedPrice: null,
      takeProfitPrice: this.#chance.happens(0.6) ? away(gain) : null,
      stopLossPrice: this.#chance.happens(0.6) ? away(-gain) : null,
    };
  }

  /** A net position has one leverage, and above 100 none of the size that a day makes. */
  #leverageOf(trader: Trader): number {
    const own = leverages[this.#traders.indexOf(trader) % (leverages.length - 1)];
    return this.#isNet && own !== undefined ? own : this.#chance.pick(leverages);
  }

  async #openOne({ accountId: userId, ownerId }: Trader, command: OpenCommand): Promise<void> {
    const market = this.#marketAt(this.#clock.now());
    const verdict = this.#auditor.settle(userId, command, this.#instantOf(market));
    const { symbol } = command;
    const position = this.#auditor
      .accountOf(userId)
      ?.positions.findLast((one) => one.symbol === symbol && one.closing === null);
    const of = { accountId: userId, ownerId, actorId: ownerId, authority: null, reason: null };
    const outcome = await this.#engine.submit(of, command, null).then(
      (answer) => ({ id: String(answer.id), code: null }),
      (error: { code?: string }) => ({ id: null, code: error.code ?? String(error) }),
    );
    const isExpected = outcome.code === null ? verdict.length === 0 : verdict.includes(outcome.code);
    if (!isExpected) this.#differ(`open: expected ${verdict} by the auditor, the engine has ${outcome.code}`);
    if (outcome.id === null || verdict.length > 0 || !position) return;
    position.id = outcome.id;
    this.#opened += 1;
    const opened = this.#open.get(symbol) ?? [];
    this.#open.set(symbol, opened);
    if (!opened.some((known) => known.position === position)) opened.push({ userId, position });
  }

  #differ(difference: string): void {
    if (this.#differences.length < differencesMax) this.#differences.push(difference);
  }

  async #compare(): Promise<void> {
    const { rows: positions } = await this.#db.query<StoredEnd>(
      `select id, close_reason as reason, close_price::text as price, realized_pnl::text as pnl, close_price_source as source,
              round(extract(epoch from closed_at) * 1000)::text as at, fees::text, funding::text, liquidation_price::text as liquidation,
              margin_warned as warned
       from app.positions`,
    );
    const stored = new Map(positions.map((row) => [row.id, endOf(row)]));
    let known = 0;
    for (const account of this.#auditor.accounts) {
      for (const { id, closing, fees, funding, liquidation, isWarned } of account.positions) {
        known += 1;
        const end =
          closing &&
          `${closing.reason} at ${closing.price} (${closing.source}), ${closing.pnl}, ${closing.at}`;
        const expected = `${end}; fees ${fees}, funding ${funding}, liquidation ${liquidation}, warned ${isWarned}`;
        const actual = stored.get(id ?? '');
        if (expected !== actual) this.#differ(`position ${id}: ${expected}, the engine has ${actual}`);
      }
    }
    if (known !== stored.size) this.#differ(`${known} positions, the engine has ${stored.size}`);
    const { rows: wallets } = await this.#db.query<{ user_id: string; available: string; margin: string }>(
      'select user_id, available_balance as available, margin from app.wallets',
    );
    for (const { user_id: userId, available, margin } of wallets) {
      const account = this.#auditor.accountOf(userId);
      const expected = account && [availableIn(account), marginIn(account)];
      if (expected?.join() !== [parseDecimal(available), parseDecimal(margin)].join()) {
        this.#differ(`wallet of ${userId}: ${expected}, the engine has ${available}, ${margin}`);
      }
    }
    await this.#compareFills();
    const { violations } = await checkInvariants(this.#db);
    for (const { invariant, detail } of violations) this.#differ(`${invariant}: ${detail}`);
  }

  async #compareFills(): Promise<void> {
    const { rows } = await this.#db.query<{ id: string; count: string; value: string; fee: string }>(
      'select user_id as id, count(*), sum(value)::text as value, sum(fee)::text as fee from app.executions group by 1',
    );
    const stored = new Map(
      rows.map(({ id, count, value, fee }) => [
        id,
        `${count} of ${parseDecimal(value)}, ${parseDecimal(fee)}`,
      ]),
    );
    for (const { accountId, fills } of this.#auditor.accounts) {
      if (fills.length === 0) continue;
      const sum = (of: 'value' | 'fee') => fills.reduce((all, fill) => all + fill[of], 0n);
      const expected = `${fills.length} of ${sum('value')}, ${sum('fee')}`;
      if (stored.get(accountId) !== expected)
        this.#differ(`fills of ${accountId}: ${expected}, the engine has ${stored.get(accountId)}`);
    }
  }

  #report(): RecordedDayReport {
    const ended: Record<string, number> = {};
    for (const { positions } of this.#auditor.accounts) {
      for (const { closing } of positions) {
        const end = closing?.reason ?? 'open';
        ended[end] = (ended[end] ?? 0) + 1;
      }
    }
    return {
      ticks: this.#ticks,
      opened: this.#opened,
      ended,
      warnings: this.#warnings,
      differences: this.#differences,
    };
  }
}

/** How far the day's prices lie apart, as a share of the lowest. */
function rangeOf(candles: Recording['candles']): number {
  const low = Math.min(...candles.map((candle) => candle.low));
  return Math.max(...candles.map((candle) => candle.high)) / low - 1;
}

async function addNetAccount(db: TestDatabase, ownerId: string): Promise<string> {
  // The same slot as the owner's.
  const id = `${randomUUID().slice(0, -2)}${ownerId.slice(-2)}`;
  await db.query(
    `insert into app.trading_accounts (id, owner_id, kind, name, rules, leverage_max, fee_rate, fill_profile)
     values ($1, $2, 'practice', 'Net', 'perpetual', 125, 0.0005, 'pro')`,
    [id, ownerId],
  );
  return id;
}

export async function runRecordedDay(
  db: TestDatabase,
  options: RecordedDayOptions,
): Promise<RecordedDayReport> {
  const isNet = options.rules === 'perpetual';
  // The auditor has the brackets of crypto alone.
  const recordings = (await readRecordings(options.folder, catalogue, testLog)).filter(
    ({ symbol }) => !isNet || pairs.get(symbol)?.type === 'crypto',
  );
  await writePairs(db, catalogue);
  const { rows } = await db.query<{ id: string }>(
    `insert into app.users (email, username, role)
     select 'day-' || n || '@example.test', 'day-' || n, 'trader' from generate_series(1, $1::integer) n
     returning id`,
    [options.traders],
  );
  const traders: Trader[] = [];
  for (const { id: ownerId } of rows) {
    const accountId = isNet ? await addNetAccount(db, ownerId) : ownerId;
    await openWallet(db, { accountId, initialBalance: asMoney(deposit) });
    traders.push({ ownerId, accountId });
  }
  return new RecordedDay(db, options, recordings, traders).run();
}
