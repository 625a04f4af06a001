/**
 * When a market trades. A specification reads `ZONE|Day[-Day] HH:MM-HH:MM;…` in the exchange's local time: 24:00 is
 * allowed as an end, no segment crosses midnight, a range of days does not wrap past Sunday. Invariant: a segment covers
 * its start and not its end, on the local clock, whatever daylight saving does to it; an instant is milliseconds since
 * the epoch.
 *
 * Known limitations: holidays and half days are not known. Offsets are taken to change only on a quarter of an hour UTC,
 * which holds for the zones of the catalogue; elsewhere `nextOpening` may be off by minutes on the day of a change.
 */

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

interface WeekClock {
  readonly format: Intl.DateTimeFormat;
  /** The last minute that was asked for and its answer: a tick storm asks for the same minute over and over. */
  lastMinute: number;
  lastAnswer: number;
}

interface TradingHours {
  readonly segments: readonly Segment[];
  readonly clock: WeekClock;
}

const MS_PER_MINUTE = 60_000;
const MINUTES_PER_DAY = 1440;
const MINUTES_PER_WEEK = 7 * MINUTES_PER_DAY;
const MINUTES_PER_QUARTER = 15;
/** A week and a day: a weekly schedule that has not opened by then never does. */
const SEARCH_MINUTES = 8 * MINUTES_PER_DAY;

const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const SEGMENT = /^(\w{3})(?:-(\w{3}))? (\d{2}):(\d{2})-(\d{2}):(\d{2})$/;

/** More than the catalogue's distinct specifications many times over; the oldest entry leaves first. */
const CACHE_LIMIT = 256;
const parsed = new Map<string, TradingHours>();
const clocks = new Map<string, WeekClock>();

function remember<T>(cache: Map<string, T>, key: string, make: () => T): T {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = make();
  const oldest = cache.size >= CACHE_LIMIT ? cache.keys().next() : undefined;
  if (oldest && !oldest.done) cache.delete(oldest.value);
  cache.set(key, made);
  return made;
}

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

function clockOf(specification: string, zone: string): WeekClock {
  return remember(clocks, zone, () => {
    try {
      const format = new Intl.DateTimeFormat('en-US', {
        timeZone: zone,
        weekday: 'short',
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
      });
      return { format, lastMinute: Number.NaN, lastAnswer: 0 };
    } catch (cause) {
      if (cause instanceof RangeError) throw new TradingHoursError(specification, `unknown zone '${zone}'`);
      throw cause;
    }
  });
}

function read(specification: string): TradingHours {
  return remember(parsed, specification, () => {
    const bar = specification.indexOf('|');
    if (bar < 1) throw new TradingHoursError(specification, 'no zone');
    const segments = specification
      .slice(bar + 1)
      .split(';')
      .flatMap((text) => parseSegment(specification, text));
    return { segments, clock: clockOf(specification, specification.slice(0, bar)) };
  });
}

/** Minutes since Monday 00:00 on the clock's wall at a minute since the epoch. */
function minuteOfWeek(clock: WeekClock, epochMinute: number): number {
  if (clock.lastMinute === epochMinute) return clock.lastAnswer;
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of clock.format.formatToParts(epochMinute * MS_PER_MINUTE)) parts[type] = value;
  const day = dayNames.indexOf(parts.weekday ?? '');
  clock.lastMinute = epochMinute;
  clock.lastAnswer = day * MINUTES_PER_DAY + Number(parts.hour) * 60 + Number(parts.minute);
  return clock.lastAnswer;
}

const within = (segments: readonly Segment[], minute: number): boolean =>
  segments.some(({ start, end }) => minute >= start && minute < end);

/** Minutes until the next start of a segment if the local clock runs evenly; always more than zero. */
function minutesToStart(segments: readonly Segment[], minute: number): number {
  const waits = segments.map(({ start }) => (start - minute + MINUTES_PER_WEEK) % MINUTES_PER_WEEK);
  return Math.min(...waits.map((wait) => (wait === 0 ? MINUTES_PER_WEEK : wait)));
}

/** A market's own calendar: what is needed to tell which trading day an instant belongs to. */
export interface TradingCalendar {
  readonly zone: string;
  /**
   * Minute of the local day at which the next trading day begins: the start of the session that runs over midnight
   * (forex 17:00, futures 18:00); 1440 for a market without one, whose trading day is the calendar day.
   */
  readonly rollMinute: number;
}

/** @throws TradingHoursError when the specification cannot be read. */
export function tradingCalendar(tradingHours: string): TradingCalendar {
  const { segments } = read(tradingHours);
  // A segment that ends at midnight and begins in the afternoon is the evening part of the next day's session.
  const evenings = segments
    .filter(({ start, end }) => end % MINUTES_PER_DAY === 0 && start % MINUTES_PER_DAY >= MINUTES_PER_DAY / 2)
    .map(({ start }) => start % MINUTES_PER_DAY);
  const rollMinute = Math.min(MINUTES_PER_DAY, ...evenings);
  return { zone: tradingHours.slice(0, tradingHours.indexOf('|')), rollMinute };
}

/** Whether the market trades at an instant. @throws TradingHoursError when the specification cannot be read. */
export function isMarketOpen(tradingHours: string, epochMs: number): boolean {
  const { segments, clock } = read(tradingHours);
  return within(segments, minuteOfWeek(clock, Math.floor(epochMs / MS_PER_MINUTE)));
}

/**
 * The first instant at or after `epochMs` at which the market is open: `epochMs` itself when it is open already, else a
 * whole minute; null when it does not open within eight days.
 * @throws TradingHoursError when the specification cannot be read.
 */
export function nextOpening(tradingHours: string, epochMs: number): number | null {
  const { segments, clock } = read(tradingHours);
  const from = Math.floor(epochMs / MS_PER_MINUTE);
  if (within(segments, minuteOfWeek(clock, from))) return epochMs;

  // The local clock runs evenly inside a quarter of an hour, so a start found there is exact; at its end the clock is
  // asked again, which is where it may have jumped.
  for (let minute = from; minute <= from + SEARCH_MINUTES; ) {
    const local = minuteOfWeek(clock, minute);
    if (within(segments, local)) return minute * MS_PER_MINUTE;
    const toQuarter = MINUTES_PER_QUARTER - (minute % MINUTES_PER_QUARTER);
    minute += Math.min(toQuarter, minutesToStart(segments, local));
  }
  return null;
}
