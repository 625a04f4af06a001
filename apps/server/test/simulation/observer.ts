/**
 * Stands between the engine and the auditor: tells it what the engine has settled, in that order and with the prices of that
 * moment, compares every outcome, and keeps account of what each tick has to bring about. While nothing has failed, a tick
 * that reaches something must be acted on at its own price; after a failure the sweep has to find it.
 */
import type { Price } from '@fulcrum/domain';
import type { Batch } from '../../src/features/trading/engine/store.ts';
import type { Tape, TapedCommand, TapeEntry } from '../../src/features/trading/engine/tape.ts';
import { adoptAccount } from './adoption.ts';
import { consequencesOf, reaches } from './audited-market.ts';
import type { Auditor } from './auditor.ts';
import { compareAccount, type Report } from './comparison.ts';
import { pnlOf } from './formulas.ts';
import type { AuditedAccount } from './ledger-book.ts';
import type { MarketMoment, SimulatedMarket } from './market.ts';
import type { MemoryDatabase } from './memory-database.ts';

/** Something that a price has reached and that therefore has to happen. */
interface Expected {
  readonly price: Price;
  readonly at: number;
}

interface Said {
  readonly price: Price;
  readonly isOpen: boolean;
  readonly from: number;
  until: number;
}

/** What an engine reports to. */
export interface Connection {
  /** It looks at the market to decide a batch. */
  onDeciding(moment: MarketMoment): void;
  readonly tape: Tape;
}

/** A37, and how old a crossing may get in the queue. */
const oldestPriceMs = 60_000;
const oldestCrossingMs = 5_000;

export class Observer {
  readonly #auditor: Auditor;
  readonly #database: MemoryDatabase;
  readonly #market: SimulatedMarket;
  readonly #report: Report;
  readonly #expected = new Map<string, Expected>();
  /** Prices that have reached it since the last look; the first one acts, unless that one came to nothing meanwhile. */
  readonly #reached = new Map<string, Set<Price>>();
  readonly #history = new Map<string, Said[]>();
  /** Ticks that came while a batch was decided and not yet written. */
  #deferred: { readonly symbol: string; readonly moment: MarketMoment }[] = [];
  #isInFlight: boolean = false;
  #isBatchOpen: boolean = false;
  #touched = new Set<string>();
  /** One of each engine. */
  readonly #tapes: TapeEntry[][] = [];
  /** Batches up to this one are accounted for. */
  #batchesSeen = 0;
  /** Commands of clients that changed something. */
  applied = 0;
  settled = 0;
  /** Batches that were written and never taped. */
  adopted = 0;
  crossings = 0;
  /** Whether something has failed or been lost since the last look, so that no crossing can be foretold. */
  isDisturbed: boolean = false;

  constructor(auditor: Auditor, database: MemoryDatabase, market: SimulatedMarket, report: Report) {
    this.#auditor = auditor;
    this.#database = database;
    this.#market = market;
    this.#report = report;
  }

  /** Engine after engine. */
  get tape(): readonly TapeEntry[] {
    return this.#tapes.flat();
  }

  /** For one engine: two of them may be at work while one takes over from the other. */
  connect(): Connection {
    let decidedAt: MarketMoment | null = null;
    const own: TapeEntry[] = [];
    this.#tapes.push(own);
    return {
      onDeciding: (moment) => {
        this.#adoptUntaped();
        this.#flushDeferred();
        decidedAt = moment;
        this.#isInFlight = true;
      },
      tape: (entry) => {
        own.push(entry);
        this.#record(entry, decidedAt);
      },
    };
  }

