/** Formats dates as 'MMM dd, yyyy' in the viewer's zone, from the UTC ISO text of the wire. */
const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: '2-digit', year: 'numeric' });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hour12: false });

export const neverText = 'Never';
export const invalidDateText = 'Invalid date';

const format = (iso: string | null | undefined, formatter: Intl.DateTimeFormat): string => {
  if (iso === null || iso === undefined || iso === '') return neverText;
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? invalidDateText : formatter.format(time);
};

export const formatDay = (iso: string | null | undefined): string => format(iso, day);
export const formatClock = (iso: string | null | undefined): string => format(iso, clock);
