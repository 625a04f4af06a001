/**
 * When a market trades. A specification reads `ZONE|Day[-Day] HH:MM-HH:MM;…` in the exchange's local time. 24:00 is
 * allowed as an end, no segment crosses midnight, a range of days does not wrap past Sunday. Invariant: a segment
 * covers its start and not its end on the local clock, whatever daylight saving does. An instant is milliseconds
 * since the epoch.
 *
 * Known limitations: holidays and half days are not known; those of `zones.ts`.
 */
import { minuteMs } from './time.ts';
import { setBounded, type Zone, zoneOf } from './zones.ts';

/** A market that never closes, such as crypto's. */
export const ALWAYS_OPEN = 'UTC|Mon-Sun 00:00-24:00';

/** A specification that cannot be read; a catalogue with one must not be loaded. */
export class TradingHoursError extends Error {
  constructor(specification: string, reason: string) {
    super(`trading hours '${specification}': ${reason}`);
    this.name = 'TradingHoursError';
  }
}

/** Minutes since Monday 00:00 on the local clock; `end` is not part of it. */
interface Segment {
  readonly start: number;
  readonly end: number;
}

/** A market's calendar: determines the trading day of an instant. */
interface TradingCalendar {
  readonly zone: Zone;
  /**
   * Minute of the local day at which the next trading day begins. It is the start of the session that runs over
   * midnight (forex 17:00, futures 18:00). 1440 for a market without one: its trading day is the calendar day.
   */
  readonly rollMinute: number;
}

interface TradingHours {
  readonly segments: readonly Segment[];
  readonly calendar: TradingCalendar;
}

const MINUTES_PER_DAY = 1440;
const MINUTES_PER_WEEK = 7 * MINUTES_PER_DAY;
const MINUTES_PER_QUARTER = 15;
/** A week and a day: a weekly schedule that has not opened by then never does. */
const SEARCH_MINUTES = 8 * MINUTES_PER_DAY;

const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const SEGMENT = /^(\w{3})(?:-(\w{3}))? (\d{2}):(\d{2})-(\d{2}):(\d{2})$/;

/** Monday, 5 January 1970, 00:00. */
const FIRST_MONDAY_MINUTE = 4 * MINUTES_PER_DAY;

/** More than the catalogue's distinct specifications many times over. */
const CACHE_LIMIT = 256;
const parsed = new Map<string, TradingHours>();

function parseSegment(specification: string, text: string): Segment[] {
  const match = SEGMENT.exec(text);
  if (!match) throw new TradingHoursError(specification, `'${text}' is not 'Day[-Day] HH:MM-HH:MM'`);
  const [, firstName = '', lastName = firstName, ...times] = match;
  const first = dayNames.indexOf(firstName);
  const last = dayNames.indexOf(lastName);
  if (first < 0 || last < first)
    throw new TradingHoursError(specification, `'${text}' names no range of days`);
  const [startHour = 0, startMinute = 0, endHour = 0, endMinute = 0] = times.map(Number);
  const start = startHour * 60 + startMinute;
  const end = endHour * 60 + endMinute;
  if (startMinute > 59 || endMinute > 59 || start >= end || end > MINUTES_PER_DAY) {
    throw new TradingHoursError(specification, `'${text}' is not a time span within one day`);
  }
  return Array.from({ length: last - first + 1 }, (_, offset) => {
    const midnight = (first + offset) * MINUTES_PER_DAY;
    return { start: midnight + start, end: midnight + end };
  });
}

function readZone(specification: string, name: string): Zone {
  try {
    return zoneOf(name);
  } catch (cause) {
    if (cause instanceof RangeError) throw new TradingHoursError(specification, `unknown zone '${name}'`);
    throw cause;
  }
}

function read(specification: string): TradingHours {
  return parsed.get(specification) ?? setBounded(parsed, CACHE_LIMIT, specification, parse(specification));
}

