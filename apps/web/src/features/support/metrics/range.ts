/**
 * Which days the figures are of: today, or the last ones with it, whole days on the reader's clock. It stands in the URL; what
 * cannot be read there counts as not asked.
 */
export const ranges = [
  { value: 'today', label: 'Today', days: 1, words: 'today' },
  { value: '7d', label: '7 days', days: 7, words: 'the last 7 days' },
  { value: '30d', label: '30 days', days: 30, words: 'the last 30 days' },
] as const;
export type Range = (typeof ranges)[number];
export type RangeName = Range['value'];

const [fallback] = ranges;
const rangeParameter = 'range';

export const readRange = (search: URLSearchParams): Range =>
  ranges.find(({ value }) => value === search.get(rangeParameter)) ?? fallback;

export function writeRange(before: URLSearchParams, name: RangeName): URLSearchParams {
  const search = new URLSearchParams(before);
  if (name === fallback.value) search.delete(rangeParameter);
  else search.set(rangeParameter, name);
  return search;
}

/** From the midnight that begins the range to the one that ends today, ISO 8601 UTC. The same all day long. */
export function boundsOf({ days }: Pick<Range, 'days'>, now: number): { from: string; to: string } {
  const midnight = (ahead: number): string => {
    const day = new Date(now);
    day.setHours(0, 0, 0, 0);
    // By the calendar: a day may have 23 or 25 hours.
    day.setDate(day.getDate() + ahead);
    return day.toISOString();
  };
  return { from: midnight(1 - days), to: midnight(1) };
}
