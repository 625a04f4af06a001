/**
 * The range of the metrics page: the last days including today, or all (METR-01 to METR-03). Days are UTC, as on the server, so
 * that charts and table show the same rows. The URL stores the range.
 */
import { dayMs } from '@fulcrum/domain';
import { defineUrlState, optionField } from '../../../shared/url-state/index.ts';

export const ranges = [
  { value: '7d', label: 'Last 7 Days', days: 7 },
  { value: '30d', label: 'Last 30 Days', days: 30 },
  { value: '90d', label: 'Last 90 Days', days: 90 },
  { value: 'all', label: 'All Time', days: null },
] as const;
export type Range = (typeof ranges)[number];
export type RangeName = Range['value'];

export const rangeUrlState = defineUrlState({ range: optionField<Range>(ranges, ranges[3]) });

/** `YYYY-MM-DD`, UTC. */
export const toUtcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Midnight UTC at the start of the first day, ISO 8601; null without a bound. The value is the same all day. */
export const getRangeStart = ({ days }: Range, now: number): string | null =>
  days === null ? null : `${toUtcDay(now - (days - 1) * dayMs)}T00:00:00.000Z`;
