/**
 * The trading sessions of a market as spans of time, for bars that cover trading hours only. Days are UTC days; their
 * sessions repeat with the weekday and the zone's offset, so a year costs a dozen evaluations of the schedule.
 * Known limitations: sessions begin and end on whole five minutes; on the day a zone changes its offset, sessions are
 * those of the offset at noon UTC, which is right for every listed market (they change on closed Sundays before noon).
 */
import { dayMs, isMarketOpen, minuteMs, type Span, tradingCalendar } from '@fulcrum/domain';

export interface TradingSchedule {
  /** The open parts of `[from, to)`, in order, not touching each other within a day. */
  openSpans(from: number, to: number): Span[];
}

export const roundTheClock: TradingSchedule = { openSpans: (from, to) => [{ from, to }] };

/** Some futures shut at 13:20 or 15:05. */
const stepMs = 5 * minuteMs;

/** `tradingHours` as the catalogue has them. */
export function createTradingSchedule(tradingHours: string): TradingSchedule {
  const { zone } = tradingCalendar(tradingHours);
  /** Spans in ms of the day, by weekday and offset. */
  const schedules = new Map<string, readonly Span[]>();
  let latest: { midnight: number; spans: readonly Span[] } = { midnight: Number.NaN, spans: [] };

  function scheduleOf(midnight: number): readonly Span[] {
    // Bars are requested in order, many of one day.
    if (latest.midnight !== midnight) latest = { midnight, spans: scheduleByOffset(midnight) };
    return latest.spans;
  }

  function scheduleByOffset(midnight: number): readonly Span[] {
    const weekday = (midnight / dayMs) % 7;
    const key = `${weekday} ${zone.offsetAt(midnight + dayMs / 2)}`;
    const known = schedules.get(key);
    if (known) return known;
    const spans = computeOpenSpans(midnight);
    schedules.set(key, spans);
    return spans;
  }

  function computeOpenSpans(midnight: number): Span[] {
    const spans: Span[] = [];
    for (let from = 0; from < dayMs; from += stepMs) {
      if (!isMarketOpen(tradingHours, midnight + from)) continue;
      const previous = spans.at(-1);
      if (previous?.to === from) spans[spans.length - 1] = { from: previous.from, to: from + stepMs };
      else spans.push({ from, to: from + stepMs });
    }
    return spans;
  }

  return {
    openSpans(from, to) {
      const spans: Span[] = [];
      for (let midnight = Math.floor(from / dayMs) * dayMs; midnight < to; midnight += dayMs) {
        for (const span of scheduleOf(midnight)) {
          const start = Math.max(from, midnight + span.from);
          const end = Math.min(to, midnight + span.to);
          if (start < end) spans.push({ from: start, to: end });
        }
      }
      return spans;
    },
  };
}
