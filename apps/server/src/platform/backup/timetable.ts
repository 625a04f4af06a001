/** When backups are due: times of the day in UTC, as minutes since midnight, in ascending order and at least one. */
import { dayMs, minuteMs } from '@fulcrum/domain';

const instantsAround = (times: readonly number[], now: number): number[] => {
  const midnight = Math.floor(now / dayMs) * dayMs;
  return [-1, 0, 1].flatMap((day) => times.map((minute) => midnight + day * dayMs + minute * minuteMs));
};

/** The latest instant at or before `now` at which a backup was due. */
export const lastDue = (times: readonly number[], now: number): number =>
  Math.max(...instantsAround(times, now).filter((at) => at <= now));

/** The first instant after `now` at which a backup is due. */
export const nextDue = (times: readonly number[], now: number): number =>
  Math.min(...instantsAround(times, now).filter((at) => at > now));

/** Age from which the newest backup is too old: a quarter more than the longest pause, 30 h for one a day. */
export function ageMaxMs(times: readonly number[]): number {
  const [first = 0] = times;
  const pauses = times.map((minute, n) => (times[n + 1] ?? first + dayMs / minuteMs) - minute);
  return Math.max(...pauses) * minuteMs * 1.25;
}