function parse(specification: string): TradingHours {
  const bar = specification.indexOf('|');
  if (bar < 1) throw new TradingHoursError(specification, 'no zone');
  const segments = specification
    .slice(bar + 1)
    .split(';')
    .flatMap((text) => parseSegment(specification, text));
  const zone = readZone(specification, specification.slice(0, bar));
  return { segments, calendar: { zone, rollMinute: rollMinuteOf(segments) } };
}

function rollMinuteOf(segments: readonly Segment[]): number {
  // A segment that ends at midnight and begins in the afternoon is the evening part of the next day's session.
  const evenings = segments
    .filter(({ start, end }) => end % MINUTES_PER_DAY === 0 && start % MINUTES_PER_DAY >= MINUTES_PER_DAY / 2)
    .map(({ start }) => start % MINUTES_PER_DAY);
  return Math.min(MINUTES_PER_DAY, ...evenings);
}

/** Minutes since Monday 00:00 on the zone's clock at a minute since the epoch. */
function minuteOfWeek(zone: Zone, epochMinute: number): number {
  const local = epochMinute + zone.offsetAt(epochMinute * minuteMs) / minuteMs;
  const minute = (local - FIRST_MONDAY_MINUTE) % MINUTES_PER_WEEK;
  return minute < 0 ? minute + MINUTES_PER_WEEK : minute;
}

const within = (segments: readonly Segment[], minute: number): boolean =>
  segments.some(({ start, end }) => minute >= start && minute < end);

/** Minutes until the next of `bounds` (minutes of the week) if the local clock runs evenly; always more than zero. */
function minutesTo(bounds: readonly number[], minute: number): number {
  const waits = bounds.map((bound) => (bound - minute + MINUTES_PER_WEEK) % MINUTES_PER_WEEK);
  return Math.min(...waits.map((wait) => (wait === 0 ? MINUTES_PER_WEEK : wait)));
}

/** @throws TradingHoursError when the specification cannot be read. */
export const tradingCalendar = (tradingHours: string): TradingCalendar => read(tradingHours).calendar;

/** Whether the market trades at an instant. @throws TradingHoursError when the specification cannot be read. */
export function isMarketOpen(tradingHours: string, epochMs: number): boolean {
  const { segments, calendar } = read(tradingHours);
  return within(segments, minuteOfWeek(calendar.zone, Math.floor(epochMs / minuteMs)));
}

/**
 * The first instant at or after `epochMs` at which the market is open: `epochMs` itself when it is open already, else a
 * whole minute; null when it does not open within eight days.
 * @throws TradingHoursError when the specification cannot be read.
 */
export function nextOpening(tradingHours: string, epochMs: number): number | null {
  const { segments, calendar } = read(tradingHours);
  const starts = segments.map(({ start }) => start);
  return firstMinute(calendar.zone, epochMs, starts, (local) => within(segments, local));
}

/**
 * The first instant at or after `epochMs` at which the market is shut: `epochMs` itself when it is shut already, else a
 * whole minute; null when it does not close within eight days, as one that never does.
 * @throws TradingHoursError when the specification cannot be read.
 */
export function nextClosing(tradingHours: string, epochMs: number): number | null {
  const { segments, calendar } = read(tradingHours);
  const ends = segments.map(({ end }) => end);
  return firstMinute(calendar.zone, epochMs, ends, (local) => !within(segments, local));
}

/** `bounds`: the minutes of the week at which `holds` may become true while the local clock runs evenly. */
function firstMinute(
  zone: Zone,
  epochMs: number,
  bounds: readonly number[],
  holds: (minuteOfWeek: number) => boolean,
): number | null {
  const from = Math.floor(epochMs / minuteMs);
  if (holds(minuteOfWeek(zone, from))) return epochMs;

  // The local clock runs evenly inside a quarter of an hour, so a bound found there is exact. At its end the loop
  // reads the clock again, because it may have jumped.
  for (let minute = from; minute <= from + SEARCH_MINUTES; ) {
    const local = minuteOfWeek(zone, minute);
    if (holds(local)) return minute * minuteMs;
    const toQuarter = MINUTES_PER_QUARTER - (minute % MINUTES_PER_QUARTER);
    minute += Math.min(toQuarter, minutesTo(bounds, local));
  }
  return null;
}
