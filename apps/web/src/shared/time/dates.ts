/**
 * Formats every date and time on screen, from the ISO text of the wire or from ms since the epoch. The zone is the viewer's
 * unless a caller names one. A formatter is created at its first use, because that costs milliseconds.
 */
const neverText = 'Never';
const invalidDateText = 'Invalid date';

type Instant = string | number | null | undefined;
type FormatInstant = (at: Instant, timeZone?: string) => string;

// @__NO_SIDE_EFFECTS__
function defineFormat(locale: 'en-GB' | 'en-US', options: Intl.DateTimeFormatOptions): FormatInstant {
  const formatters = new Map<string | undefined, Intl.DateTimeFormat>();
  return (at, timeZone) => {
    if (at === null || at === undefined || at === '') return neverText;
    const time = new Date(at);
    if (Number.isNaN(time.getTime())) return invalidDateText;
    const formatter = formatters.get(timeZone) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone });
    formatters.set(timeZone, formatter);
    return formatter.format(time);
  };
}

const dayAndMonth = { day: 'numeric', month: 'short' } as const;
const clock = { hour: '2-digit', minute: '2-digit' } as const;
const long = { weekday: 'long', day: 'numeric', month: 'long' } as const;

/** `Nov 06, 2026`. */
export const formatDay = defineFormat('en-US', { month: 'short', day: '2-digit', year: 'numeric' });
/** `Nov 06`. */
export const formatMonthAndDay = defineFormat('en-US', { month: 'short', day: '2-digit' });
/** `Nov 6`. */
export const formatShortDay = defineFormat('en-US', { month: 'short', day: 'numeric' });
/** `Nov 2026`. */
export const formatMonthAndYear = defineFormat('en-US', { month: 'short', year: 'numeric' });
/** `Friday, November 20, 2026`. */
export const formatFullDay = defineFormat('en-US', { dateStyle: 'full' });
/** `Fri`. */
export const formatWeekday = defineFormat('en-US', { weekday: 'short' });
/** `6 Nov`. */
export const formatDayAndMonth = defineFormat('en-GB', dayAndMonth);
/** `Fri 6 Nov`. */
export const formatWeekdayAndDay = defineFormat('en-GB', { ...dayAndMonth, weekday: 'short' });
/** `Saturday 21 November`. */
export const formatLongDay = defineFormat('en-GB', long);
/** `Nov`. */
export const formatMonth = defineFormat('en-GB', { month: 'short' });
/** `14:03`. */
export const formatClock = defineFormat('en-GB', clock);
/** `14:03:22`. */
export const formatClockWithSeconds = defineFormat('en-GB', { ...clock, second: '2-digit' });
/** `6 Nov, 14:03`. */
export const formatDayAndClock = defineFormat('en-GB', { ...dayAndMonth, ...clock });
/** `Fri 6 Nov, 14:03`. */
export const formatWeekdayAndClock = defineFormat('en-GB', { ...dayAndMonth, ...clock, weekday: 'short' });
/** `6 Nov 2026, 14:03`. */
export const formatDatedClock = defineFormat('en-GB', { ...dayAndMonth, ...clock, year: 'numeric' });
/** `Fri, 06 Nov 2026, 14:03:22`. */
export const formatDatedClockWithSeconds = defineFormat('en-GB', {
  ...clock,
  weekday: 'short',
  day: '2-digit',
  month: 'short',
  year: 'numeric',
  second: '2-digit',
});
/** `Friday 20 November at 14:30 GMT`. */
export const formatLongInstant = defineFormat('en-GB', { ...long, ...clock, timeZoneName: 'short' });
