/**
 * Applies ticks to the last bar of a chart, and computes the bar's remaining time. Bar boundaries come from the
 * domain's `bars.ts`: weeks start on Monday, months on the first, days with their market's trading day.
 */
import type { Timeframe } from '@fulcrum/contract';
import { barSpan, barStart } from '@fulcrum/domain';

export interface Bar {
  /** Identifies the bar, ms since the epoch: its open, or 00:00 UTC of its first trading day. */
  timestamp: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  /** True when bars are missing before this one. */
  gap?: boolean;
}

/** How a chart's bars are cut. */
export interface BarSpec {
  readonly timeframe: Timeframe;
  readonly tradingHours: string;
}

/**
 * The last bar after a price at `at`: the same bar extended, or a new one that opens at the price. Returns null for a
 * price older than the last bar.
 */
export function barAfterTick(
  last: Bar | undefined,
  { timeframe, tradingHours }: BarSpec,
  price: number,
  at: number,
): Bar | null {
  const start = barStart(timeframe, at, tradingHours);
  if (last && start < last.timestamp) return null;
  if (last && start === last.timestamp) {
    return { ...last, high: Math.max(last.high, price), low: Math.min(last.low, price), close: price };
  }
  return { timestamp: start, open: price, high: price, low: price, close: price, volume: 0 };
}

/**
 * The bars to write over `shownBars` (oldest first) after the server answers with `fresh`. A finished bar takes the
 * server's values, volume included. The `forming` bar may have changed since the answer was made, so it keeps its
 * close and the wider of both extremes. A closed market has no forming bar.
 */
export function correctedBars(
  shownBars: readonly Bar[],
  fresh: readonly Bar[],
  forming: Bar | undefined,
): readonly Bar[] {
  const byTime = new Map(fresh.map((bar) => [bar.timestamp, bar]));
  return shownBars.flatMap((bar) => {
    const known = byTime.get(bar.timestamp);
    if (!known) return [];
    if (bar !== forming) return [known];
    const high = Math.max(bar.high, known.high);
    const low = Math.min(bar.low, known.low);
    return [{ ...known, high, low, close: bar.close }];
  });
}

/** Indices of the bars from `from` to `to` (exclusive) that follow a gap. The very first bar never counts as one. */
export function findGaps(bars: readonly Pick<Bar, 'gap'>[], from: number, to: number): readonly number[] {
  const indices: number[] = [];
  for (let index = Math.max(1, from); index < Math.min(to, bars.length); index += 1) {
    if (bars[index]?.gap) indices.push(index);
  }
  return indices;
}

/** The remaining time of the bar that starts at `start`, for the axis tag: `02:41`, `3:12:09` or `5d 04h`. */
export function formatCountdown({ timeframe, tradingHours }: BarSpec, start: number, now: number): string {
  const { to } = barSpan(timeframe, start, tradingHours);
  const left = Math.max(0, Math.ceil((to - now) / 1000));
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
