/**
 * The equity of each account in a challenge, in columns: a tick adds its move times the net size to every holder of its symbol, and only those
 * whom it brings near a limit are reckoned exactly. Invariants: an entry is a hint, the engine's decision judges the account
 * again at the same marks; no column is above the true equity by more than `errorOf`, because it does not cap losses at a margin; a peak is
 * an equity that a tick made of what is committed by now; an account waits for at most one judgement. What nobody in a challenge holds costs one
 * look-up.
 *
 * Known limitations: a peak is of a tick that this server had, so a time without a server has none, and a crash forgets those of the last
 * `storesEveryMs`; one that is above the last by less than the error may be passed over. A day begins at the last prices before midnight, or, after
 * a halt or a time without a server, at the first ones that trade in all open markets of the account, which has no peak and is not judged until
 * then, unless it holds nothing; what it closes and opens before counts for the former day. At its deadline an account waits for prices at most
 * `endWaitsForPricesMs`: then the last accepted ones decide. One that was not judged before passes by those of its deadline, if it has not changed since.
 */
import {
  type AccountChallenge,
  asPrice,
  balanceOf,
  type ChallengeState,
  type ChallengeStep,
  type ClosingMark,
  challengeBoundsOf,
  challengeDayOf,
  challengePartOf,
  dayMs,
  endWaitsForPricesMs,
  equityOf,
  type JudgeCommand,
  judgeChallenge,
  type MarketView,
  type MarkState,
  type Money,
  type Position,
  type Price,
  type Quote,
  rulesOf,
  UNIT,
  type Wallet,
  withEquity,
  withNewDay,
  withTradingDays,
} from '@fulcrum/domain';
import { slotOf } from '../engine/slots.ts';

/** The kind tells it from a trigger of the index. */
export interface JudgeTrigger {
  readonly kind: 'judge';
  /** The account. */
  readonly id: string;
  readonly accountId: string;
  readonly symbol: string;
}

/** An account whose challenge may be decided, with everything that the decision reads. */
export interface Judgement {
  readonly trigger: JudgeTrigger;
  readonly command: JudgeCommand;
}

export interface StoredState {
  readonly accountId: string;
  readonly state: ChallengeState;
}

export interface Entrant {
  readonly wallet: Wallet;
  readonly positions: Iterable<Position>;
}

/** How far a column may be from the true value, in units of 1e-8: far above what the additions of `rebasedAtOnce` turns lose. */
const errorOf = (equity: number): number => 1e6 + Math.abs(equity) * 1e-9;
/** Accounts whose columns are reckoned anew each second, in turn. */
const rebasedAtOnce = 100;
/** Peaks are stored that often; the begin of a day at once. */
export const storesEveryMs = 10_000;
/** Without a pass for longer, by a halt or a time without a server, the last prices are of before a gap. */
const gapMs = 5_000;

const firstCapacity = 64;

/** Who holds one symbol. */
class Holders {
  readonly symbol: string;
  /** The last price that could trade, in units; NaN before the first. */
  last: number;
  length = 0;
  entrant = new Int32Array(4);
  /** Units of equity for each unit of the price. */
  delta = new Float64Array(4);
  /** The price at the entrant's peak. */
  peakAt = new Float64Array(4);

  constructor(symbol: string, last: number) {
    this.symbol = symbol;
    this.last = last;
  }

  add(entrant: number, delta: number): number {
    const at = this.length;
    if (at === this.entrant.length) {
      this.entrant = grown(this.entrant, new Int32Array(2 * at));
      this.delta = grown(this.delta, new Float64Array(2 * at));
      this.peakAt = grown(this.peakAt, new Float64Array(2 * at));
    }
    this.entrant[at] = entrant;
    this.delta[at] = delta;
    this.peakAt[at] = this.last;
    this.length += 1;
    return at;
  }

  /** The last one takes the seat; resolves with who that is. */
  remove(at: number): number | null {
    this.length -= 1;
    const moved = this.length;
    if (moved === at) return null;
    this.entrant[at] = this.entrant[moved] ?? 0;
    this.delta[at] = this.delta[moved] ?? 0;
    this.peakAt[at] = this.peakAt[moved] ?? 0;
    return this.entrant[at] ?? null;
  }
}

function grown<Column extends Int32Array | Float64Array>(from: Column, to: Column): Column {
  to.set(from);
  return to;
}

