/**
 * The range of trades: the last days including today, as whole days in the user's time zone (A78), or all trades. The
 * URL contains it; an unreadable value counts as the default.
 */
export const ranges = [
  { value: '7d', label: '7 d', days: 7, phrase: 'the last 7 days' },
  { value: '30d', label: '30 d', days: 30, phrase: 'the last 30 days' },
  { value: '90d', label: '90 d', days: 90, phrase: 'the last 90 days' },
  { value: 'all', label: 'All', days: null, phrase: 'all time' },
] as const;
export type Range = (typeof ranges)[number];
export type RangeName = Range['value'];

const fallback = ranges[1];
const rangeParameter = 'range';

export const parseRange = (search: URLSearchParams): Range =>
  ranges.find(({ value }) => value === search.get(rangeParameter)) ?? fallback;

export function withRange(before: URLSearchParams, name: RangeName): URLSearchParams {
  const search = new URLSearchParams(before);
  if (name === fallback.value) search.delete(rangeParameter);
  else search.set(rangeParameter, name);
  return search;
}

/**
 * Midnight at the beginning of the first day, local, as ISO 8601 UTC; null for no bound. Constant for the whole day.
 */
export function getRangeStart({ days }: Range, now: number): string | null {
  if (days === null) return null;
  const begin = new Date(now);
  begin.setHours(0, 0, 0, 0);
  // By the calendar, because a day may have 23 or 25 hours.
  begin.setDate(begin.getDate() - (days - 1));
  return begin.toISOString();
}
