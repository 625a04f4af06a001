/**
 * Connects the engine and the auditor. It passes the engine's decisions to the auditor, in their order and with the
 * prices of that moment, compares every outcome, and records the required effect of each tick. Without a failure, a
 * tick that reaches something must fire at its own price; after a failure the sweep has to find it. An order of an account with net
 * positions that a tick did not fill rests until the next minute at the most, and is found by the first sweep from then on.
 */
import { minuteMs, type Price } from '@fulcrum/domain';
import type {
  CommandLog,
  CommandLogEntry,
  RecordedCommand,
} from '../../src/features/trading/engine/command-log.ts';
import type { Batch } from '../../src/features/trading/engine/store.ts';
import { adoptAccount } from './adoption.ts';
import { minuteOf } from './audited-levels.ts';
import { isAfterContest } from './audited-limits.ts';
import { consequencesOf, reaches } from './audited-market.ts';
import { isOrderWaiting } from './audited-net-case.ts';
import { fillAt } from './audited-net-orders.ts';
import { worthOf } from './audited-sides.ts';
import type { Auditor } from './auditor.ts';
import { compareAccount, type Report, textOf } from './comparison.ts';
import type { AuditedAccount, AuditedOrder } from './ledger-book.ts';
import type { MarketInstant, SimulatedMarket } from './market.ts';
import type { MemoryDatabase, WrittenBatch } from './memory-database.ts';

/** A reached trigger that therefore has to fire. */
interface Expected {
  readonly price: Price;
  readonly instant: MarketInstant;
}

interface QuotedPrice {
  readonly price: Price;
  readonly isOpen: boolean;
  readonly from: number;
  until: number;
}

/** One engine's reports. */
export interface Connection {
  /** The engine reads the market to decide a batch. */
  onDeciding(instant: MarketInstant): void;
  readonly commandLog: CommandLog;
  /** The engine has given slots back or is gone: what it wrote without recording it is adopted. */
  adopt(): void;
  /** The engine is gone. */
  close(): void;
}

/** Between the decision of an engine's batch and its commit. */
interface Flight {
  readonly epoch: () => number;
  /** Ticks that arrived meanwhile, and sweeps (without a symbol). */
  readonly deferred: { readonly symbol: string | null; readonly instant: MarketInstant }[];
  /** Changes of accounts past the engine meanwhile. */
  readonly outside: (() => void)[];
  isInFlight: boolean;
  isBatchOpen: boolean;
  readonly touched: Set<string>;
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
  /** Net orders that a tick did not fill, and the end of its minute: until a sweep from then on no tick has to fill them. */
  readonly #resting = new Map<string, number>();
  readonly #history = new Map<string, QuotedPrice[]>();
  /** One of each engine that is not gone. */
  readonly #flights = new Set<Flight>();
  /** One of each engine. */
  readonly #commandLogs: CommandLogEntry[][] = [];
  /** Batches before this one are processed, and those of these ids. */
  #batchesSeen = 0;
  readonly #seen = new Set<string>();
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