  /** A price of the hub, before the engine hears of it. */
  onTick(symbol: string, moment: MarketMoment): void {
    const said = this.#history.get(symbol) ?? [];
    this.#history.set(symbol, said);
    const quote = moment.quote(symbol);
    const last = said.at(-1);
    if (last) last.until = moment.at;
    if (quote) {
      said.push({ price: quote.price, isOpen: quote.marketOpen, from: moment.at, until: Infinity });
    }
    if (this.#isInFlight) this.#deferred.push({ symbol, moment });
    else this.#expectAt(symbol, moment);
  }

  /**
   * A batch whose fate the engine could not find out is written and on no tape. What it did is taken over as it is stored,
   * once; the books are checked all the same.
   */
  #adoptUntaped(): void {
    const { batches } = this.#database;
    for (; this.#batchesSeen < batches.length; this.#batchesSeen += 1) {
      const batch = batches[this.#batchesSeen];
      if (!batch) continue;
      this.adopted += 1;
      this.applied += Math.max(0, batch.commands - crossingsIn(batch));
      for (const { after } of batch.wallets) adoptAccount(this.#auditor, this.#database, after.userId);
    }
  }

  #flushDeferred(): void {
    for (const { symbol, moment } of this.#deferred.splice(0)) this.#expectAt(symbol, moment);
  }

  /** Walks everything there is: what does this price reach? */
  #expectAt(symbol: string, moment: MarketMoment): void {
    const quote = moment.quote(symbol);
    if (this.isDisturbed || !quote || quote.stale || !quote.marketOpen) return;
    const { price } = quote;
    for (const { positions, orders, isDeleted } of this.#auditor.accounts) {
      if (isDeleted) continue;
      for (const position of positions) {
        if (position.symbol !== symbol || consequencesOf(position, price).length === 0) continue;
        this.#expect(position.id, price, moment.at);
      }
      for (const order of orders) {
        if (order.symbol !== symbol || order.status !== 'NEW' || !reaches(order, price)) continue;
        this.#expect(order.id, price, moment.at);
      }
    }
  }

  #expect(id: string | null, price: Price, at: number): void {
    if (id === null) return;
    const reached = this.#reached.get(id) ?? new Set();
    this.#reached.set(id, reached.add(price));
    if (!this.#expected.has(id)) this.#expected.set(id, { price, at });
  }

  #record(entry: TapeEntry, moment: MarketMoment | null): void {
    if (entry.kind !== 'command') return;
    if (!this.#isBatchOpen) {
      this.#isBatchOpen = true;
      queueMicrotask(() => this.#endBatch(moment));
    }
    this.#settle(entry, moment);
  }

  #settle(entry: TapedCommand, moment: MarketMoment | null): void {
    const { command, userId, outcome, now } = entry;
    if (!moment || moment.at !== now) {
      this.#report(`a ${command.kind} was decided at ${now}, the market was looked at ${moment?.at}`);
      return;
    }
    this.settled += 1;
    this.#touched.add(userId);
    const price = command.kind === 'fill' || command.kind === 'trigger' ? command.price : null;
    if (price !== null) this.#checkCrossing(entry, price);
    const isClients = command.kind !== 'trigger' && command.kind !== 'fill';
    if (isClients && outcome === 'accepted') this.applied += 1;
    const verdict = this.#auditor.settle(userId, command, moment);
    const isExpected = outcome === 'accepted' ? verdict.length === 0 : verdict.includes(outcome);
    if (isExpected) return;
    const should = verdict.length === 0 ? 'accepted' : `refused (${verdict.join(' or ')})`;
    this.#report(`${command.kind} of ${userId} should be ${should}, it is ${outcome}: ${textOf(command)}`);
  }

