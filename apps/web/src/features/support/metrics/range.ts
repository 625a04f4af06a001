/**
 * The days of the figures: today, or the last days including today, as whole days in the user's time zone. The URL
 * stores the range.
 */
import { getLocalDayStart } from '../../../shared/time/day-range.ts';
import { defineUrlState, optionField } from '../../../shared/url-state/index.ts';

export const ranges = [
  { value: 'today', label: 'Today', days: 1, phrase: 'today' },
  { value: '7d', label: '7 days', days: 7, phrase: 'the last 7 days' },
  { value: '30d', label: '30 days', days: 30, phrase: 'the last 30 days' },
] as const;
export type Range = (typeof ranges)[number];
export type RangeName = Range['value'];

export const rangeUrlState = defineUrlState({ range: optionField<Range>(ranges, ranges[0]) });

/** From the midnight at the range's start to the one that ends today, ISO 8601 UTC. Constant for the whole day. */
export const getRangeBounds = (
  { days }: Pick<Range, 'days'>,
  now: number,
): { readonly from: string; readonly to: string } => ({
  from: getLocalDayStart(now, 1 - days),
  to: getLocalDayStart(now, 1),
});
