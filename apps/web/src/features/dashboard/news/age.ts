/** How long ago an item came, in whole steps: nobody reads seconds in a list of news. */
const minuteMs = 60_000;
const hourMinutes = 60;
const dayHours = 24;

/** `at` and `now` in ms since the epoch; an item of a clock that runs ahead is of now. */
export function ageText(at: number, now: number): string {
  const minutes = Math.floor((now - at) / minuteMs);
  if (minutes < 1) return 'now';
  if (minutes < hourMinutes) return `${minutes} min`;
  const hours = Math.floor(minutes / hourMinutes);
  return hours < dayHours ? `${hours} h` : `${Math.floor(hours / dayHours)} d`;
}