interface Holding {
  state: ChallengeState;
  /** Days with an opening, also ones that begin while the day of the state waits for prices. */
  tradedOn: readonly number[];
  wallet: Wallet;
  positions: readonly Position[];
  /** Of a day that ended while another judgement was on its way. */
  owed: JudgeCommand | null;
}

interface Row extends Holding {
  readonly index: number;
  readonly accountId: string;
  readonly step: ChallengeStep;
  /** What the store has, while the row follows a decision that is not committed. */
  committed: Holding | null;
  /** A judgement of what is not committed. */
  unsure: JudgeCommand | null;
  /** Its seat in the holders of each symbol. */
  readonly seats: Map<Holders, number>;
  /** Whether the state is to be stored, at once or with the next peaks. */
  unstored: 'no' | 'soon' | 'now';
  /** A judgement that is on its way, or that the account is read again; until then nothing is judged. */
  awaits: 'nothing' | 'decision' | 'reading';
  /** False after a gap until each of its open markets trades: old prices make no peak, end no day and decide nothing. */
  isPriced: boolean;
  /** The first pass after the gap, or after the last one of more than a minute; null before it, and of a priced account. */
  waitsSince: number | null;
  /** Since `arm`, or a gap, it was not judged, so that it may have passed before its deadline: the next pass judges it. */
  isUnjudged: boolean;
  /** The last change of the account. */
  changedAt: number;
}

type QuoteOf = (symbol: string) => Quote | undefined;

export class EquityBook {
  readonly #rows = new Map<string, Row>();
  readonly #bySymbol = new Map<string, Holders>();
  /** By index; a free index has undefined. */
  readonly #byIndex: (Row | undefined)[] = [];
  readonly #free: number[] = [];
  /** Judgements of what was never committed. */
  readonly #void = new WeakSet<JudgeCommand>();
  #equity = new Float64Array(firstCapacity);
  #lower = new Float64Array(firstCapacity);
  #upper = new Float64Array(firstCapacity);
  /** Infinity where no floor follows it. */
  #peak = new Float64Array(firstCapacity);
  /** Whether a tick made a peak since it was reckoned. */
  #hasPeak = new Int32Array(firstCapacity);
  /** How far below a peak its floor is, and where the floor stops. */
  #trail = new Float64Array(firstCapacity);
  #lock = new Float64Array(firstCapacity);
  /** How many symbols it holds. */
  #symbols = new Int32Array(firstCapacity);
  #nextDay = 0;
  #passedAt = 0;
  #nextRebased = 0;
  #storedAt = 0;

  /** The number of accounts. */
  get size(): number {
    return this.#rows.size;
  }

  has(accountId: string): boolean {
    return this.#rows.has(accountId);
  }