  /** For one engine, of that epoch: several of them may be at work, each with its accounts. */
  connect(epoch: () => number): Connection {
    let decidedAt: MarketInstant | null = null;
    const own: CommandLogEntry[] = [];
    this.#commandLogs.push(own);
    const flight: Flight = {
      ...{ epoch, deferred: [], outside: [], isInFlight: false, isBatchOpen: false },
      touched: new Set<string>(),
    };
    this.#flights.add(flight);
    return {
      onDeciding: (instant) => {
        // One that is over records nothing any more; one that lives is about to record what it has written.
        this.#adoptUnrecorded((of) => of === epoch() || !this.#database.isLiving(of));
        this.#flushDeferred(flight);
        decidedAt = instant;
        this.#checkUncontradicted(instant);
        this.#auditor.challenges.onDeciding(instant);
        flight.isInFlight = true;
      },
      commandLog: (entry) => {
        own.push(entry);
        this.#record(entry, decidedAt, flight);
      },
      adopt: () => this.#adoptUnrecorded((of) => of === epoch()),
      close: () => {
        this.#flushOutside(flight);
        this.#flights.delete(flight);
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
    for (const flight of this.#flights) {
      if (flight.isInFlight) flight.deferred.push({ symbol, instant });
      else this.#meet(symbol, instant, flight);
    }
  }

  /** The database has archived the account. A batch that is written and not recorded yet came before. */
  onArchived(accountId: string): void {
    this.onOutside(accountId, () => this.#auditor.archive(accountId));
  }

  /** The account was changed past its engine; `follow` does the same in the auditor. */
  onOutside(accountId: string, follow: () => void): void {
    const owner = this.#database.ownerOf(accountId);
    const flight = [...this.#flights].find(({ epoch, isInFlight }) => isInFlight && epoch() === owner);
    if (flight) flight.outside.push(follow);
    else follow();
  }

  worthOf(account: AuditedAccount, instant: MarketInstant): bigint {
    return equityOf(account, instant);
  }

  /** A failure, or an engine's end: peaks may be forgotten, and judgements repeated. */
  onFailure(): void {
    this.isDisturbed = true;
    this.#auditor.challenges.isExact = false;
  }

  /**
   * A batch of unknown fate is written and in no command log. Its result is adopted as stored, once; the ledger
   * checks still run.
   */
  #adoptUnrecorded(isOf: (epoch: number) => boolean): void {
    for (const batch of this.#unseen()) {
      if (!isOf(batch.epoch)) continue;
      this.#seen.add(batch.id);
      this.adopted += 1;
      this.applied += Math.max(0, batch.commands - crossingsIn(batch) - this.#followingIn(batch));
      for (const { after } of batch.wallets) adoptAccount(this.#auditor, this.#database, after.accountId);
    }
  }

  /** Of an unrecorded batch: what a command about a user did to other accounts than the main one. */
  #followingIn({ notifications, deletions, wallets }: Batch): number {
    const isOther = (accountId: string): boolean => !this.#database.isMain(accountId);
    const restricted = notifications.filter(
      ({ accountId, notification }) => isOther(accountId) && ofRestriction.has(notification.kind),
    );
    const deleted = wallets.filter(
      ({ after: { accountId } }) =>
        isOther(accountId) && deletions.includes(this.#database.userOf(accountId) ?? ''),
    );
    return restricted.length + deleted.length;
  }

  /** Written batches that are neither recorded nor adopted, in their order. */
  #unseen(): WrittenBatch[] {
    const { batches } = this.#database;
    const isSeen = (batch: WrittenBatch | undefined): boolean =>
      batch !== undefined && this.#seen.has(batch.id);
    while (isSeen(batches[this.#batchesSeen])) this.#batchesSeen += 1;
    return batches.slice(this.#batchesSeen).filter((batch) => !isSeen(batch));
  }

  #flushOutside({ outside }: Flight): void {
    for (const follow of outside.splice(0)) follow();
  }

  #flushDeferred(flight: Flight): void {
    this.#flushOutside(flight);
    for (const { symbol, instant } of flight.deferred.splice(0)) {
      if (symbol !== null) this.#meet(symbol, instant, flight);
      else if (this.#isFirst(flight)) this.#auditor.challenges.onSweep(instant);
    }
  }

  /** The challenges of all engines are followed once. */
  #isFirst(flight: Flight): boolean {
    return [...this.#flights][0] === flight;
  }

  #meet(symbol: string, instant: MarketInstant, flight: Flight): void {
    this.#expectAt(symbol, instant, flight);
    if (this.#isFirst(flight)) this.#auditor.challenges.onTick(symbol, instant);
  }

  /** Walks all rows of that engine: which of them does this price reach? */
  #expectAt(symbol: string, instant: MarketInstant, { epoch }: Flight): void {
    const quote = instant.quote(symbol);
    if (this.isDisturbed || !quote || quote.stale || !quote.marketOpen) return;
    const { price } = quote;
    for (const account of this.#auditor.accounts) {
      const { accountId, positions, orders, isDeleted } = account;
      if (isDeleted || this.#database.ownerOf(accountId) !== epoch()) continue;
      if (isAfterContest(account, 'trigger', instant.at)) continue;
      for (const position of positions) {
        if (position.symbol !== symbol || consequencesOf(position, price).length === 0) continue;
        this.#expect(position.id, price, instant);
      }
      for (const order of orders) {
        if (order.symbol !== symbol) continue;
        // A net order may cross without filling, and be amended before its turn.
        if (reaches(order, price)) this.#reach(order.id, price);
        if (this.#resting.has(order.id ?? '')) continue;
        if (this.#isFillable(account, order, price, instant)) this.#expect(order.id, price, instant);
      }
    }
  }

  #reach(id: string | null, price: Price): void {
    if (id !== null) this.#reached.set(id, (this.#reached.get(id) ?? new Set()).add(price));
  }

  /** Whether this price acts on the order, by the rules of its account. */
  #isFillable(account: AuditedAccount, order: AuditedOrder, price: Price, instant: MarketInstant): boolean {
    if (!isOrderWaiting(order)) return false;
    if (account.terms.rules !== 'perpetual') return reaches(order, price);
    const pair = this.#auditor.pairOf(order.symbol);
    return pair !== undefined && fillAt(account, order, pair, { ...instant, tick: price }) !== null;
  }

  /** Whether a sweep at `now` has to find orders that have rested. */
  hasRested(now: number): boolean {
    return [...this.#resting.values()].some((until) => until <= now);
  }

  /** The engines check all prices now: what has rested may cross without a tick. */
  onSweep(now: number): void {
    const instant = this.#market.at(now);
    const [flight] = this.#flights;
    if (flight?.isInFlight) flight.deferred.push({ symbol: null, instant });
    else this.#auditor.challenges.onSweep(instant);
    for (const { orders } of this.#auditor.accounts) {
      for (const { id, symbol } of orders) {
        const until = this.#resting.get(id ?? '');
        if (id === null || until === undefined || until > now) continue;
        this.#resting.delete(id);
        const quote = instant.quote(symbol);
        if (quote) this.#reach(id, quote.price);
      }
    }
  }

  #expect(id: string | null, price: Price, instant: MarketInstant): void {
    if (id === null) return;
    this.#reach(id, price);
    if (!this.#expected.has(id)) this.#expected.set(id, { price, instant });
  }

  #record(entry: CommandLogEntry, instant: MarketInstant | null, flight: Flight): void {
    if (entry.kind !== 'command') return;
    if (!flight.isBatchOpen) {
      flight.isBatchOpen = true;
      queueMicrotask(() => this.#endBatch(instant, flight));
    }
    this.#settle(entry, instant, flight);
  }

  #settle(entry: RecordedCommand, instant: MarketInstant | null, { touched }: Flight): void {
    const { command, accountId, outcome, now } = entry;
    if (!instant || instant.at !== now) {
      this.#report(`a ${command.kind} was decided at ${now}, the market was looked at ${instant?.at}`);
      return;
    }
    this.settled += 1;
    touched.add(accountId);
    const price = command.kind === 'fill' || command.kind === 'trigger' ? command.price : null;
    if (price !== null) this.#checkCrossing(entry, price);
    const isOfUser = command.kind === 'restrict' || command.kind === 'delete';
    if ('orderId' in command && outcome === 'accepted') this.#resting.delete(command.orderId);
    const isClients =
      command.kind !== 'trigger' &&
      command.kind !== 'fill' &&
      command.kind !== 'fund' &&
      command.kind !== 'expire' &&
      command.kind !== 'follow' &&
      command.kind !== 'judge' &&
      (!isOfUser || this.#database.isMain(accountId));
    if (isClients && outcome === 'accepted') this.applied += 1;
    const verdict = this.#auditor.settle(accountId, command, instant, entry.ids);
    if (command.kind === 'fill' && outcome === 'not_crossed') this.#rest(accountId, command.orderId, instant);
    const isExpected = outcome === 'accepted' ? verdict.length === 0 : verdict.includes(outcome);
    if (isExpected) return;
    const should = verdict.length === 0 ? 'accepted' : `refused (${verdict.join(' or ')})`;
    this.#report(`${command.kind} of ${accountId} should be ${should}, it is ${outcome}: ${textOf(command)}`);
  }

  /** Of what ticks promised meanwhile the present price counts. */
  #rest(accountId: string, orderId: string, instant: MarketInstant): void {
    const account = this.#auditor.accountOf(accountId);
    const order = account?.orders.find(({ id }) => id === orderId);
    if (!account || !order || account.terms.rules !== 'perpetual') return;
    this.#expected.delete(orderId);
    const quote = instant.quote(order.symbol);
    const isLive = quote?.marketOpen && !quote.stale && !this.isDisturbed;
    if (isLive && this.#isFillable(account, order, quote.price, instant))
      this.#expect(orderId, quote.price, instant);
    this.#resting.set(orderId, (minuteOf(instant.at) + 1) * minuteMs);
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

  #endBatch(instant: MarketInstant | null, flight: Flight): void {
    flight.isBatchOpen = false;
    flight.isInFlight = false;
    this.#flushOutside(flight);
    for (const accountId of flight.touched) {
      const account = this.#auditor.accounts.find((other) => other.accountId === accountId);
      if (!account) continue;
      compareAccount(account, this.#database, this.#report);
      for (const position of account.positions) position.uncorrected = undefined;
    }
    flight.touched.clear();
    for (const accountId of this.#auditor.leftOut)
      this.#report(`a command about the user of ${accountId} has left the account out`);
    // An engine has at most one in flight, so its new one is the one just recorded; refusals alone are not written.
    const batch = this.#unseen().find(({ epoch }) => epoch === flight.epoch());
    if (batch) this.#seen.add(batch.id);
    if (instant && batch) this.#checkEquity(batch, instant);
    for (const { after } of (instant && batch?.wallets) ?? [])
      if (instant) this.#auditor.challenges.onChanged(after.accountId, instant);
    if (instant && batch) {
      const rows = [...batch.positions, ...batch.orders];
      for (const symbol of new Set(rows.map(({ after }) => after.symbol)))
        this.#expectAt(symbol, instant, flight);
    }
    this.#flushDeferred(flight);
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
      if (row) account.snapshots.push({ at: batch.at, equity: equityOf(account, instant) });
      if (!row && hasClosed)
        this.#report(`invariant 14: ${accountId} closed something and no equity is kept`);
      const equity = equityOf(account, instant);
      if (!row || (row.equity === equity && row.balance === balance)) continue;
      this.#report(`invariant 14: equity of ${accountId} should be ${equity}, it is ${row.equity}`);
    }
  }

  /** Before an audit. */
  catchUp(): void {
    this.#adoptUnrecorded(() => true);
    for (const flight of this.#flights) this.#flushOutside(flight);
  }

  /** Everything is quiet: required effects have happened, and the current price reaches nothing more (9). */
  checkQuiet(now: number): void {
    for (const flight of this.#flights) {
      flight.isInFlight = false;
      this.#flushDeferred(flight);
    }
    if (!this.isDisturbed) {
      for (const [id, expected] of this.#expected) {
        // A limit that was cancelled meanwhile, or a stop loss that was moved: the price has no effect any more.
        if (this.#isGone(id) || !this.#isReached(id, expected, now)) continue;
        this.#report(`invariant 9: the tick at ${expected.price} had to act on ${id}, and nothing happened`);
      }
    }
    if (!this.isDisturbed) for (const missing of this.#auditor.challenges.missing()) this.#report(missing);
    this.#expected.clear();
    this.#reached.clear();
    const instant = this.#market.at(now);
    for (const { symbol } of this.#market.pairs) {
      const quote = instant.quote(symbol);
      if (!quote || quote.stale || !quote.marketOpen) continue;
      this.#checkNothingReached(symbol, quote.price, instant);
    }
  }

  #checkNothingReached(symbol: string, price: Price, instant: MarketInstant): void {
    for (const account of this.#auditor.accounts) {
      const { positions, orders, isDeleted } = account;
      // Only the end of its contest closes what is open.
      if (isDeleted || isAfterContest(account, 'trigger', instant.at)) continue;
      for (const position of positions) {
        if (position.symbol !== symbol) continue;
        const [consequence] = consequencesOf(position, price);
        if (consequence)
          this.#report(`invariant 9: ${position.id} is left with a ${consequence} at ${price}`);
      }
      for (const order of orders) {
        if (order.symbol !== symbol || this.#resting.has(order.id ?? '')) continue;
        if (!this.#isFillable(account, order, price, instant)) continue;
        this.#report(`invariant 9: order ${order.id} is left waiting at ${price}`);
      }
    }
  }

  #isReached(id: string, { price, instant }: Expected, now: number): boolean {
    return this.#auditor.accounts.some(
      (account) =>
        !isAfterContest(account, 'trigger', now) &&
        (account.positions.some((row) => row.id === id && consequencesOf(row, price).length > 0) ||
          account.orders.some((row) => row.id === id && this.#isFillable(account, row, price, instant))),
    );
  }

  #isGone(id: string): boolean {
    const owner = this.#auditor.accounts.find(({ positions, orders }) =>
      [...positions, ...orders].some((row) => row.id === id),
    );
    return owner === undefined || owner.isDeleted;
  }
}

const ofRestriction: ReadonlySet<string> = new Set(['restricted', 'restriction_lifted']);

const byMark: ReadonlySet<string> = new Set(['liquidation', 'stop_loss', 'take_profit']);

/** An order that was placed before: what a client does to it leaves it waiting, or canceled. */
const endedByTick: ReadonlySet<string> = new Set(['FILLED', 'REJECTED']);
/** Of an account with net positions, where an amendment may fill, too. */
const endedUnfilled: ReadonlySet<string> = new Set(['EXPIRED', 'REJECTED']);

/** Of an unrecorded batch: the effects that only ticks cause. */
function crossingsIn({ positions, orders, executions, notifications }: Batch): number {
  // What moves the margin of a net position takes its warning back.
  let marked = notifications.filter(({ notification }) => notification.kind === 'margin_warning').length;
  for (const { before, after } of positions) {
    const isLeft = before?.closeAtReopen === true && after.closing?.reason === 'manual';
    if (isLeft || byMark.has(after.closing?.reason ?? '')) marked += 1;
    if (before?.marginWarned && !after.marginWarned) marked += 1;
  }
  const ended = orders.filter(
    ({ before, after }) =>
      before !== null && (after.rules === 'perpetual' ? endedUnfilled : endedByTick).has(after.status),
  );
  return marked + ended.length + executions.filter(({ liquidity }) => liquidity === 'maker').length;
}

const equityOf = ({ balance, positions }: AuditedAccount, instant: MarketInstant): bigint =>
  balance + worthOf(positions, (symbol) => instant.quote(symbol)?.price);
