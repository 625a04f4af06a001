/**
 * The range of the metrics page: the last days including today, or all (METR-01 to METR-03). Days are UTC, as on the server, so
 * that charts and table show the same rows. The URL stores the range; an invalid one counts as the default.
 */
import { dayMs } from '@fulcrum/domain';
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

export const parseRange = (search: URLSearchParams): Range =>
  ranges.find(({ value }) => value === search.get(rangeParameter)) ?? fallback;

/** URL parameters of another range, which starts at its first page. */
export function toRangeParams(name: RangeName): URLSearchParams {
  return new URLSearchParams(name === fallback.value ? {} : { [rangeParameter]: name });
}

/** `YYYY-MM-DD`, UTC. */
export const toUtcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Midnight UTC at the start of the first day, ISO 8601; null without a bound. The value is the same all day. */
export const getRangeStart = ({ days }: Range, now: number): string | null =>
  days === null ? null : `${toUtcDay(now - (days - 1) * dayMs)}T00:00:00.000Z`;
