/**
 * The clocks of time zones, for hours and bars. Callers convert millions of instants, mostly near each other, and a
 * lookup in the runtime's zone tables is expensive. A week without a change therefore takes one lookup.
 *
 * Known limitations: a zone changes its offset on quarters of an hour UTC, and not twice within one week, which holds
 * for every zone of the catalogue since 1970.
 */
import { dayMs, minuteMs } from './time.ts';

export interface Zone {
  readonly name: string;
  /** How far the zone's clock is ahead of UTC at an instant (ms since the epoch), in ms; a whole number of minutes. */
  offsetAt(instant: number): number;
}

const QUARTER_MS = 900_000;
const WEEK_DAYS = 7;
/** Eleven years; the oldest entry leaves first. */
const DAYS_CACHED_MAX = 4_096;
/** More than the catalogue's zones many times over. */
const ZONES_CACHED_MAX = 256;
const zones = new Map<string, Zone>();

const OFFSET = /^GMT(?:([+-])(\d{2}):(\d{2})(?::\d{2})?)?$/;

/** Sets an entry of a cache that holds `limit` of them; the oldest leaves first. */
export function setBounded<K, V>(cache: Map<K, V>, limit: number, key: K, value: V): V {
  const oldest = cache.size >= limit ? cache.keys().next() : undefined;
  if (oldest && !oldest.done) cache.delete(oldest.value);
  cache.set(key, value);
  return value;
}

/** @throws RangeError when the runtime knows no zone of that name */
export function zoneOf(name: string): Zone {
  return zones.get(name) ?? setBounded(zones, ZONES_CACHED_MAX, name, createZone(name));
}

function createZone(name: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  /** Offset by UTC day; null on a day with a change in it. */
  const days = new Map<number, number | null>();
  /** Offset at the beginning of a week, which is one of seven days since the epoch. */
  const weeks = new Map<number, number>();
  let latestDay = Number.NaN;
  let latestOfDay: number | null = 0;
  let latestQuarter = Number.NaN;
  let latestOfQuarter = 0;

  function lookUp(instant: number): number {
    const text = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const match = OFFSET.exec(text);
    if (!match) throw new RangeError(`the zone '${name}' has an offset that cannot be read: '${text}'`);
    const [, sign, hours = 0, minutes = 0] = match;
    const offset = (Number(hours) * 60 + Number(minutes)) * minuteMs;
    return sign === '-' ? -offset : offset;
  }

  function lookUpWeek(week: number): number {
    return weeks.get(week) ?? setBounded(weeks, DAYS_CACHED_MAX, week, lookUp(week * WEEK_DAYS * dayMs));
  }

  function lookUpDay(day: number): number | null {
    const week = Math.floor(day / WEEK_DAYS);
    const ofWeek = lookUpWeek(week);
    if (ofWeek === lookUpWeek(week + 1)) return setBounded(days, DAYS_CACHED_MAX, day, ofWeek);
    const first = lookUp(day * dayMs);
    return setBounded(days, DAYS_CACHED_MAX, day, first === lookUp((day + 1) * dayMs) ? first : null);
  }

  return {
    name,
    offsetAt(instant) {
      const day = Math.floor(instant / dayMs);
      if (day !== latestDay) {
        const known = days.get(day);
        latestOfDay = known === undefined ? lookUpDay(day) : known;
        latestDay = day;
      }
      if (latestOfDay !== null) return latestOfDay;
      const quarter = Math.floor(instant / QUARTER_MS);
      if (quarter !== latestQuarter) {
        latestOfQuarter = lookUp(quarter * QUARTER_MS);
        latestQuarter = quarter;
      }
      return latestOfQuarter;
    },
  };
}
