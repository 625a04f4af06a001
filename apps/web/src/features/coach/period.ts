/** The periods of a review, as whole days in the user's time zone (A78). A week begins on Monday. The address stores the choice. */
import { dayMs } from '@fulcrum/domain';
import { getLocalDayStart } from '../../shared/time/day-range.ts';
import { defineUrlState, optionField } from '../../shared/url-state/index.ts';

export const periods = [
  { value: 'week', label: 'This week', phrase: 'this week' },
  { value: 'last-week', label: 'Last week', phrase: 'last week' },
  { value: '31d', label: '31 d', phrase: 'in the last 31 days' },
] as const;
export type Period = (typeof periods)[number];
export type PeriodName = Period['value'];

export const periodUrlState = defineUrlState({ period: optionField<Period>(periods, periods[0]) });

/** The longest period that the server reviews, days. */
const daysMax = 31;
const weekDays = 7;
const sunday = 6;

export interface Span {
  /** ISO 8601 UTC; `to` is not included. */
  readonly from: string;
  readonly to: string;
}

/** Constant for the whole day. Where clocks change within the period, it ends an hour early rather than being refused. */
export function spanOf({ value }: Period, now: number): Span {
  const sinceMonday = (new Date(now).getDay() + sunday) % weekDays;
  const days = (from: number, to: number): Span => {
    const start = getLocalDayStart(now, from);
    const end = Math.min(Date.parse(getLocalDayStart(now, to)), Date.parse(start) + daysMax * dayMs);
    return { from: start, to: new Date(end).toISOString() };
  };
  switch (value) {
    case 'week':
      return days(-sinceMonday, weekDays - sinceMonday);
    case 'last-week':
      return days(-sinceMonday - weekDays, -sinceMonday);
    case '31d':
      return days(1 - daysMax, 1);
  }
}
