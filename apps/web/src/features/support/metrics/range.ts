/**
 * The days of the figures: today, or the last days including today, as whole days in the user's time zone. The URL
 * contains the range; an unreadable value counts as the default.
 */
export const ranges = [
  { value: 'today', label: 'Today', days: 1, phrase: 'today' },
  { value: '7d', label: '7 days', days: 7, phrase: 'the last 7 days' },
  { value: '30d', label: '30 days', days: 30, phrase: 'the last 30 days' },
] as const;
export type Range = (typeof ranges)[number];
export type RangeName = Range['value'];

const [fallback] = ranges;
const rangeParameter = 'range';

export const parseRange = (search: URLSearchParams): Range =>
  ranges.find(({ value }) => value === search.get(rangeParameter)) ?? fallback;

export function withRange(before: URLSearchParams, name: RangeName): URLSearchParams {
  const search = new URLSearchParams(before);
  if (name === fallback.value) search.delete(rangeParameter);
  else search.set(rangeParameter, name);
  return search;
}

/** From the midnight at the range's start to the one that ends today, ISO 8601 UTC. Constant for the whole day. */
export function getRangeBounds({ days }: Pick<Range, 'days'>, now: number): { from: string; to: string } {
  const midnight = (ahead: number): string => {
    const day = new Date(now);
    day.setHours(0, 0, 0, 0);
    // By the calendar, because a day may have 23 or 25 hours.
    day.setDate(day.getDate() + ahead);
    return day.toISOString();
  };
  return { from: midnight(1 - days), to: midnight(1) };
}
