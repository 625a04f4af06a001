/**
 * Which days the figures and the transactions are of (METR-01 to METR-03): the last ones with today, or all of them. Days are UTC, as
 * the house counts them, so that the charts and the table beneath them are of the same rows. It stands in the URL; what cannot be
 * read there counts as not asked.
 */
export const ranges = [
  { value: '7d', label: 'Last 7 Days', days: 7 },
  { value: '30d', label: 'Last 30 Days', days: 30 },
  { value: '90d', label: 'Last 90 Days', days: 90 },
  { value: 'all', label: 'All Time', days: null },
] as const;
export type Range = (typeof ranges)[number];
export type RangeName = Range['value'];

const fallback = ranges[3];
export const rangeParameter = 'range';
const dayMs = 86_400_000;

export const readRange = (search: URLSearchParams): Range =>
  ranges.find(({ value }) => value === search.get(rangeParameter)) ?? fallback;

/** Another range begins at its first page. */
export function writeRange(name: RangeName): URLSearchParams {
  return new URLSearchParams(name === fallback.value ? {} : { [rangeParameter]: name });
}

/** `YYYY-MM-DD`, UTC. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Midnight UTC at the beginning of the first day, ISO 8601; null for no bound. The same all day long. */
export const beginOf = ({ days }: Range, now: number): string | null =>
  days === null ? null : `${dayOf(now - (days - 1) * dayMs)}T00:00:00.000Z`;