  /** From the stored account; of one that is known the state in memory stays, which is never behind. */
  arm(
    { wallet, positions }: Entrant,
    { step, state, tradedOn, changedAt }: Omit<AccountChallenge, 'programId'>,
    quoteOf: QuoteOf,
  ): void {
    const known = this.#rows.get(wallet.accountId);
    if (known) this.#reckonPeak(known);
    const row = known ?? this.#add(wallet, step, state);
    row.tradedOn = tradedOn;
    row.state = withTradingDays(row.state, tradedOn);
    row.awaits = 'nothing';
    this.#unjudge(row, this.#passedAt);
    row.changedAt = Math.max(row.changedAt, changedAt);
    this.#hold(row, wallet, [...positions], quoteOf);
    if (!known && !this.#takePrices(row, quoteOf)) this.#mute(row);
    // The next pass ends the days that passed without a server, or while it was read.
    if (challengeDayOf(row.state.day.begins) + dayMs < this.#nextDay) this.#nextDay = 0;
  }

  /**
   * A decision changed the account, which `confirm` or `abandon` follows; `opens`: it opened something. Nothing for an account
   * that is not here.
   */
  follow({ wallet, positions }: Entrant, opens: boolean, at: number, quoteOf: QuoteOf): void {
    const row = this.#rows.get(wallet.accountId);
    if (!row) return;
    // Of what it held until now.
    this.#begin(row);
    if (opens) countOpening(row, challengeDayOf(at));
    row.changedAt = at;
    this.#hold(row, wallet, [...positions], quoteOf);
  }

  /** A decision ended the account; the caller disarms it once that is committed. */
  end(accountId: string): void {
    const row = this.#rows.get(accountId);
    if (!row) return;
    this.#begin(row);
    row.awaits = 'decision';
  }

  #begin(row: Row): void {
    this.#reckonPeak(row);
    const { state, tradedOn, wallet, positions, owed } = row;
    row.committed ??= { state, tradedOn, wallet, positions, owed };
  }

  /** What it follows is committed. */
  confirm(accountId: string): void {
    const row = this.#rows.get(accountId);
    if (!row) return;
    row.committed = null;
    row.unsure = null;
  }

  /** What it followed is not committed, or its fate is unknown: it has no peak and no judgement until `arm`. */
  abandon(accountId: string): void {
    const row = this.#rows.get(accountId);
    if (!row?.committed) return;
    const { state, tradedOn, wallet, owed } = row.committed;
    if (row.unsure) this.#void.add(row.unsure);
    this.#hasPeak[row.index] = 0;
    row.state = state;
    row.tradedOn = tradedOn;
    row.owed = owed;
    row.committed = null;
    row.unsure = null;
    row.awaits = 'reading';
    // `arm` has what it holds.
    this.#hold(row, wallet, [], () => undefined);
  }

  /**
   * The command with the days of what was opened since it was sent, which is in the balance that it judges. `openedOn`: the day on which the
   * batch that decides it opened something; null for nothing.
   */
  withOpenings({ trigger: { accountId }, command }: Judgement, openedOn: number | null): JudgeCommand {
    const row = this.#rows.get(accountId);
    if (!row) return command;
    const { at, endsDay, state } = command;
    const judged = challengeDayOf(endsDay ? at - 1 : at);
    const tradedOn = openedOn === null ? row.tradedOn : [...new Set([...row.tradedOn, openedOn])];
    return {
      ...command,
      state: withTradingDays(
        state,
        tradedOn.filter((day) => day <= judged),
      ),
    };
  }

  /** Whether it judges what was never committed, and is not decided. */
  isVoid(command: JudgeCommand): boolean {
    return this.#void.has(command);
  }

  /** The judgement was decided, and the account goes on. */
  settle({ trigger: { accountId }, command }: Judgement): void {
    const row = this.#rows.get(accountId);
    if (row?.awaits === 'decision' && !this.isVoid(command)) row.awaits = 'nothing';
  }

  disarm(accountId: string): void {
    const row = this.#rows.get(accountId);
    if (!row) return;
    this.#release(row);
    this.#rows.delete(accountId);
    this.#byIndex[row.index] = undefined;
    this.#free.push(row.index);
  }

  forgetSlots(slots: ReadonlySet<number>): void {
    for (const accountId of [...this.#rows.keys()]) if (slots.has(slotOf(accountId))) this.disarm(accountId);
  }

  /** A price that may trade. Whose challenge it may decide, by exact arithmetic. */
  tick(symbol: string, price: Price, at: number, quoteOf: QuoteOf): Judgement[] {
    this.#noteGap(at);
    const holders = this.#bySymbol.get(symbol);
    if (!holders) return [];
    const last = Number(price);
    const move = last - holders.last;
    holders.last = last;
    const near = Number.isNaN(move) ? this.#firstPrice(holders) : this.#move(holders, move);
    return near.flatMap((row) => this.#judge(row, at, quoteOf) ?? []);
  }

  /** Who is near a limit by what `move` made of the columns. */
  #move(holders: Holders, move: number): Row[] {
    const { entrant, delta, length } = holders;
    const [equity, lower, upper, peak] = [this.#equity, this.#lower, this.#upper, this.#peak];
    const near: Row[] = [];
    for (let at = 0; at < length; at += 1) {
      const index = entrant[at] as number;
      const value = (equity[index] as number) + move * (delta[at] as number);
      equity[index] = value;
      if (value <= (lower[index] as number) || value >= (upper[index] as number)) {
        const row = this.#byIndex[index];
        if (row) near.push(row);
      }
      if (value > (peak[index] as number)) this.#notePeak(index, value, holders, at);
    }
    return near;
  }

  #firstPrice(holders: Holders): Row[] {
    const rows = [...holders.entrant.subarray(0, holders.length)].flatMap(
      (index) => this.#byIndex[index] ?? [],
    );
    for (const row of rows) this.#rebase(row);
    return rows;
  }

  /** The floor follows at once; what the peak is exactly is reckoned when it is needed. Columns alone: with each tick of a rise it is every holder's. */
  #notePeak(index: number, value: number, holders: Holders, at: number): void {
    this.#peak[index] = value;
    this.#hasPeak[index] = 1;
    if (this.#symbols[index] === 1) holders.peakAt[at] = holders.last;
    else for (const [held, seat] of this.#byIndex[index]?.seats ?? []) held.peakAt[seat] = held.last;
    const trailed = value - (this.#trail[index] as number);
    const lock = this.#lock[index] as number;
    const floor = (trailed < lock ? trailed : lock) + errorOf(value);
    if (floor > (this.#lower[index] as number)) this.#lower[index] = floor;
  }

  /** Exactly, after a change of the account. */
  check(accountId: string, at: number, quoteOf: QuoteOf): Judgement | null {
    const row = this.#rows.get(accountId);
    return row ? this.#judge(row, at, quoteOf) : null;
  }

  /** Ends the days of which the midnight has passed, and steps whose time is over; judges who was not; a part of the columns is reckoned anew. */
  pass(at: number, quoteOf: QuoteOf): Judgement[] {
    this.#noteGap(at);
    this.#passedAt = at;
    for (const row of this.#rows.values()) if (!row.isPriced) this.#endGap(row, at, quoteOf);
    const judged = this.passDay(at, quoteOf);
    for (const row of this.#rows.values()) {
      const owed = this.#judgeOwed(row);
      if (owed) judged.push(owed);
      const judgement = row.isUnjudged || isOver(row, at) ? this.#judge(row, at, quoteOf) : null;
      if (judgement) judged.push(judgement);
    }
    for (let count = 0; count < Math.min(rebasedAtOnce, this.#byIndex.length); count += 1) {
      this.#nextRebased = (this.#nextRebased + 1) % this.#byIndex.length;
      const row = this.#byIndex[this.#nextRebased];
      if (row) this.#rebase(row);
    }
    return judged;
  }

  /** The same of days alone: before the first price of a day, and before its first decision. */
  passDay(at: number, quoteOf: QuoteOf): Judgement[] {
    this.#noteGap(at);
    if (at < this.#nextDay) return [];
    this.#nextDay = challengeDayOf(at) + dayMs;
    return [...this.#rows.values()].flatMap((row) => this.#endDay(row, at, quoteOf) ?? []);
  }

  #noteGap(at: number): void {
    if (at - this.#passedAt <= gapMs) return;
    // A shorter one is part of the minute, so that a slow server decides too.
    const before = this.#passedAt;
    const isLong = at - before > endWaitsForPricesMs;
    this.#passedAt = at;
    for (const row of this.#rows.values()) {
      this.#mute(row);
      this.#unjudge(row, before);
      if (isLong) row.waitsSince = null;
    }
  }

  /** One whose deadline was before the last pass was judged then. */
  #unjudge(row: Row, passedAt: number): void {
    if (!isOver(row, passedAt)) row.isUnjudged = true;
  }

  #mute(row: Row): void {
    this.#reckonPeak(row);
    row.isPriced = false;
    this.#rebase(row);
  }

  #endGap(row: Row, at: number, quoteOf: QuoteOf): void {
    row.waitsSince ??= at;
    const { deadline } = row.state;
    const isLate = deadline !== null && at >= Math.max(deadline, row.waitsSince) + endWaitsForPricesMs;
    if (!this.#takePrices(row, quoteOf, isLate)) return;
    row.isPriced = true;
    row.waitsSince = null;
    this.#rebase(row);
    if (challengeDayOf(row.state.day.begins) + dayMs < this.#nextDay) this.#nextDay = 0;
  }

  /**
   * The present prices of what it holds, that of a market which is shut being its last one. False while an open market has none that may trade,
   * unless the last accepted ones count too.
   */
  #takePrices(row: Row, quoteOf: QuoteOf, countsOld = false): boolean {
    let isPriced = true;
    for (const holders of row.seats.keys()) {
      const quote = quoteOf(holders.symbol);
      if (!countsOld && isSilent(quote)) isPriced = false;
      else if (quote) this.#moveTo(holders, Number(quote.price));
    }
    return isPriced;
  }

  /** It judges no one before the next tick. */
  #moveTo(holders: Holders, last: number): void {
    const move = last - holders.last;
    holders.last = last;
    if (Number.isNaN(move)) this.#firstPrice(holders);
    else if (move !== 0)
      for (let at = 0; at < holders.length; at += 1) {
        const index = holders.entrant[at] as number;
        this.#equity[index] = (this.#equity[index] as number) + move * (holders.delta[at] as number);
      }
  }

  #endDay(row: Row, at: number, quoteOf: QuoteOf): Judgement | null {
    const midnight = challengeDayOf(at);
    if (row.awaits === 'reading' || !row.isPriced) return null;
    if (challengeDayOf(row.state.day.begins) >= midnight) return null;
    const judgement = this.#judge(row, at, quoteOf, midnight);
    if (!row.isPriced) return judgement;
    for (const held of [row, row.committed]) {
      if (!held) continue;
      if (!judgement || held !== row) held.owed ??= this.#commandOf(row.step, held, midnight, quoteOf, true);
      const newDay = withNewDay(held.state, { at: midnight, ...this.#standingOf(held, quoteOf) });
      held.state = withTradingDays(newDay, held.tradedOn);
    }
    row.unstored = 'now';
    this.#rebase(row);
    return judgement;
  }

  /** States that memory is ahead with, at most `max`, each in its order. They stay until `stored`. */
  unstored(at: number, max: number): StoredState[] {
    const withPeaks = at - this.#storedAt >= storesEveryMs;
    const found: StoredState[] = [];
    for (const row of this.#rows.values()) {
      if (found.length >= max) break;
      if (row.committed) continue;
      if (withPeaks) this.#reckonPeak(row);
      if (row.unstored === 'now' || (withPeaks && row.unstored === 'soon')) found.push(row);
    }
    // The rest follows with the next call, before these.
    if (withPeaks && found.length < max) this.#storedAt = at;
    return found.map(({ accountId, state }) => {
      const row = this.#rows.get(accountId);
      this.#rows.delete(accountId);
      if (row) this.#rows.set(accountId, row);
      return { accountId, state };
    });
  }

  /** All of them, of accounts that another engine, or the next start, goes on with. */
  ahead(isConcerned: (accountId: string) => boolean): StoredState[] {
    const rows = [...this.#rows.values()].filter(({ accountId }) => isConcerned(accountId));
    for (const row of rows) this.#reckonPeak(row);
    return rows
      .filter(({ unstored }) => unstored !== 'no')
      .map(({ accountId, state }) => ({ accountId, state }));
  }

  /** The same states are stored now. */
  stored(states: readonly StoredState[]): void {
    for (const { accountId, state } of states) {
      const row = this.#rows.get(accountId);
      if (row?.state === state) row.unstored = 'no';
    }
  }

  /** Null: nothing is decided, or a judgement is on its way. `midnight`: of which the day ends, and which is judged. */
  #judge(row: Row, at: number, quoteOf: QuoteOf, midnight: number | null = null): Judgement | null {
    if (row.awaits !== 'nothing') return null;
    this.#reckonPeak(row);
    const passed = this.#passedInTime(row, midnight ?? at, quoteOf);
    if (passed) return this.#send(row, passed);
    if (row.isPriced && this.#waitsForPrices(row, at, quoteOf)) {
      this.#mute(row);
      row.waitsSince = at;
    }
    if (!row.isPriced && row.positions.length > 0) return null;
    this.#see(row, this.#standingOf(row, quoteOf).equity);
    const command = this.#commandOf(row.step, row, midnight ?? at, quoteOf, midnight !== null);
    if (command) return this.#send(row, command);
    if (row.isPriced) row.isUnjudged = false;
    this.#rebase(row);
    return null;
  }

  /** Of who was not judged before the deadline: once, as the account was then, at the last accepted prices. */
  #passedInTime(row: Row, at: number, quoteOf: QuoteOf): JudgeCommand | null {
    const { deadline } = row.state;
    if (!row.isUnjudged || deadline === null || at < deadline) return null;
    if (row.positions.some(({ symbol }) => !quoteOf(symbol))) return null;
    row.isUnjudged = false;
    if (row.changedAt >= deadline) return null;
    const instant = { at: deadline - 1, ...this.#standingOf(row, quoteOf) };
    if (judgeChallenge(row.step, row.state, instant)?.outcome !== 'passed') return null;
    return this.#commandOf(row.step, row, instant.at, quoteOf, false);
  }

  /** At its deadline, for a minute. */
  #waitsForPrices({ state, seats }: Row, at: number, quoteOf: QuoteOf): boolean {
    const { deadline } = state;
    if (deadline === null || at < deadline || at >= deadline + endWaitsForPricesMs) return false;
    return [...seats.keys()].some(({ symbol }) => isSilent(quoteOf(symbol)));
  }

  /** Null while nothing is owed, or another judgement is on its way. */
  #judgeOwed(row: Row): Judgement | null {
    const { owed } = row;
    if (!owed || row.awaits !== 'nothing') return null;
    row.owed = null;
    return this.#send(row, owed);
  }

  #send(row: Row, command: JudgeCommand): Judgement {
    const { accountId, positions } = row;
    row.awaits = 'decision';
    if (row.committed) row.unsure = command;
    // It may not be committed.
    this.#unjudge(row, command.at);
    return {
      trigger: { kind: 'judge', id: accountId, accountId, symbol: positions[0]?.symbol ?? '' },
      command,
    };
  }

  /** Null where nothing is decided. */
  #commandOf(
    step: ChallengeStep,
    held: Holding,
    at: number,
    quoteOf: QuoteOf,
    endsDay: boolean,
  ): JudgeCommand | null {
    const { state, positions } = held;
    if (!judgeChallenge(step, state, { at, ...this.#standingOf(held, quoteOf) }, endsDay)) return null;
    const marks: Record<string, ClosingMark> = {};
    for (const symbol of new Set(positions.map((position) => position.symbol))) {
      const quote = quoteOf(symbol);
      const price = this.#priceOf(symbol) ?? quote?.price;
      const source = quote?.source;
      if (price !== undefined)
        marks[symbol] = { price, state: markStateOf(quote), ...(source !== undefined && { source }) };
    }
    return { kind: 'judge', at, marks, step, state, endsDay };
  }

  #see(row: Row, equity: Money): void {
    const seen = withEquity(row.state, equity);
    if (seen === row.state) return;
    row.state = seen;
    if (row.step.maxLoss.mode === 'trailing_intraday' && row.unstored === 'no') row.unstored = 'soon';
  }

  #reckonPeak(row: Row): void {
    if (this.#hasPeak[row.index] !== 1) return;
    this.#hasPeak[row.index] = 0;
    const peakAt = new Map([...row.seats].map(([{ symbol, peakAt: prices }, at]) => [symbol, prices[at]]));
    this.#see(row, equityOf(row.wallet, row.positions, { quote: (symbol) => toQuote(peakAt.get(symbol)) }));
  }

  /** What is not committed may have left a symbol that what is committed holds. */
  #standingOf(
    { wallet, positions }: Holding,
    quoteOf: QuoteOf,
  ): { readonly balance: Money; readonly equity: Money } {
    const quote = (symbol: string) => this.#marks.quote(symbol) ?? quoteOf(symbol);
    return { balance: balanceOf(wallet), equity: equityOf(wallet, positions, { quote }) };
  }

  readonly #marks: Pick<MarketView, 'quote'> = {
    quote: (symbol) => toQuote(this.#bySymbol.get(symbol)?.last),
  };

  #priceOf(symbol: string): Price | null {
    return this.#marks.quote(symbol)?.price ?? null;
  }

  #add(wallet: Wallet, step: ChallengeStep, state: ChallengeState): Row {
    const index = this.#free.pop() ?? this.#byIndex.length;
    if (index >= this.#equity.length) this.#grow();
    const { pct, lockPct } = step.maxLoss;
    const lock = lockPct === null ? null : state.initial + challengePartOf(state.initial, lockPct);
    this.#trail[index] = Number(challengePartOf(state.initial, pct));
    this.#lock[index] = lock === null ? Number.POSITIVE_INFINITY : Number(lock);
    this.#hasPeak[index] = 0;
    const row: Row = {
      ...{
        index,
        accountId: wallet.accountId,
        step,
        state,
        tradedOn: [],
        wallet,
        positions: [],
        owed: null,
        seats: new Map(),
      },
      ...{
        committed: null,
        unsure: null,
        unstored: 'no',
        awaits: 'nothing',
        isPriced: true,
        waitsSince: null,
        isUnjudged: true,
        changedAt: 0,
      },
    };
    this.#byIndex[index] = row;
    this.#rows.set(wallet.accountId, row);
    return row;
  }

  #grow(): void {
    const capacity = 2 * this.#equity.length;
    this.#equity = grown(this.#equity, new Float64Array(capacity));
    this.#lower = grown(this.#lower, new Float64Array(capacity));
    this.#upper = grown(this.#upper, new Float64Array(capacity));
    this.#peak = grown(this.#peak, new Float64Array(capacity));
    this.#hasPeak = grown(this.#hasPeak, new Int32Array(capacity));
    this.#trail = grown(this.#trail, new Float64Array(capacity));
    this.#lock = grown(this.#lock, new Float64Array(capacity));
    this.#symbols = grown(this.#symbols, new Int32Array(capacity));
  }

  #hold(row: Row, wallet: Wallet, positions: readonly Position[], quoteOf: QuoteOf): void {
    const deltas = new Map<string, number>();
    for (const position of positions)
      deltas.set(position.symbol, (deltas.get(position.symbol) ?? 0) + deltaOf(position));
    const before = new Map([...row.seats.keys()].map((holders) => [holders.symbol, holders]));
    for (const [symbol, delta] of deltas) {
      const holders = before.get(symbol) ?? this.#holdersOf(symbol, quoteOf);
      const at = row.seats.get(holders);
      if (at === undefined) row.seats.set(holders, holders.add(row.index, delta));
      else holders.delta[at] = delta;
    }
    for (const [symbol, holders] of before) if (!deltas.has(symbol)) this.#leave(row, holders);
    row.wallet = wallet;
    row.positions = positions;
    this.#symbols[row.index] = row.seats.size;
    this.#rebase(row);
  }

  #holdersOf(symbol: string, quoteOf: QuoteOf): Holders {
    const known = this.#bySymbol.get(symbol);
    if (known) return known;
    const price = quoteOf(symbol)?.price;
    const holders = new Holders(symbol, price === undefined ? Number.NaN : Number(price));
    this.#bySymbol.set(symbol, holders);
    return holders;
  }

  #release(row: Row): void {
    for (const holders of [...row.seats.keys()]) this.#leave(row, holders);
  }

  #leave(row: Row, holders: Holders): void {
    const at = row.seats.get(holders);
    if (at === undefined) return;
    row.seats.delete(holders);
    const moved = holders.remove(at);
    if (moved !== null) this.#byIndex[moved]?.seats.set(holders, at);
    if (holders.length === 0) this.#bySymbol.delete(holders.symbol);
  }

