/** Formats the time of an event in UTC, with the weekday unless it is today. */
import { dayMs } from '@fulcrum/domain';
import { formatClock, formatFullDay, formatWeekday } from '../../../shared/time/dates.ts';

/** `at` and `now` in ms since the epoch: '16:00' today, 'Fri 07:00' on another day. */
export function formatUtcTime(at: number, now: number): string {
  const isToday = Math.floor(at / dayMs) === Math.floor(now / dayMs);
  return isToday ? formatClock(at, 'UTC') : `${formatWeekday(at, 'UTC')} ${formatClock(at, 'UTC')}`;
}

/** 'Friday, November 20, 2026, 07:00 UTC'. */
export const formatUtcFull = (at: number): string =>
  `${formatFullDay(at, 'UTC')}, ${formatClock(at, 'UTC')} UTC`;
