/**
 * Market Sentiment (A41): half breadth, half momentum, of one hour over many markets.
 *
 * - *Breadth*, as in advance-decline indices: markets that rose in the hour less those that fell, over all. A change
 *   below a tenth of the market's usual hour counts as none; otherwise the first seconds of an hour would count as
 *   much as a whole one.
 * - *Momentum*: the median of the markets' 12 h changes, each in units of its usual 12 h move and clamped to -1 and
 *   1. Neither a restless market nor one jump decides.
 * - A market's *usual hour* is the root mean square of its log changes of the 72 hours before the measured hour; over
 *   12 hours it grows with the square root of time. The measured hour is excluded, so that a higher price never
 *   lowers the sentiment.
 *
 * Known limitation: the weights and the dead band are our own choice; no published index exists to compare with.
 */
import { clamp, median, priceOrNull, representativeFigures } from './market-wide.ts';

/** DASH-12: points of the chart, an hour apart. */
export const SENTIMENT_POINTS = 12;
/** DASH-14: the value lies within plus and minus this. */
export const SENTIMENT_BOUND = 50;

const momentumHours = 12;
const usualHours = 72;
/** Fewer changes are no basis for a usual hour. */
const usualHoursMin = 12;
/** A change below this share of the usual hour's counts as none. */
const deadBand = 0.1;

/** Closes before the measured hour that the formula uses, if they are known. */
export const SENTIMENT_LOOKBACK_HOURS = usualHours + 1;

interface SentimentReading {
  /** -50 (all fall) to 50 (all rise). */
  readonly value: number;
  /** -1 to 1. */
  readonly breadth: number;
  /** -1 to 1. */
  readonly momentum: number;
}

interface MarketHour {
  /** 1: rose, -1: fell, 0: unchanged. */
  readonly direction: number;
  /** The 12 h change in usual 12 h moves, -1 to 1. */
  readonly momentum: number;
}

/**
 * `markets`: of each market its hourly closes, oldest first; the last is that of the measured hour (its current price
 * while it runs). A close is null where unknown. The result is null when fewer than half of the markets have enough
 * closes.
 */
export function marketSentiment(markets: readonly (readonly (number | null)[])[]): SentimentReading | null {
  const known = representativeFigures(markets.map(marketHour));
  if (known === null) return null;
  const breadth = known.reduce((sum, { direction }) => sum + direction, 0) / known.length;
  const momentum = median(known.map((one) => one.momentum)) ?? 0;
  return { value: (SENTIMENT_BOUND * (breadth + momentum)) / 2, breadth, momentum };
}

function marketHour(closes: readonly (number | null)[]): MarketHour | null {
  const last = priceOrNull(closes.at(-1));
  const before = priceOrNull(closes.at(-2));
  const halfDayAgo = priceOrNull(closes.at(-1 - momentumHours));
  const usualHour = usualChange(closes.slice(-1 - SENTIMENT_LOOKBACK_HOURS, -1));
  if (last === null || before === null || halfDayAgo === null || usualHour === null) return null;
  const change = Math.log(last / before);
  const isStill = Math.abs(change) < deadBand * usualHour;
  const halfDay = Math.log(last / halfDayAgo);
  const usualHalfDay = usualHour * Math.sqrt(momentumHours);
  return {
    direction: isStill ? 0 : Math.sign(change),
    // A market that never moved has no unit: any move counts as a whole one.
    momentum: usualHalfDay > 0 ? clamp(halfDay / usualHalfDay, -1, 1) : Math.sign(halfDay),
  };
}

/** Root mean square of the log changes from close to close; null of too few. */
function usualChange(closes: readonly (number | null)[]): number | null {
  let squares = 0;
  let changes = 0;
  let earlier: number | null = null;
  for (const close of closes) {
    const later = priceOrNull(close);
    if (earlier !== null && later !== null) {
      squares += Math.log(later / earlier) ** 2;
      changes += 1;
    }
    earlier = later;
  }
  return changes < usualHoursMin ? null : Math.sqrt(squares / changes);
}
