/**
 * Where bars begin: all nine timeframes on the UTC clock, weeks from Monday (ISO 8601), months by the calendar. Every
 * bar of a longer timeframe is a union of whole bars of each timeframe up to one day.
 */
import type { Timeframe } from '@fulcrum/contract';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
const weekMs = 7 * dayMs;
/** Monday, 5 January 1970. */
const firstMondayMs = 4 * dayMs;

const fixedLengthMs = {
  '1m': minuteMs,
  '5m': 5 * minuteMs,
  '15m': 15 * minuteMs,
  '30m': 30 * minuteMs,
  '1h': hourMs,
  '4h': 4 * hourMs,
  '1d': dayMs,
} as const satisfies Partial<Record<Timeframe, number>>;

const monthStart = (instant: number, months: number): number => {
  const date = new Date(instant);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
};

/** The start of the bar that holds `instant`; both in ms since the epoch. */
export function barStart(timeframe: Timeframe, instant: number): number {
  if (timeframe === '1M') return monthStart(instant, 0);
  if (timeframe === '1w') return Math.floor((instant - firstMondayMs) / weekMs) * weekMs + firstMondayMs;
  const length = fixedLengthMs[timeframe];
  return Math.floor(instant / length) * length;
}

/** The end of the bar that starts at `start`, which is the start of the next one. */
export function barEnd(timeframe: Timeframe, start: number): number {
  if (timeframe === '1M') return monthStart(start, 1);
  if (timeframe === '1w') return start + weekMs;
  return start + fixedLengthMs[timeframe];
}
