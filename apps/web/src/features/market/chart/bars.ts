/**
 * Bars of the nine timeframes: where a bar begins and how a tick changes the last one. All in UTC, as the server cuts
 * its candles: weeks begin on Monday, months on the first.
 */
import type { Timeframe } from '@fulcrum/contract';

export interface Bar {
  /** Opening time, ms since the epoch. */
  timestamp: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const week = 7 * day;
/** The epoch was a Thursday; weeks begin on the Monday before it. */
const firstMonday = -3 * day;

const fixed: Partial<Record<Timeframe, number>> = {
  '1m': minute,
  '5m': 5 * minute,
  '15m': 15 * minute,
  '30m': 30 * minute,
  '1h': hour,
  '4h': 4 * hour,
  '1d': day,
};

/** Opening time of the bar that holds the instant `at` (both ms since the epoch). */
export function openingOf(timeframe: Timeframe, at: number): number {
  const length = fixed[timeframe];
  if (length) return Math.floor(at / length) * length;
  if (timeframe === '1w') return Math.floor((at - firstMonday) / week) * week + firstMonday;
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

/** When the bar that opened at `opening` ends, ms since the epoch. */
export function endOf(timeframe: Timeframe, opening: number): number {
  const length = timeframe === '1w' ? week : fixed[timeframe];
  if (length) return opening + length;
  const date = new Date(opening);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/**
 * The last bar after a price at `at`: the same bar extended, or a new one that opens at the price. A price older than
 * the last bar changes nothing and gives null.
 */
export function barAfterTick(
  last: Bar | undefined,
  timeframe: Timeframe,
  price: number,
  at: number,
): Bar | null {
  const opening = openingOf(timeframe, at);
  if (last && opening < last.timestamp) return null;
  if (last && opening === last.timestamp) {
    return { ...last, high: Math.max(last.high, price), low: Math.min(last.low, price), close: price };
  }
  return { timestamp: opening, open: price, high: price, low: price, close: price, volume: 0 };
}

/**
 * What is to be written over `held` (oldest first) when the server answers with `fresh`: each finished bar as the server
 * has it, volume included. The `forming` one may have moved on since the answer was made, so it keeps its close and the
 * wider of both extremes; a shut market has none.
 */
export function correctedBars(
  held: readonly Bar[],
  fresh: readonly Bar[],
  forming: Bar | undefined,
): readonly Bar[] {
  const byTime = new Map(fresh.map((bar) => [bar.timestamp, bar]));
  return held.flatMap((bar) => {
    const known = byTime.get(bar.timestamp);
    if (!known) return [];
    if (bar !== forming) return [known];
    const high = Math.max(bar.high, known.high);
    const low = Math.min(bar.low, known.low);
    return [{ ...known, high, low, close: bar.close }];
  });
}

/** `02:41`, `3:12:09` or `5d 04h`: the time left of a bar, for the axis tag. */
export function countdown(timeframe: Timeframe, opening: number, now: number): string {
  const left = Math.max(0, Math.ceil((endOf(timeframe, opening) - now) / 1000));
  const two = (figure: number) => String(figure).padStart(2, '0');
  const [days, hours, minutes, seconds] = [
    Math.floor(left / 86_400),
    Math.floor((left % 86_400) / 3600),
    Math.floor((left % 3600) / 60),
    left % 60,
  ];
  if (days > 0) return `${days}d ${two(hours)}h`;
  if (hours > 0) return `${hours}:${two(minutes)}:${two(seconds)}`;
  return `${two(minutes)}:${two(seconds)}`;
}
