/** The banner's greeting for the hour of the day, and the day in UTC, which all screens count in. */
import { useSyncExternalStore } from 'react';
import { formatClock, formatLongDay } from '../../../shared/time/dates.ts';
import { onEverySecond } from '../../../shared/time/seconds.ts';

const morningFrom = 5;
const afternoonFrom = 12;
const eveningFrom = 18;

/** `hour` is 0 to 23, local time. */
export function getGreeting(hour: number): string {
  if (hour < morningFrom || hour >= eveningFrom) return 'Good evening';
  return hour < afternoonFrom ? 'Good morning' : 'Good afternoon';
}

const readGreeting = () => getGreeting(new Date().getHours());

/** Renders again when the text changes. */
export const useGreeting = (): string => useSyncExternalStore(onEverySecond, readGreeting);

/** Such as `Saturday 21 November, 19:47 UTC`. */
export const formatUtcInstant = (at: number): string =>
  `${formatLongDay(at, 'UTC')}, ${formatClock(at, 'UTC')} UTC`;
