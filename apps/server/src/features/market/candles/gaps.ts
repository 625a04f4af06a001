/**
 * Finds gaps: missing bars inside the market's hours. Invariant: pure; a market that never closes has a gap wherever
 * a bar is missing, and one with sessions has none where whole sessions are missing for no longer than a holiday.
 *
 * Known limitations: holidays are not known. A silence of a source from one session's edge to another's looks like a
 * holiday, also where a neighbouring bar has parts of two sessions and could belong to either. A half day that ends inside
 * a session looks like a gap, and so does a minute without a trade for which the source has no bar.
 */
import type { Candle, Timeframe } from '@fulcrum/contract';
import { barSpan, dayMs, nextBar, type Span, tradingDay } from '@fulcrum/domain';
import { BoundedMap } from '../../../platform/cache/bounded-map.ts';
import type { Bar } from '../feed.ts';
import { createTradingSchedule, type TradingSchedule } from '../trading-hours.ts';

/** Trading days in a row on which an exchange is shut for a feast; Tokyo's longest usual ones have three or four. */
const holidayDaysMax = 4;
/** More than the catalogue's distinct hours many times over; the oldest leaves first. */
const calendarsMax = 256;

interface Calendar {
  readonly tradingHours: string;
  readonly schedule: TradingSchedule;
  readonly neverShuts: boolean;
  /** The trading day of the last call: checked holes follow each other. */
  latest: { readonly day: number; readonly sessions: readonly Span[] };
}
const calendars = new BoundedMap<string, Calendar>(calendarsMax);

function calendarOf(tradingHours: string): Calendar {
  const known = calendars.get(tradingHours);
  if (known) return known;
  const sessions = createTradingSchedule(tradingHours);
  const openMs = sessions.openSpans(0, 7 * dayMs).reduce((sum, { from, to }) => sum + to - from, 0);
  const created: Calendar = {
    tradingHours,
    schedule: sessions,
    neverShuts: openMs === 7 * dayMs,
    latest: { day: Number.NaN, sessions: [] },
  };
  calendars.set(tradingHours, created);
  return created;
}

/** The whole sessions of a trading day, in order. */
function getSessionsOfDay(calendar: Calendar, day: number): readonly Span[] {
  if (calendar.latest.day === day) return calendar.latest.sessions;
  const { from, to } = barSpan('1d', day, calendar.tradingHours);
  const sessions: Span[] = [];
  for (const span of calendar.schedule.openSpans(from, to)) {
    const previous = sessions.at(-1);
    // Cut at midnight UTC, which is no edge of a session.
    if (previous?.to === span.from) sessions[sessions.length - 1] = { from: previous.from, to: span.to };
    else sessions.push(span);
  }
  calendar.latest = { day, sessions };
  return sessions;
}

/** The sessions that reach into `missing`, one trading day at a time; days without one are left out. */
function* findMissingSessions(calendar: Calendar, missing: Span): Generator<readonly Span[]> {
  const { tradingHours } = calendar;
  const last = tradingDay(tradingHours, missing.to - 1);
  for (let day = tradingDay(tradingHours, missing.from); day <= last; day += dayMs) {
    const touched = getSessionsOfDay(calendar, day).filter(
      ({ from, to }) => from < missing.to && to > missing.from,
    );
    if (touched.length > 0) yield touched;
  }
}

/** Whether the market's hours include any part of `[from, to)`, instants in ms since the epoch. */
export function expectsBars(tradingHours: string, { from, to }: Span): boolean {
  if (from >= to) return false;
  const calendar = calendarOf(tradingHours);
  return calendar.neverShuts || !findMissingSessions(calendar, { from, to }).next().done;
}

/** Whether bars inside the hours are missing between two consecutive ones, given the span of each. */
function isGap(tradingHours: string, before: Span, after: Span): boolean {
  if (before.to >= after.from) return false;
  const calendar = calendarOf(tradingHours);
  if (calendar.neverShuts) return true;
  const missing = { from: before.to, to: after.from };
  const isOpenWithin = (from: number, to: number) =>
    from < to && calendar.schedule.openSpans(from, to).length > 0;
  /** A neighbour that holds part of the session shows that it took place, unless it can owe its trades to another one. */
  const wasHeld = ({ from, to }: Span) =>
    (from < missing.from && !isOpenWithin(before.from, from)) ||
    (to > missing.to && !isOpenWithin(to, after.to));
  let days = 0;
  for (const sessions of findMissingSessions(calendar, missing)) {
    days += 1;
    if (days > holidayDaysMax || sessions.some(wasHeld)) return true;
  }
  return false;
}

/**
 * The bars with their `gap` marks: true where bars are missing before one. `bars` of one timeframe, oldest first; the
 * first one is never marked, so pass one more than is shown.
 */
export function markGaps(bars: readonly Bar[], timeframe: Timeframe, tradingHours: string): Candle[] {
  let previous: number | null = null;
  return bars.map((bar) => {
    const name = Date.parse(bar.open_time);
    const before = previous;
    previous = name;
    // Nearly all bars are consecutive; only a hole needs the calendar.
    const gap =
      before !== null &&
      nextBar(timeframe, before) !== name &&
      isGap(tradingHours, barSpan(timeframe, before, tradingHours), barSpan(timeframe, name, tradingHours));
    return { ...bar, gap };
  });
}
