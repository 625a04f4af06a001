/**
 * Where bars begin and end. Bars of up to four hours follow the UTC clock. A bar of a day or longer holds whole
 * trading days of its market.
 * A trading day begins with the session that runs over midnight: Sunday 17:00 New York is forex's Monday. A week
 * begins on Monday (ISO 8601), a month on its first. The name of such a bar is 00:00 UTC of its first date. For a
 * market on the UTC clock, such as crypto, that is the instant at which the bar begins.
 * Invariant: each instant lies in exactly one bar of a timeframe, and names rise with time.
 */
import { tradingCalendar } from './hours.ts';
import { dayMs, hourMs, minuteMs, weekMs } from './time.ts';

/** Of one bar, in the quote: floating-point figures of charts. */
export interface BarPrices {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

export const timeframes = ['1m', '5m', '15m', '30m', '1h', '4h', '1d', '1w', '1M'] as const;
export type Timeframe = (typeof timeframes)[number];

// biome-ignore lint/style/noRestrictedGlobals: arithmetic of the calendar on a given instant; no clock is read
const Calendar = Date;
/** Monday, 5 January 1970. */
const firstMondayMs = 4 * dayMs;
/** `YYYY-MM-DD` of the day that holds `instant`, UTC. */
export const utcDate = (instant: number): string => new Calendar(instant).toISOString().slice(0, 10);
/** Monday, 00:00 UTC, of the week that holds `instant`; both in ms since the epoch. */
export const weekStart = (instant: number): number =>
  Math.floor((instant - firstMondayMs) / weekMs) * weekMs + firstMondayMs;

/** The lengths of the bars shorter than a day. */
export const intradayMs = {
  '1m': minuteMs,
  '5m': 5 * minuteMs,
  '15m': 15 * minuteMs,
  '30m': 30 * minuteMs,
  '1h': hourMs,
  '4h': 4 * hourMs,
} as const satisfies Partial<Record<Timeframe, number>>;
type Intraday = keyof typeof intradayMs;

export const isIntraday = (timeframe: Timeframe): timeframe is Intraday => timeframe in intradayMs;

/** `[from, to)` in ms since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The trading day that an instant belongs to, as 00:00 UTC of its date, ms since the epoch. */
export function tradingDay(tradingHours: string, instant: number): number {
  const { zone, rollMinute } = tradingCalendar(tradingHours);
  const local = instant + zone.offsetAt(instant);
  return Math.floor((local + dayMs - rollMinute * minuteMs) / dayMs) * dayMs;
}

/** The instant at which the trading day named `day` (00:00 UTC of its date) begins. */
export function tradingDayStart(tradingHours: string, day: number): number {
  const { zone, rollMinute } = tradingCalendar(tradingHours);
  const local = day - dayMs + rollMinute * minuteMs;
  // The offset before the wanted instant may differ from the one at it, on the days of a change.
  const guess = local - zone.offsetAt(local);
  return local - zone.offsetAt(guess);
}

const monthOf = (day: number, months: number): number => {
  const date = new Calendar(day);
  return Calendar.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
};

/** The bar that holds `instant`, by its name; all in ms since the epoch. */
export function barStart(timeframe: Timeframe, instant: number, tradingHours: string): number {
  if (isIntraday(timeframe)) {
    const length = intradayMs[timeframe];
    return Math.floor(instant / length) * length;
  }
  const day = tradingDay(tradingHours, instant);
  if (timeframe === '1d') return day;
  if (timeframe === '1w') return weekStart(day);
  return monthOf(day, 0);
}

/** The name of the bar that follows the one named `start`. */
export function nextBar(timeframe: Timeframe, start: number): number {
  if (isIntraday(timeframe)) return start + intradayMs[timeframe];
  if (timeframe === '1d') return start + dayMs;
  return timeframe === '1w' ? start + weekMs : monthOf(start, 1);
}

/** The name of the bar before the one named `start`. */
export function previousBar(timeframe: Timeframe, start: number): number {
  if (isIntraday(timeframe)) return start - intradayMs[timeframe];
  if (timeframe === '1d') return start - dayMs;
  return timeframe === '1w' ? start - weekMs : monthOf(start, -1);
}

/** The instants that the bar named `start` covers. */
export function barSpan(timeframe: Timeframe, start: number, tradingHours: string): Span {
  const next = nextBar(timeframe, start);
  if (isIntraday(timeframe)) return { from: start, to: next };
  return { from: tradingDayStart(tradingHours, start), to: tradingDayStart(tradingHours, next) };
}
