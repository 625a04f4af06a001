/**
 * Performance figures of an account's trades. A trade is a closed position, or a closed part of one (A23). Its result
 * is net: the booked PnL less the fees of the position, and its funding (A113). The results of all trades add up to what the ledger moved to
 * the trader. Invariants: money is exact until one rounding per average. A figure without a meaning (an average of
 * none, a quotient over nothing) is null and never zero. By symbol, by side, by day and by hour add up to the whole.
 *
 * The ratios are defined as by Kaufman, Trading Systems and Methods (profit factor, expectancy), R as by Van Tharp,
 * Trade Your Way to Financial Freedom.
 *
 * Known limitation: after a partial close the opening fee and the funding so far stay with the remaining position
 * (engine/split.ts). The closed part looks cheaper and the rest dearer by that; their sum is right.
 */
import {
  asMoney,
  asPercent,
  divideRounded,
  type Money,
  multiplyDivide,
  type Percent,
  type Price,
  UNIT,
} from './money.ts';
import { rulesOf } from './rule-sets.ts';
import { type PositionTerms, type RuleSetName, settle } from './rules.ts';
import { type Side, sides } from './states.ts';
import { dayMs, hourMs } from './time.ts';
import type { Zone } from './zones.ts';

export interface ClosedTrade {
  readonly id: string;
  readonly symbol: string;
  readonly side: Side;
  /** As booked at the close, before fees, with later corrections of staff (A11). */
  readonly realizedPnl: Money;
  /** Of the opening and the close, zero or positive. */
  readonly fees: Money;
  /** Received above zero, paid below; zero but of a net position. */
  readonly funding: Money;
  /** `initialRisk`; null without a first stop loss. */
  readonly risk: Money | null;
  /** Milliseconds since the epoch, both. */
  readonly openedAt: number;
  readonly closedAt: number;
}

export interface TradeResult {
  readonly id: string;
  readonly symbol: string;
  readonly net: Money;
  readonly closedAt: number;
}

interface TradeSum {
  readonly trades: number;
  readonly net: Money;
}

/** Money in USDT, all of it after fees and funding but `gross`. `Percent` and ratios in 1e-8; times in ms. */
export interface TradeFigures {
  readonly trades: number;
  readonly wins: number;
  readonly losses: number;
  /** A net result of exactly zero. */
  readonly breakEven: number;
  readonly gross: Money;
  readonly fees: Money;
  readonly funding: Money;
  /** `gross - fees + funding`. */
  readonly net: Money;
  /** `wins / trades`, in per cent. */
  readonly winRate: Percent | null;
  /** Sum of the wins; sum of the losses as a positive figure. */
  readonly grossProfit: Money;
  readonly grossLoss: Money;
  /** `grossProfit / grossLoss`; null without a loss. */
  readonly profitFactor: bigint | null;
  /** `net / trades`, which is win rate × average win + loss rate × average loss. */
  readonly expectancy: Money | null;
  readonly averageWin: Money | null;
  /** Negative. */
  readonly averageLoss: Money | null;
  /** Mean of `net / risk` over the `rTrades` that had a first stop loss with something at risk. */
  readonly averageR: bigint | null;
  readonly rTrades: number;
  readonly averageHolding: number | null;
  /** Of an even number of trades the mean of the middle two. */
  readonly medianHolding: number | null;
  /** The highest and the lowest net result; of equal ones the first added. */
  readonly best: TradeResult | null;
  readonly worst: TradeResult | null;
  /** The largest absolute result first. */
  readonly bySymbol: readonly (TradeSum & { readonly symbol: string; readonly wins: number })[];
  /** What was bought first, then what was sold. */
  readonly bySide: readonly (TradeSum & {
    readonly side: Side;
    readonly wins: number;
    readonly winRate: Percent | null;
  })[];
  /** By the day of the close on the zone's clock, as days since 1970-01-01; those with a trade, oldest first. */
  readonly byDay: readonly (TradeSum & { readonly day: number })[];
  /** 24 of them, by the hour of the close on the zone's clock; an hour that a clock shows twice is one. */
  readonly byHour: readonly (TradeSum & { readonly hour: number })[];
}

/**
 * What the first stop loss put at risk (A108): the loss that a close there would book. It follows the position's rule
 * set (with the leverage factor of `as-specified`), is at most its margin (A03) and is before fees. Null without a
 * stop loss, and for one on the winning side, which risks nothing.
 */
export function initialRisk(
  terms: PositionTerms & {
    readonly rules: RuleSetName;
    readonly initialStopLossPrice: Price | null;
  },
): Money | null {
  const { rules, initialStopLossPrice, margin } = terms;
  if (initialStopLossPrice === null) return null;
  const { realizedPnl } = settle(rulesOf(rules).realizedPnl(terms, initialStopLossPrice), margin);
  return realizedPnl < 0n ? asMoney(-realizedPnl) : null;
}

/** The result in units of the risk, 1e-8 R. `risk` is above zero. */
export const rMultiple = (net: Money, risk: Money): bigint =>
  multiplyDivide(net, UNIT, risk, 'half-away-from-zero');

const HOURS_OF_DAY = 24;

class Sum {
  trades = 0;
  wins = 0;
  net = 0n;

  add(net: bigint): void {
    this.trades += 1;
    if (net > 0n) this.wins += 1;
    this.net += net;
  }

