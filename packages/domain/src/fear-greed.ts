/**
 * The Fear & Greed Index (A41): the weighted mean of four scores of 0 (fear) to 100 (greed). Providers of such
 * indices publish their inputs, not their formulas; these formulas are our own:
 *
 * - *Volatility*: the range of the last 24 hours, ln(high / low) as in Parkinson's estimator (1980), against the mean
 *   range of the 30 days before, median over the markets. The usual range scores 50, half as much again 0, half as
 *   much 100.
 * - *Momentum*: price against the mean close of the 30 days before, median over the markets. An equal price scores
 *   50, 20 % below 0, 20 % above 100.
 * - *Breadth*: the share of markets above their own price of 24 hours ago; an unchanged market counts half.
 * - *Long/short*: the mean over accounts of the long share of each one's open exposure. Every account counts once, so
 *   that no large account decides the score or can be recognised in it.
 *
 * The weight of an unknown input goes to the others. Invariants: scores, weights and value keep their bounds for any
 * input, and a value needs two of the three market inputs.
 */
import { clamp, median, priceOrNull, representativeFigures } from './market-wide.ts';

/** Days before the moment of the index. */
export const FEAR_GREED_DAYS = 30;
/** The fewest known days; a market with fewer has no usual range. */
const daysMin = 20;
/** The distance from the mean price, in per cent, that scores 0 or 100. */
const momentumFull = 20;
const marketInputsMin = 2;

/** The lowest value of each band and its name, the highest first (DASH-20 to DASH-24). */
export const fearAndGreedBands = [
  { from: 75, label: 'Extreme Greed' },
  { from: 60, label: 'Greed' },
  { from: 40, label: 'Neutral' },
  { from: 25, label: 'Fear' },
  { from: 0, label: 'Extreme Fear' },
] as const;
export type FearAndGreedLabel = (typeof fearAndGreedBands)[number]['label'];

/** `value` from 0 to 100. */
export const getFearAndGreedLabel = (value: number): FearAndGreedLabel =>
  fearAndGreedBands.find(({ from }) => value >= from)?.label ?? 'Extreme Fear';

/** The weight of each input while all are known; of the three market inputs 30, 40 and 30 per cent. */
const weights = { volatility: 0.24, momentum: 0.32, breadth: 0.24, long_short: 0.2 } as const;
type FearAndGreedPart = keyof typeof weights;
const parts = ['volatility', 'momentum', 'breadth', 'long_short'] as const satisfies FearAndGreedPart[];

export interface DayBar {
  readonly close: number;
  readonly high: number;
  readonly low: number;
}

/** A market at the moment of the index; null where unknown. Prices in one quote. */
export interface MarketSnapshot {
  readonly price: number | null;
  readonly dayAgo: number | null;
  /** The extremes of the 24 hours before. */
  readonly high: number | null;
  readonly low: number | null;
  /** The last complete days, in any order; the caller leaves out those beyond `FEAR_GREED_DAYS`. */
  readonly days: readonly DayBar[];
}

/**
 * Volatility and momentum in per cent above (below: negative) the usual, the others as a share of 0 to 1. Null where
 * unknown.
 */
type FearAndGreedFigures = Readonly<Record<FearAndGreedPart, number | null>>;

interface FearAndGreedReading {
  /** Whole, 0 to 100; null while too little is known. */
  readonly value: number | null;
  readonly inputs: readonly {
    readonly name: FearAndGreedPart;
    /** Whole, 0 to 100. */
    readonly score: number | null;
    /** Of those that are known, which add up to 1; 0 of the others. */
    readonly weight: number;
    readonly figure: number | null;
  }[];
}

/** The three inputs that are measured on the market; each null when fewer than half of the markets have what it needs. */
export function measureMarkets(markets: readonly MarketSnapshot[]): Omit<FearAndGreedFigures, 'long_short'> {
  const middle = (of: (market: MarketSnapshot) => number | null): number | null => {
    const known = representativeFigures(markets.map(of));
    return known && median(known);
  };
  const risen = representativeFigures(markets.map(risenOf));
  return {
    volatility: middle(volatilityOf),
    momentum: middle(momentumOf),
    breadth: risen && risen.reduce((sum, one) => sum + one, 0) / risen.length,
  };
}

/** The index of the measured figures. The value is the mean of the rounded scores, so that readers can verify it. */
export function fearAndGreed(figures: FearAndGreedFigures): FearAndGreedReading {
  const scored = parts.map((name) => {
    const figure = finite(figures[name]);
    return { name, figure, score: figure === null ? null : scoreOf(name, figure) };
  });
  const whole = scored.reduce((sum, { name, score }) => (score === null ? sum : sum + weights[name]), 0);
  const inputs = scored.map(({ name, figure, score }) => ({
    name,
    score,
    weight: score === null ? 0 : weights[name] / whole,
    figure,
  }));
  const ofMarket = inputs.filter(({ name, score }) => name !== 'long_short' && score !== null).length;
  const mean = inputs.reduce((sum, { score, weight }) => sum + (score ?? 0) * weight, 0);
  // A half often lies slightly below itself in binary.
  const value = clamp(Math.round(Math.round(mean * 1e9) / 1e9), 0, 100);
  return { value: ofMarket < marketInputsMin ? null : value, inputs };
}

const finite = (figure: number | null): number | null =>
  figure !== null && Number.isFinite(figure) ? figure : null;

const scoreFormulas = {
  volatility: (percent) => 50 - percent,
  momentum: (percent) => 50 + (percent * 50) / momentumFull,
  breadth: (share) => share * 100,
  long_short: (share) => share * 100,
} as const satisfies Record<FearAndGreedPart, (figure: number) => number>;

const scoreOf = (name: FearAndGreedPart, figure: number): number =>
  Math.round(clamp(scoreFormulas[name](figure), 0, 100));

function volatilityOf({ high, low, days }: MarketSnapshot): number | null {
  const today = rangeOf(high, low);
  const ranges = days.flatMap((day) => rangeOf(day.high, day.low) ?? []);
  if (today === null || ranges.length < daysMin) return null;
  const usual = meanOf(ranges);
  // Where the market never moved, no move is usual, and a first move has no measure.
  if (usual === 0) return today === 0 ? 0 : null;
  return (today / usual - 1) * 100;
}

function momentumOf({ price, days }: MarketSnapshot): number | null {
  const known = priceOrNull(price);
  const closes = days.flatMap(({ close }) => priceOrNull(close) ?? []);
  if (known === null || closes.length < daysMin) return null;
  return (known / meanOf(closes) - 1) * 100;
}

/** 1 above its own 24 h ago, 0 below, half where it was. */
function risenOf({ price, dayAgo }: MarketSnapshot): number | null {
  const now = priceOrNull(price);
  const then = priceOrNull(dayAgo);
  return now === null || then === null ? null : (Math.sign(now - then) + 1) / 2;
}

/** ln(high / low); null unless both are prices in this order. */
function rangeOf(high: number | null, low: number | null): number | null {
  const most = priceOrNull(high);
  const least = priceOrNull(low);
  return most === null || least === null || most < least ? null : Math.log(most / least);
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value / values.length, 0);
