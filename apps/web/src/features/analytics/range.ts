/**
 * The range of trades: the last days including today, as whole days in the user's time zone (A78), or all trades. The
 * URL stores it.
 */
import { getLocalDayStart } from '../../shared/time/day-range.ts';
import { defineUrlState, optionField } from '../../shared/url-state/index.ts';
import { tradeSelectionField } from './trade-selection.ts';

export const ranges = [
  { value: '7d', label: '7 d', days: 7, phrase: 'the last 7 days' },
  { value: '30d', label: '30 d', days: 30, phrase: 'the last 30 days' },
  { value: '90d', label: '90 d', days: 90, phrase: 'the last 90 days' },
  { value: 'all', label: 'All', days: null, phrase: 'all time' },
] as const;
export type Range = (typeof ranges)[number];
export type RangeName = Range['value'];

export const analyticsUrlState = defineUrlState({
  range: optionField<Range>(ranges, ranges[1]),
  selection: tradeSelectionField,
});

/**
 * Midnight at the beginning of the first day, local, as ISO 8601 UTC; null for no bound. Constant for the whole day.
 */
export const getRangeStart = ({ days }: Range, now: number): string | null =>
  days === null ? null : getLocalDayStart(now, 1 - days);
