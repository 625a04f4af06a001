/** Formats the time of an event in UTC, with the weekday unless it is today. */
import { dayMs } from '@fulcrum/domain';

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' });
const date = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' });

/** `at` and `now` in ms since the epoch: '16:00' today, 'Fri 07:00' on another day. */
export function formatUtcTime(at: number, now: number): string {
  const isToday = Math.floor(at / dayMs) === Math.floor(now / dayMs);
  return isToday ? clock.format(at) : `${weekday.format(at)} ${clock.format(at)}`;
}

/** 'Friday, November 20, 2026, 07:00 UTC'. */
export const formatUtcFull = (at: number): string => `${date.format(at)}, ${clock.format(at)} UTC`;
