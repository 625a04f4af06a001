/**
 * Connects the engine and the auditor. It passes the engine's decisions to the auditor, in their order and with the
 * prices of that moment, compares every outcome, and records the required effect of each tick. Without a failure, a
 * tick that reaches something must fire at its own price; after a failure the sweep has to find it.
 */
import type { Price } from '@fulcrum/domain';
import type {
  CommandLog,
  CommandLogEntry,
  RecordedCommand,
} from '../../src/features/trading/engine/command-log.ts';
import type { Batch } from '../../src/features/trading/engine/store.ts';
import { adoptAccount } from './adoption.ts';
import { consequencesOf, reaches } from './audited-market.ts';
import { worthOf } from './audited-sides.ts';
import type { Auditor } from './auditor.ts';
import { compareAccount, type Report } from './comparison.ts';
import type { AuditedAccount } from './ledger-book.ts';
import type { MarketInstant, SimulatedMarket } from './market.ts';
import type { MemoryDatabase } from './memory-database.ts';

/** A reached trigger that therefore has to fire. */
interface Expected {
  readonly price: Price;
  readonly at: number;
}

interface QuotedPrice {
  readonly price: Price;
  readonly isOpen: boolean;
  readonly from: number;
  until: number;
}

/** The engine's reports. */
export interface Connection {
  /** The engine reads the market to decide a batch. */
  onDeciding(instant: MarketInstant): void;
  readonly commandLog: CommandLog;
}

/** A37, and the maximum age of a crossing in the queue. */
const oldestPriceMs = 60_000;
const oldestCrossingMs = 5_000;

export class Observer {
  readonly #auditor: Auditor;
  readonly #database: MemoryDatabase;
  readonly #market: SimulatedMarket;
  readonly #report: Report;
  readonly #expected = new Map<string, Expected>();
  /** Prices that have reached it since the last check; the first one fires, unless it had no effect meanwhile. */
  readonly #reached = new Map<string, Set<Price>>();
  readonly #history = new Map<string, QuotedPrice[]>();
  /** Ticks that arrived after the decision of a batch and before its commit. */
  #deferred: { readonly symbol: string; readonly instant: MarketInstant }[] = [];
  #isInFlight: boolean = false;
  #isBatchOpen: boolean = false;
  #touched = new Set<string>();
  /** One of each engine. */
  readonly #commandLogs: CommandLogEntry[][] = [];
  /** Batches up to this one are processed. */
  #batchesSeen = 0;
  /** Commands of clients that changed something. */
  applied = 0;
  settled = 0;
  /** Batches that were written and never recorded. */
  adopted = 0;
  crossings = 0;
  /** Whether anything has failed or been lost since the last check, so that no crossing is predictable. */
  isDisturbed: boolean = false;

  constructor(auditor: Auditor, database: MemoryDatabase, market: SimulatedMarket, report: Report) {
    this.#auditor = auditor;
    this.#database = database;
    this.#market = market;
    this.#report = report;
  }

  /** Engine after engine. */
  get commandLog(): readonly CommandLogEntry[] {
    return this.#commandLogs.flat();
  }

  /** For one engine: two of them may be at work while one takes over from the other. */
  connect(): Connection {
    let decidedAt: MarketInstant | null = null;
    const own: CommandLogEntry[] = [];
    this.#commandLogs.push(own);
    return {
      onDeciding: (instant) => {
        this.#adoptUnrecorded();
        this.#flushDeferred();
        decidedAt = instant;
        this.#checkUncontradicted(instant);
        this.#isInFlight = true;
      },
      commandLog: (entry) => {
        own.push(entry);
        this.#record(entry, decidedAt);
      },
    };
  }

