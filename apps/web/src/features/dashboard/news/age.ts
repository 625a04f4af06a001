/** Formats the age of a news item in whole units; seconds are not shown. */
import { minuteMs } from '@fulcrum/domain';

const hourMinutes = 60;
const dayHours = 24;

/** `at` and `now` in ms since the epoch; a time in the future counts as now. */
export function formatAge(at: number, now: number): string {
  const minutes = Math.floor((now - at) / minuteMs);
  if (minutes < 1) return 'now';
  if (minutes < hourMinutes) return `${minutes} min`;
  const hours = Math.floor(minutes / hourMinutes);
  return hours < dayHours ? `${hours} h` : `${Math.floor(hours / dayHours)} d`;
}