  /** The columns of the account, from its rows. */
  #rebase(row: Row): void {
    this.#reckonPeak(row);
    const { index, step, wallet, positions } = row;
    if (row.awaits === 'reading' || !row.isPriced) {
      this.#lower[index] = Number.NEGATIVE_INFINITY;
      this.#upper[index] = Number.POSITIVE_INFINITY;
      this.#peak[index] = Number.POSITIVE_INFINITY;
      return;
    }
    let equity = Number(balanceOf(wallet));
    for (const position of positions) {
      const price = this.#priceOf(position.symbol);
      if (price !== null) equity += Number(rulesOf(position.rules).realizedPnl(position, price));
    }
    const { lower, upper, peak } = challengeBoundsOf(step, row.state, balanceOf(wallet));
    this.#equity[index] = equity;
    this.#lower[index] = Number(lower) + errorOf(Number(lower));
    this.#upper[index] = upper === null ? Number.POSITIVE_INFINITY : Number(upper) - errorOf(Number(upper));
    this.#peak[index] = peak === null ? Number.POSITIVE_INFINITY : Number(peak);
  }
}

function countOpening(row: Row, day: number): void {
  if (!row.tradedOn.includes(day)) row.tradedOn = [...row.tradedOn, day];
  row.state = withTradingDays(row.state, row.tradedOn);
}

const isOver = ({ state: { deadline } }: Row, at: number): boolean => deadline !== null && deadline <= at;

/** An open market without a price that may trade. */
const isSilent = (quote: Quote | undefined): boolean => !quote || (quote.marketOpen && quote.stale);

const deltaOf = ({ side, size, rules, leverage }: Position): number => {
  const delta = (Number(size) / Number(UNIT)) * Number(rulesOf(rules).pnlFactor({ leverage }));
  return side === 'BUY' ? delta : -delta;
};

const toQuote = (price: number | undefined): Quote | undefined =>
  price === undefined || Number.isNaN(price)
    ? undefined
    : { price: asPrice(BigInt(price)), stale: false, held: false, marketOpen: true };

function markStateOf(quote: Quote | undefined): MarkState {
  if (quote?.held) return 'held';
  if (quote?.marketOpen === false) return 'shut';
  return quote?.stale === false ? 'live' : 'old';
}