  /** `wins / trades`, in per cent. */
  get winRate(): Percent | null {
    const rate = meanOf(BigInt(this.wins) * 100n * UNIT, this.trades);
    return rate === null ? null : asPercent(rate);
  }

  get figures(): TradeSum {
    return { trades: this.trades, net: asMoney(this.net) };
  }
}

function sumOf<Key>(sums: Map<Key, Sum>, key: Key): Sum {
  const known = sums.get(key);
  if (known) return known;
  const made = new Sum();
  sums.set(key, made);
  return made;
}

/** The mean in whole units, half away from zero; null of none. */
const meanOf = (sum: bigint, count: number): bigint | null =>
  count === 0 ? null : divideRounded(sum, BigInt(count), 'half-away-from-zero');
const moneyOrNull = (units: bigint | null): Money | null => (units === null ? null : asMoney(units));

function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

const magnitude = (units: bigint): bigint => (units < 0n ? -units : units);

/** Adds trades one at a time, in any order, and stores only the holding time of each. */
export class TradeTally {
  readonly #zone: Zone;
  readonly #all = new Sum();
  #gross = 0n;
  #fees = 0n;
  #funding = 0n;
  #profit = 0n;
  #loss = 0n;
  #losses = 0;
  /** Σ net / risk, in 1e-8. */
  #r = 0n;
  #rTrades = 0;
  readonly #holding: number[] = [];
  #held = 0;
  #best: TradeResult | null = null;
  #worst: TradeResult | null = null;
  readonly #symbols = new Map<string, Sum>();
  readonly #sides = { BUY: new Sum(), SELL: new Sum() } as const satisfies Record<Side, Sum>;
  /** By days since the epoch. */
  readonly #days = new Map<number, Sum>();
  readonly #hours = Array.from({ length: HOURS_OF_DAY }, () => new Sum());

  /** `zone` determines the day and hour of a trade. */
  constructor(zone: Zone) {
    this.#zone = zone;
  }

  add({ id, symbol, side, realizedPnl, fees, funding, risk, openedAt, closedAt }: ClosedTrade): void {
    const net = realizedPnl - fees + funding;
    this.#gross += realizedPnl;
    this.#fees += fees;
    this.#funding += funding;
    if (net > 0n) this.#profit += net;
    if (net < 0n) {
      this.#loss -= net;
      this.#losses += 1;
    }
    if (risk !== null && risk > 0n) {
      this.#r += rMultiple(asMoney(net), risk);
      this.#rTrades += 1;
    }
    // A clock that was set back may report a close before the opening.
    const held = Math.max(0, closedAt - openedAt);
    this.#holding.push(held);
    this.#held += held;
    const result: TradeResult = { id, symbol, net: asMoney(net), closedAt };
    if (this.#best === null || net > this.#best.net) this.#best = result;
    if (this.#worst === null || net < this.#worst.net) this.#worst = result;
    const clock = closedAt + this.#zone.offsetAt(closedAt);
    const day = Math.floor(clock / dayMs);
    this.#all.add(net);
    sumOf(this.#symbols, symbol).add(net);
    this.#sides[side].add(net);
    sumOf(this.#days, day).add(net);
    this.#hours[Math.floor((clock - day * dayMs) / hourMs)]?.add(net);
  }

  figures(): TradeFigures {
    const { trades, wins, net } = this.#all;
    const losses = this.#losses;
    return {
      trades,
      wins,
      losses,
      breakEven: trades - wins - losses,
      gross: asMoney(this.#gross),
      fees: asMoney(this.#fees),
      funding: asMoney(this.#funding),
      net: asMoney(net),
      winRate: this.#all.winRate,
      grossProfit: asMoney(this.#profit),
      grossLoss: asMoney(this.#loss),
      profitFactor:
        this.#loss === 0n ? null : multiplyDivide(this.#profit, UNIT, this.#loss, 'half-away-from-zero'),
      expectancy: moneyOrNull(meanOf(net, trades)),
      averageWin: moneyOrNull(meanOf(this.#profit, wins)),
      averageLoss: moneyOrNull(meanOf(-this.#loss, losses)),
      averageR: meanOf(this.#r, this.#rTrades),
      rTrades: this.#rTrades,
      averageHolding: trades === 0 ? null : this.#held / trades,
      medianHolding: medianOf(this.#holding),
      best: this.#best,
      worst: this.#worst,
      bySymbol: this.#bySymbol(),
      bySide: sides.map((side) => {
        const { wins: won, winRate, figures } = this.#sides[side];
        return { side, wins: won, winRate, ...figures };
      }),
      byDay: [...this.#days]
        .sort(([left], [right]) => left - right)
        .map(([day, sum]) => ({ day, ...sum.figures })),
      byHour: this.#hours.map((sum, hour) => ({ hour, ...sum.figures })),
    };
  }

  #bySymbol(): TradeFigures['bySymbol'] {
    return [...this.#symbols]
      .map(([symbol, sum]) => ({ symbol, wins: sum.wins, ...sum.figures }))
      .sort((left, right) => {
        const [a, b] = [magnitude(left.net), magnitude(right.net)];
        if (a !== b) return a > b ? -1 : 1;
        return left.symbol < right.symbol ? -1 : 1;
      });
  }
}
