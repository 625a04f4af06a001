/**
 * The equity of accounts in challenges and its bounds, in columns. A price adds its move times the net size to every holder of its symbol.
 * Invariants: no column is above the true equity by more than `errorOf`, because it does not cap losses at a margin; a peak is an equity
 * that a tick made. Known limitation: a peak that is above the last by less than the error may be passed over.
 */
import {
  asPrice,
  balanceOf,
  type ChallengeState,
  type ChallengeStep,
  challengeBoundsOf,
  challengePartOf,
  equityOf,
  type MarketView,
  type Money,
  type Position,
  type Price,
  type Quote,
  rulesOf,
  UNIT,
  type Wallet,
} from '@fulcrum/domain';
import { type Holding, noteEquity, type QuoteOf, type Row } from './equity-row.ts';
import { Holders } from './symbol-holders.ts';
import { grown } from './typed-arrays.ts';

/** How far a column may be from the true value, in units of 1e-8: far above what the additions of `rebasedAtOnce` turns lose. */
const errorOf = (equity: number): number => 1e6 + Math.abs(equity) * 1e-9;
/** Accounts whose columns are reckoned anew each second. */
const rebasedAtOnce = 100;
const firstCapacity = 64;

export class EquityColumns {
  readonly #bySymbol = new Map<string, Holders>();
  /** By index; a free index has undefined. */
  readonly #byIndex: (Row | undefined)[] = [];
  readonly #free: number[] = [];
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
  #nextRebased = 0;

  /** An account that holds nothing yet. */
  add(wallet: Wallet, step: ChallengeStep, state: ChallengeState): Row {
    const index = this.#free.pop() ?? this.#byIndex.length;
    if (index >= this.#equity.length) this.#grow();
    const { pct, lockPct } = step.maxLoss;
    const lock = lockPct === null ? null : state.initial + challengePartOf(state.initial, lockPct);
    this.#trail[index] = Number(challengePartOf(state.initial, pct));
    this.#lock[index] = lock === null ? Number.POSITIVE_INFINITY : Number(lock);
    this.#hasPeak[index] = 0;
    const row: Row = {
      ...{ index, accountId: wallet.accountId, step, state, tradedOn: [], wallet, positions: [] },
      ...{ owed: null, seats: new Map(), committed: null, unsure: null, unstored: 'no', awaits: 'nothing' },
      ...{ isPriced: true, waitsSince: null, isUnjudged: true, changedAt: 0 },
    };
    this.#byIndex[index] = row;
    return row;
  }

  remove(row: Row): void {
    this.#release(row);
    this.#byIndex[row.index] = undefined;
    this.#free.push(row.index);
  }

  /** Whom the price brings near a limit; null where nobody holds the symbol. */
  tick(symbol: string, price: Price): Row[] | null {
    const holders = this.#bySymbol.get(symbol);
    if (!holders) return null;
    const last = Number(price);
    const move = last - holders.last;
    holders.last = last;
    return Number.isNaN(move) ? this.#firstPrice(holders) : this.#move(holders, move);
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
    for (const row of rows) this.rebase(row);
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

  /** It judges no one before the next tick. */
  moveTo(holders: Holders, last: number): void {
    const move = last - holders.last;
    holders.last = last;
    if (Number.isNaN(move)) this.#firstPrice(holders);
    else if (move !== 0)
      for (let at = 0; at < holders.length; at += 1) {
        const index = holders.entrant[at] as number;
        this.#equity[index] = (this.#equity[index] as number) + move * (holders.delta[at] as number);
      }
  }

  mute(row: Row): void {
    this.reckonPeak(row);
    row.isPriced = false;
    this.rebase(row);
  }

  reckonPeak(row: Row): void {
    if (this.#hasPeak[row.index] !== 1) return;
    this.#hasPeak[row.index] = 0;
    const peakAt = new Map([...row.seats].map(([{ symbol, peakAt: prices }, at]) => [symbol, prices[at]]));
    noteEquity(row, equityOf(row.wallet, row.positions, { quote: (symbol) => toQuote(peakAt.get(symbol)) }));
  }

  /** What is not committed may have left a symbol that what is committed holds. */
  standingOf(
    { wallet, positions }: Holding,
    quoteOf: QuoteOf,
  ): { readonly balance: Money; readonly equity: Money } {
    const quote = (symbol: string) => this.#marks.quote(symbol) ?? quoteOf(symbol);
    return { balance: balanceOf(wallet), equity: equityOf(wallet, positions, { quote }) };
  }

  readonly #marks: Pick<MarketView, 'quote'> = {
    quote: (symbol) => toQuote(this.#bySymbol.get(symbol)?.last),
  };

  priceOf(symbol: string): Price | null {
    return this.#marks.quote(symbol)?.price ?? null;
  }

  /** What was not committed has made no peak. */
  dropPeak(row: Row): void {
    this.#hasPeak[row.index] = 0;
  }

  #grow(): void {
    const capacity = 2 * this.#equity.length;
    this.#equity = grown(this.#equity, Float64Array, capacity);
    this.#lower = grown(this.#lower, Float64Array, capacity);
    this.#upper = grown(this.#upper, Float64Array, capacity);
    this.#peak = grown(this.#peak, Float64Array, capacity);
    this.#hasPeak = grown(this.#hasPeak, Int32Array, capacity);
    this.#trail = grown(this.#trail, Float64Array, capacity);
    this.#lock = grown(this.#lock, Float64Array, capacity);
    this.#symbols = grown(this.#symbols, Int32Array, capacity);
  }

  hold(row: Row, wallet: Wallet, positions: readonly Position[], quoteOf: QuoteOf): void {
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
    this.rebase(row);
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
  rebase(row: Row): void {
    this.reckonPeak(row);
    const { index, step, wallet, positions } = row;
    if (row.awaits === 'reading' || !row.isPriced) {
      this.#lower[index] = Number.NEGATIVE_INFINITY;
      this.#upper[index] = Number.POSITIVE_INFINITY;
      this.#peak[index] = Number.POSITIVE_INFINITY;
      return;
    }
    let equity = Number(balanceOf(wallet));
    for (const position of positions) {
      const price = this.priceOf(position.symbol);
      if (price !== null) equity += Number(rulesOf(position.rules).realizedPnl(position, price));
    }
    const { lower, upper, peak } = challengeBoundsOf(step, row.state, balanceOf(wallet));
    this.#equity[index] = equity;
    this.#lower[index] = Number(lower) + errorOf(Number(lower));
    this.#upper[index] = upper === null ? Number.POSITIVE_INFINITY : Number(upper) - errorOf(Number(upper));
    this.#peak[index] = peak === null ? Number.POSITIVE_INFINITY : Number(peak);
  }

  /** Some of the rows, in turn. */
  rebaseNext(): void {
    for (let count = 0; count < Math.min(rebasedAtOnce, this.#byIndex.length); count += 1) {
      this.#nextRebased = (this.#nextRebased + 1) % this.#byIndex.length;
      const row = this.#byIndex[this.#nextRebased];
      if (row) this.rebase(row);
    }
  }
}

const deltaOf = ({ side, size, rules, leverage }: Position): number => {
  const delta = (Number(size) / Number(UNIT)) * Number(rulesOf(rules).pnlFactor({ leverage }));
  return side === 'BUY' ? delta : -delta;
};

const toQuote = (price: number | undefined): Quote | undefined =>
  price === undefined || Number.isNaN(price)
    ? undefined
    : { price: asPrice(BigInt(price)), stale: false, held: false, marketOpen: true };
