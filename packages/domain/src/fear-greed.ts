/**
 * The Fear & Greed Index (A41): the weighted mean of four scores of 0 (fear) to 100 (greed). What is published of such indices is
 * their inputs, not their formulas; these are our own:
 *
 * - *Volatility*: the range of the last 24 hours, ln(high / low) as in Parkinson's estimator (1980), against the mean range of the 30
 *   days before, median over the markets. As usual is 50, half as much again is 0, half as much is 100: fear is restless.
 * - *Momentum*: price against the mean close of the 30 days before, median over the markets. As high is 50, 20 % below is 0, 20 %
 *   above is 100.
 * - *Breadth*: the share of markets above their own price of 24 hours ago; one that stands still counts half.
 * - *Long/short*: the mean over accounts of the long share of each one's open exposure. Every account counts once, so that no large
 *   one decides it or shows through.
 *
 * An input that is not known leaves its weight to the others. Invariants: scores, weights and value keep their bounds whatever
 * comes in, and a value needs two of the three inputs that are measured on the market.
 */
import { atLeastHalf, median, priceOrNull, within } from './market-wide.ts';

/** Days before the moment looked at. */
export const FEAR_GREED_DAYS = 30;
/** Of those; a market with fewer is too young to have a usual day. */
const daysMin = 20;
/** Per cent off the mean price that count as utter fear or greed. */
const momentumFull = 20;
const marketInputsMin = 2;

/** DASH-20 to DASH-24, the highest first. */
export const fearAndGreedBands = [
  { from: 75, word: 'Extreme Greed' },
  { from: 60, word: 'Greed' },
  { from: 40, word: 'Neutral' },
  { from: 25, word: 'Fear' },
  { from: 0, word: 'Extreme Fear' },
] as const;
export type FearAndGreedWord = (typeof fearAndGreedBands)[number]['word'];

/** `value` from 0 to 100. */
export const fearAndGreedWord = (value: number): FearAndGreedWord =>
  fearAndGreedBands.find(({ from }) => value >= from)?.word ?? 'Extreme Fear';

/** What each input is of the whole while all are known; of the market's own three 30, 40 and 30 per cent. */
const weights = { volatility: 0.24, momentum: 0.32, breadth: 0.24, long_short: 0.2 } as const;
export type FearAndGreedPart = keyof typeof weights;
const parts = ['volatility', 'momentum', 'breadth', 'long_short'] as const satisfies FearAndGreedPart[];

export interface DayBar {
  readonly close: number;
  readonly high: number;
  readonly low: number;
}

/** A market at the moment looked at; null: not known. Prices in one quote. */
export interface MarketMoment {
  readonly price: number | null;
  readonly dayAgo: number | null;
  /** The extremes of the 24 hours before. */
  readonly high: number | null;
  readonly low: number | null;
  /** The last days that were over by then, in any order; those beyond `FEAR_GREED_DAYS` are for the caller to leave out. */
  readonly days: readonly DayBar[];
}

/** Volatility and momentum in per cent above (below: negative) what is usual, the others as a share of 0 to 1; null: not known. */
export type FearAndGreedFigures = Readonly<Record<FearAndGreedPart, number | null>>;

export interface FearAndGreedReading {
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
export function measureMarkets(markets: readonly MarketMoment[]): Omit<FearAndGreedFigures, 'long_short'> {
  const middle = (of: (market: MarketMoment) => number | null): number | null => {
    const known = atLeastHalf(markets.map(of));
    return known && median(known);
  };
  const risen = atLeastHalf(markets.map(risenOf));
  return {
    volatility: middle(volatilityOf),
    momentum: middle(momentumOf),
    breadth: risen && risen.reduce((sum, one) => sum + one, 0) / risen.length,
  };
}

/** The index of what was measured. The value is the mean of the whole scores, so that who adds them up comes to the same. */
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
  // What lies on a half is often a hair below it in binary.
  const value = within(Math.round(Math.round(mean * 1e9) / 1e9), 0, 100);
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
  Math.round(within(scoreFormulas[name](figure), 0, 100));

function volatilityOf({ high, low, days }: MarketMoment): number | null {
  const today = rangeOf(high, low);
  const ranges = days.flatMap((day) => rangeOf(day.high, day.low) ?? []);
  if (today === null || ranges.length < daysMin) return null;
  const usual = meanOf(ranges);
  // Where nothing ever moved, standing still is as usual, and a first move has no measure.
  if (usual === 0) return today === 0 ? 0 : null;
  return (today / usual - 1) * 100;
}

function momentumOf({ price, days }: MarketMoment): number | null {
  const known = priceOrNull(price);
  const closes = days.flatMap(({ close }) => priceOrNull(close) ?? []);
  if (known === null || closes.length < daysMin) return null;
  return (known / meanOf(closes) - 1) * 100;
}

/** 1 above its own 24 h ago, 0 below, half where it was. */
function risenOf({ price, dayAgo }: MarketMoment): number | null {
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