  /** Invariant 15: the price of a trade is the market's last one, so a contradicted price trades nothing (A110). */
  #checkUncontradicted(instant: MarketInstant): void {
    for (const { symbol, tickSize } of this.#market.pairs) {
      const quote = instant.quote(symbol);
      const quoted = this.#market.newestReport(symbol) * 1e8;
      // A price that rounds to zero is invalid.
      if (!quote?.marketOpen || quote.stale || quoted < Number(tickSize)) continue;
      if (Math.abs(Number(quote.price) - quoted) <= Number(tickSize)) continue;
      this.#report(`invariant 15: ${symbol} trades at ${quote.price}, the market quoted ${quoted}`);
    }
  }

  /** A price of the hub, before the engine gets it. */
  onTick(symbol: string, instant: MarketInstant): void {
    const quoted = this.#history.get(symbol) ?? [];
    this.#history.set(symbol, quoted);
    const quote = instant.quote(symbol);
    const last = quoted.at(-1);
    if (last) last.until = instant.at;
    if (quote) {
      quoted.push({ price: quote.price, isOpen: quote.marketOpen, from: instant.at, until: Infinity });
    }
    if (this.#isInFlight) this.#deferred.push({ symbol, instant });
    else this.#expectAt(symbol, instant);
  }

  /**
   * A batch of unknown fate is written and in no command log. Its result is adopted as stored, once; the ledger
   * checks still run.
   */
  #adoptUnrecorded(): void {
    const { batches } = this.#database;
    for (; this.#batchesSeen < batches.length; this.#batchesSeen += 1) {
      const batch = batches[this.#batchesSeen];
      if (!batch) continue;
      this.adopted += 1;
      this.applied += Math.max(0, batch.commands - crossingsIn(batch));
      for (const { after } of batch.wallets) adoptAccount(this.#auditor, this.#database, after.accountId);
    }
  }

  #flushDeferred(): void {
    for (const { symbol, instant } of this.#deferred.splice(0)) this.#expectAt(symbol, instant);
  }

  /** Walks all rows: which of them does this price reach? */
  #expectAt(symbol: string, instant: MarketInstant): void {
    const quote = instant.quote(symbol);
    if (this.isDisturbed || !quote || quote.stale || !quote.marketOpen) return;
    const { price } = quote;
    for (const { positions, orders, isDeleted } of this.#auditor.accounts) {
      if (isDeleted) continue;
      for (const position of positions) {
        if (position.symbol !== symbol || consequencesOf(position, price).length === 0) continue;
        this.#expect(position.id, price, instant.at);
      }
      for (const order of orders) {
        if (order.symbol !== symbol || order.status !== 'NEW' || !reaches(order, price)) continue;
        this.#expect(order.id, price, instant.at);
      }
    }
  }

  #expect(id: string | null, price: Price, at: number): void {
    if (id === null) return;
    const reached = this.#reached.get(id) ?? new Set();
    this.#reached.set(id, reached.add(price));
    if (!this.#expected.has(id)) this.#expected.set(id, { price, at });
  }

  #record(entry: CommandLogEntry, instant: MarketInstant | null): void {
    if (entry.kind !== 'command') return;
    if (!this.#isBatchOpen) {
      this.#isBatchOpen = true;
      queueMicrotask(() => this.#endBatch(instant));
    }
    this.#settle(entry, instant);
  }

  #settle(entry: RecordedCommand, instant: MarketInstant | null): void {
    const { command, accountId, outcome, now } = entry;
    if (!instant || instant.at !== now) {
      this.#report(`a ${command.kind} was decided at ${now}, the market was looked at ${instant?.at}`);
      return;
    }
    this.settled += 1;
    this.#touched.add(accountId);
    const price = command.kind === 'fill' || command.kind === 'trigger' ? command.price : null;
    if (price !== null) this.#checkCrossing(entry, price);
    const isClients = command.kind !== 'trigger' && command.kind !== 'fill';
    if (isClients && outcome === 'accepted') this.applied += 1;
    const verdict = this.#auditor.settle(accountId, command, instant, entry.ids);
    const isExpected = outcome === 'accepted' ? verdict.length === 0 : verdict.includes(outcome);
    if (isExpected) return;
    const should = verdict.length === 0 ? 'accepted' : `refused (${verdict.join(' or ')})`;
    this.#report(`${command.kind} of ${accountId} should be ${should}, it is ${outcome}: ${textOf(command)}`);
  }

  #checkCrossing({ command, now, outcome }: RecordedCommand, price: Price): void {
    this.crossings += 1;
    const id =
      command.kind === 'fill' ? command.orderId : command.kind === 'trigger' ? command.positionId : '';
    const due = this.#expected.get(id);
    // It was due: the auditor decides whether it still has an effect.
    if (due && (due.price === price || outcome === 'accepted')) {
      this.#expected.delete(id);
      if (!this.isDisturbed && !this.#reached.get(id)?.has(price)) {
        this.#report(`${command.kind} of ${id} should act at ${due.price}, it acts at ${price}`);
      }
    }
    const symbol = this.#auditor.accounts
      .flatMap(({ positions, orders }) => [...positions, ...orders])
      .find((row) => row.id === id)?.symbol;
    // A row that a failed batch had opened is reached and does not exist.
    if (symbol === undefined && outcome !== 'accepted') return;
    const isReal = (this.#history.get(symbol ?? '') ?? []).some(
      (quoted) =>
        quoted.price === price &&
        quoted.isOpen &&
        quoted.until >= now - oldestCrossingMs &&
        quoted.from >= now - oldestCrossingMs - oldestPriceMs,
    );
    if (!isReal)
      this.#report(`invariant 12: ${command.kind} of ${id} acts at ${price}, which was no live price`);
  }

  #endBatch(instant: MarketInstant | null): void {
    this.#isBatchOpen = false;
    this.#isInFlight = false;
    for (const accountId of this.#touched) {
      const account = this.#auditor.accounts.find((other) => other.accountId === accountId);
      if (account) compareAccount(account, this.#database, this.#report);
    }
    this.#touched.clear();
    // At most one is in flight at a time, so a new one is the one just recorded; refusals alone are not written.
    const batch = this.#database.batches[this.#batchesSeen];
    this.#batchesSeen = this.#database.batches.length;
    if (instant && batch) this.#checkEquity(batch, instant);
    if (instant && batch) {
      const rows = [...batch.positions, ...batch.orders];
      for (const symbol of new Set(rows.map(({ after }) => after.symbol))) this.#expectAt(symbol, instant);
    }
    this.#flushDeferred();
  }

  /** Invariant 14: the value of an account if everything closed at its mark, stored at each close (A108). */
  #checkEquity(batch: Batch, instant: MarketInstant): void {
    const stored = new Map(batch.equity.map((row) => [row.accountId, row]));
    for (const account of this.#auditor.accounts) {
      const { accountId, balance, isDeleted } = account;
      const row = stored.get(accountId);
      const hasClosed = batch.positions.some(
        ({ before, after }) => after.accountId === accountId && after.closing && !before?.closing,
      );
      if (isDeleted) continue;
      if (!row && hasClosed)
        this.#report(`invariant 14: ${accountId} closed something and no equity is kept`);
      const equity = equityOf(account, instant);
      if (!row || (row.equity === equity && row.balance === balance)) continue;
      this.#report(`invariant 14: equity of ${accountId} should be ${equity}, it is ${row.equity}`);
    }
  }

  /** Before an audit. */
  catchUp(): void {
    this.#adoptUnrecorded();
  }

  /** Everything is quiet: required effects have happened, and the current price reaches nothing more (9). */
  checkQuiet(now: number): void {
    this.#isInFlight = false;
    if (this.isDisturbed) this.#deferred = [];
    else {
      this.#flushDeferred();
      for (const [id, { price }] of this.#expected) {
        // A limit that was cancelled meanwhile, or a stop loss that was moved: the price has no effect any more.
        if (this.#isGone(id) || !this.#isReached(id, price)) continue;
        this.#report(`invariant 9: the tick at ${price} had to act on ${id}, and nothing happened`);
      }
    }
    this.#expected.clear();
    this.#reached.clear();
    const instant = this.#market.at(now);
    for (const { symbol } of this.#market.pairs) {
      const quote = instant.quote(symbol);
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

/** Of an unrecorded batch: the effects that only ticks cause. */
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

const equityOf = ({ balance, positions }: AuditedAccount, instant: MarketInstant): bigint =>
  balance + worthOf(positions, (symbol) => instant.quote(symbol)?.price);

export const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, field: unknown) => (typeof field === 'bigint' ? `${field}n` : field));
