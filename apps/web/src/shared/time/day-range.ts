/** Days of a filter: `2026-11-06`, in the user's zone (A78). */
const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Local midnight at the start of the day `later` days after `day`; ms since epoch. Null for an invalid day. */
export function getLocalMidnight(day: string | null, later = 0): number | null {
  const [, year, month, date] = dayPattern.exec(day ?? '') ?? [];
  if (year === undefined || month === undefined || date === undefined) return null;
  const at = new Date(Number(year), Number(month) - 1, Number(date));
  // Rejects days such as 31 February.
  if (at.getMonth() !== Number(month) - 1 || at.getDate() !== Number(date)) return null;
  at.setDate(at.getDate() + later);
  return at.getTime();
}

/** A range of days, both inclusive; null means no bound. A first day after the last one contains nothing. */
export interface Days {
  readonly from: string | null;
  readonly to: string | null;
}
export const allDays: Days = { from: null, to: null };
export const isAllDays = ({ from, to }: Days): boolean => from === null && to === null;

/** The range as instants, ms since epoch: `start` inclusive, `end` exclusive, null without a bound. */
export const toSpan = ({ from, to }: Days) => ({
  start: getLocalMidnight(from),
  end: getLocalMidnight(to, 1),
});

const toIso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** `toSpan` as ISO 8601. */
export function toIsoSpan(days: Days) {
  const { start, end } = toSpan(days);
  return { start: toIso(start), end: toIso(end) } as const;
}

/** Whether an instant (ISO 8601) lies in the range. One that is not known lies only in all days. */
export function isWithinDays(iso: string | null, days: Days): boolean {
  if (iso === null) return isAllDays(days);
  const { start, end } = toSpan(days);
  const at = Date.parse(iso);
  return (start === null || at >= start) && (end === null || at < end);
}

/** The local day `ahead` days after `now`, such as `2026-11-06`. */
export function toLocalDay(now: Date, ahead = 0): string {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + ahead);
  const parts = [day.getMonth() + 1, day.getDate()].map((part) => `${part}`.padStart(2, '0'));
  return [`${day.getFullYear()}`.padStart(4, '0'), ...parts].join('-');
}

/** Midnight at the start of the local day `ahead` days after `now` (ms since epoch), ISO 8601 UTC. Constant for the whole day. */
export function getLocalDayStart(now: number, ahead: number): string {
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  // By the calendar, because a day may have 23 or 25 hours.
  day.setDate(day.getDate() + ahead);
  return day.toISOString();
}

/** The day, or null when invalid. */
export const parseDay = (value: string | null): string | null =>
  getLocalMidnight(value) === null ? null : value;