  #checkCrossing({ command, now, outcome }: TapedCommand, price: Price): void {
    this.crossings += 1;
    const id =
      command.kind === 'fill' ? command.orderId : command.kind === 'trigger' ? command.positionId : '';
    const due = this.#expected.get(id);
    // It was its turn: whether it still does anything, the auditor says.
    if (due && (due.price === price || outcome === 'accepted')) {
      this.#expected.delete(id);
      if (!this.isDisturbed && !this.#reached.get(id)?.has(price)) {
        this.#report(`${command.kind} of ${id} should act at ${due.price}, it acts at ${price}`);
      }
    }
    const symbol = this.#auditor.accounts
      .flatMap(({ positions, orders }) => [...positions, ...orders])
      .find((row) => row.id === id)?.symbol;
    // What a failed batch had opened is reached and is not there.
    if (symbol === undefined && outcome !== 'accepted') return;
    const isReal = (this.#history.get(symbol ?? '') ?? []).some(
      (said) =>
        said.price === price &&
        said.isOpen &&
        said.until >= now - oldestCrossingMs &&
        said.from >= now - oldestCrossingMs - oldestPriceMs,
    );
    if (!isReal)
      this.#report(`invariant 12: ${command.kind} of ${id} acts at ${price}, which was no live price`);
  }

  #endBatch(moment: MarketMoment | null): void {
    this.#isBatchOpen = false;
    this.#isInFlight = false;
    for (const userId of this.#touched) {
      const account = this.#auditor.accounts.find((other) => other.userId === userId);
      if (account) compareAccount(account, this.#database, this.#report);
    }
    this.#touched.clear();
    // At most one is on its way at a time, so what is new is what was taped just now; refusals alone are not written.
    const batch = this.#database.batches[this.#batchesSeen];
    this.#batchesSeen = this.#database.batches.length;
    if (moment && batch) this.#checkEquity(batch, moment);
    if (moment && batch) {
      const rows = [...batch.positions, ...batch.orders];
      for (const symbol of new Set(rows.map(({ after }) => after.symbol))) this.#expectAt(symbol, moment);
    }
    this.#flushDeferred();
  }

  /** Invariant 14: what an account would hold if everything were closed at its mark, kept at each close (A108). */
  #checkEquity(batch: Batch, moment: MarketMoment): void {
    const kept = new Map(batch.equity.map((row) => [row.userId, row]));
    for (const account of this.#auditor.accounts) {
      const { userId, balance, isDeleted } = account;
      const row = kept.get(userId);
      const hasClosed = batch.positions.some(
        ({ before, after }) => after.userId === userId && after.closing && !before?.closing,
      );
      if (isDeleted) continue;
      if (!row && hasClosed) this.#report(`invariant 14: ${userId} closed something and no equity is kept`);
      const equity = equityOf(account, moment);
      if (!row || (row.equity === equity && row.balance === balance)) continue;
      this.#report(`invariant 14: equity of ${userId} should be ${equity}, it is ${row.equity}`);
    }
  }

  /** Before an audit. */
  catchUp(): void {
    this.#adoptUntaped();
  }

  /** Everything is quiet: what had to happen has happened, and nothing is left that the current price reaches (9). */
  checkQuiet(now: number): void {
    this.#isInFlight = false;
    if (this.isDisturbed) this.#deferred = [];
    else {
      this.#flushDeferred();
      for (const [id, { price }] of this.#expected) {
        // A limit that was cancelled meanwhile, a stop loss that was moved: then the price does nothing any more.
        if (this.#isGone(id) || !this.#isReached(id, price)) continue;
        this.#report(`invariant 9: the tick at ${price} had to act on ${id}, and nothing happened`);
      }
    }
    this.#expected.clear();
    this.#reached.clear();
    const moment = this.#market.at(now);
    for (const { symbol } of this.#market.pairs) {
      const quote = moment.quote(symbol);
      if (!quote || quote.stale || !quote.marketOpen) continue;
      this.#checkNothingReached(symbol, quote.price);
    }
  }

  #checkNothingReached(symbol: string, price: Price): void {
    for (const { positions, orders, isDeleted } of this.#auditor.accounts) {
      if (isDeleted) continue;
      for (const position of positions) {
        if (position.symbol !== symbol) continue;
        const [consequence] = consequencesOf(position, price);
        if (consequence)
          this.#report(`invariant 9: ${position.id} is left with a ${consequence} at ${price}`);
      }
      for (const order of orders) {
        if (order.symbol !== symbol || order.status !== 'NEW' || !reaches(order, price)) continue;
        this.#report(`invariant 9: order ${order.id} is left waiting at ${price}`);
      }
    }
  }

  #isReached(id: string, price: Price): boolean {
    return this.#auditor.accounts.some(
      ({ positions, orders }) =>
        positions.some((row) => row.id === id && consequencesOf(row, price).length > 0) ||
        orders.some((row) => row.id === id && row.status === 'NEW' && reaches(row, price)),
    );
  }

  #isGone(id: string): boolean {
    const owner = this.#auditor.accounts.find(({ positions, orders }) =>
      [...positions, ...orders].some((row) => row.id === id),
    );
    return owner === undefined || owner.isDeleted;
  }
}

const byMark: ReadonlySet<string> = new Set(['liquidation', 'stop_loss', 'take_profit']);

/** An order that was placed before: what a client does to it leaves it waiting, or canceled. */
const endedByTick: ReadonlySet<string> = new Set(['FILLED', 'REJECTED']);

/** Of a batch that is on no tape: what only ticks bring about. */
function crossingsIn({ positions, orders }: Batch): number {
  const marked = positions.filter(
    ({ before, after }) =>
      byMark.has(after.closing?.reason ?? '') ||
      (before?.closeAtReopen === true && after.closing?.reason === 'manual') ||
      (before !== null && before.marginWarned !== after.marginWarned),
  );
  return (
    marked.length +
    orders.filter(({ before, after }) => before !== null && endedByTick.has(after.status)).length
  );
}

function equityOf({ balance, positions }: AuditedAccount, moment: MarketMoment): bigint {
  let equity = balance;
  for (const position of positions) {
    if (position.closing) continue;
    const mark = moment.quote(position.symbol)?.price ?? position.entry;
    const pnl = pnlOf(position.rules, position, mark);
    equity += pnl < -position.margin ? -position.margin : pnl;
  }
  return equity;
}

export const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, field: unknown) => (typeof field === 'bigint' ? `${field}n` : field));
