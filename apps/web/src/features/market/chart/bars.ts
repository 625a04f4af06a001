/**
 * How a tick changes the last bar of a chart, and what is left of a bar. Where bars begin and end is the domain's to say
 * (`bars.ts` there): weeks on Monday, months on the first, days with their market's trading day.
 */
import type { Timeframe } from '@fulcrum/contract';
import { barSpan, barStart } from '@fulcrum/domain';

export interface Bar {
  /** The bar's name, ms since the epoch: its opening, or 00:00 UTC of its first trading day. */
  timestamp: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  /** Bars are missing before this one; left out, none are. */
  gap?: boolean;
}

/** Of a chart: how its bars are cut. */
export interface BarCut {
  readonly timeframe: Timeframe;
  readonly tradingHours: string;
}

/**
 * The last bar after a price at `at`: the same bar extended, or a new one that opens at the price. A price older than
 * the last bar changes nothing and gives null.
 */
export function barAfterTick(
  last: Bar | undefined,
  { timeframe, tradingHours }: BarCut,
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

/** Places of the bars in `from` to `to` (exclusive) that follow a gap. Nothing is known before the first bar of all. */
export function gapsWithin(bars: readonly Pick<Bar, 'gap'>[], from: number, to: number): readonly number[] {
  const places: number[] = [];
  for (let place = Math.max(1, from); place < Math.min(to, bars.length); place += 1) {
    if (bars[place]?.gap) places.push(place);
  }
  return places;
}

/** `02:41`, `3:12:09` or `5d 04h`: the time left of the bar named `start`, for the axis tag. */
export function countdown({ timeframe, tradingHours }: BarCut, start: number, now: number): string {
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
