/**
 * Which trades are looked at: those of the last days, today included, whole days on the reader's clock (A78), or all of
 * them. It stands in the URL; what cannot be read there counts as not asked.
 */
export const ranges = [
  { value: '7d', label: '7 d', days: 7, words: 'the last 7 days' },
  { value: '30d', label: '30 d', days: 30, words: 'the last 30 days' },
  { value: '90d', label: '90 d', days: 90, words: 'the last 90 days' },
  { value: 'all', label: 'All', days: null, words: 'all time' },
] as const;
export type Range = (typeof ranges)[number];
export type RangeName = Range['value'];

const fallback = ranges[1];
const rangeParameter = 'range';

export const readRange = (search: URLSearchParams): Range =>
  ranges.find(({ value }) => value === search.get(rangeParameter)) ?? fallback;

export function writeRange(before: URLSearchParams, name: RangeName): URLSearchParams {
  const search = new URLSearchParams(before);
  if (name === fallback.value) search.delete(rangeParameter);
  else search.set(rangeParameter, name);
  return search;
}

/** Midnight at the beginning of the first day, local, as ISO 8601 UTC; null for no bound. The same all day long. */
export function beginOf({ days }: Range, now: number): string | null {
  if (days === null) return null;
  const begin = new Date(now);
  begin.setHours(0, 0, 0, 0);
  // By the calendar: a day may have 23 or 25 hours.
  begin.setDate(begin.getDate() - (days - 1));
  return begin.toISOString();
}
