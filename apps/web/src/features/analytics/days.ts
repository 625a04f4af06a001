/** The days of a calendar between two of them, with or without trades: a day on which nothing was closed is a gap, not nothing. */
export interface DaySum {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly trades: number;
  readonly net_pnl: number;
}

const dayMs = 86_400_000;
const dateLength = 'YYYY-MM-DD'.length;
/** As many as the server tells of. */
const daysMax = 366;

const numberOf = (day: string): number => Math.round(Date.parse(`${day}T00:00:00Z`) / dayMs);
const nameOf = (number: number): string => new Date(number * dayMs).toISOString().slice(0, dateLength);

/** The day that a clock here shows. */
export function localDay(at: number): string {
  const date = new Date(at);
  return nameOf(Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / dayMs));
}

/**
 * Every day from `first` (or the first with a trade, when that is null) to `last`, at most the latest 366. `told` is oldest first.
 * Empty when there is neither.
 */
export function calendarOf(told: readonly DaySum[], first: string | null, last: string): readonly DaySum[] {
  const begin = first ?? told[0]?.day;
  if (begin === undefined) return [];
  const sums = new Map(told.map((sum) => [sum.day, sum]));
  const to = Math.max(numberOf(last), numberOf(told.at(-1)?.day ?? last));
  const from = Math.max(numberOf(begin), to - daysMax + 1);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => {
    const day = nameOf(from + index);
    return sums.get(day) ?? { day, trades: 0, net_pnl: 0 };
  });
}

const label = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const tick = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
/** `16 Nov`. */
export const tickOfDay = (day: string): string => tick.format(numberOf(day) * dayMs);
/** `Mon 16 Nov`. */
export const wordsOfDay = (day: string): string => label.format(numberOf(day) * dayMs);
