/** All calendar days of a range, with or without trades: a day without closed trades is an empty bar. */
import { dayMs } from '@fulcrum/domain';
import { formatDayAndMonth, formatWeekdayAndDay } from '../../shared/time/dates.ts';
export interface DaySum {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly trades: number;
  readonly net_pnl: number;
}

const dateLength = 'YYYY-MM-DD'.length;
/** The server's limit of days. */
const daysMax = 366;

const toDayNumber = (day: string): number => Math.round(Date.parse(`${day}T00:00:00Z`) / dayMs);
const toDayName = (number: number): string => new Date(number * dayMs).toISOString().slice(0, dateLength);

/** The day in local time. */
export function localDay(at: number): string {
  const date = new Date(at);
  return toDayName(Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / dayMs));
}

/**
 * Every day from `first` (or the first with a trade, when that is null) to `last`, at most the latest 366. `tradeDays` is
 * oldest first. Empty when there is neither.
 */
export function fillCalendar(
  tradeDays: readonly DaySum[],
  first: string | null,
  last: string,
): readonly DaySum[] {
  const begin = first ?? tradeDays[0]?.day;
  if (begin === undefined) return [];
  const sums = new Map(tradeDays.map((sum) => [sum.day, sum]));
  const to = Math.max(toDayNumber(last), toDayNumber(tradeDays.at(-1)?.day ?? last));
  const from = Math.max(toDayNumber(begin), to - daysMax + 1);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => {
    const day = toDayName(from + index);
    return sums.get(day) ?? { day, trades: 0, net_pnl: 0 };
  });
}

/** Such as `16 Nov`. */
export const formatDayTick = (day: string): string => formatDayAndMonth(day, 'UTC');
/** Such as `Mon 16 Nov`. */
export const formatDayLabel = (day: string): string => formatWeekdayAndDay(day, 'UTC');
