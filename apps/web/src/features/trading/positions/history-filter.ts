/** The filter of the two histories: a pair, and a range of days by the instant of the last change (A78). */
import { formatDay, formatDayAndMonth } from '../../../shared/time/dates.ts';
import {
  allDays,
  type Days,
  isAllDays,
  isWithinDays,
  toLocalDay,
  toSpan,
} from '../../../shared/time/day-range.ts';

export interface HistoryFilter {
  /** One pair, or null for all. */
  readonly only: string | null;
  readonly days: Days;
}

export const isFiltered = ({ only, days }: HistoryFilter): boolean => only !== null || !isAllDays(days);

/** The rows that match. Returns the same array when nothing is filtered. */
export function filterHistory<Row extends { readonly symbol: string }>(
  rows: readonly Row[],
  filter: HistoryFilter,
  toInstant: (row: Row) => string | null,
): readonly Row[] {
  if (!isFiltered(filter)) return rows;
  const { only, days } = filter;
  return rows.filter((row) => (only === null || row.symbol === only) && isWithinDays(toInstant(row), days));
}

/** The methods of a postgrest-js request that `narrowRequest` needs. */
interface Conditions<Self> {
  eq(column: 'symbol', value: string): Self;
  gte(column: string, value: string): Self;
  lt(column: string, value: string): Self;
}

/** Limits a request to the rows that match, by the column of their instant. */
export function narrowRequest<Request extends Conditions<Request>>(
  request: Request,
  column: string,
  { only, days }: HistoryFilter,
): Request {
  const { start, end } = toSpan(days);
  let narrowed = only === null ? request : request.eq('symbol', only);
  if (start !== null) narrowed = narrowed.gte(column, new Date(start).toISOString());
  if (end !== null) narrowed = narrowed.lt(column, new Date(end).toISOString());
  return narrowed;
}

export interface DaysPreset {
  readonly label: string;
  readonly days: Days;
}

/** The ranges that one press chooses. `7 days` are today and the six before. */
export const daysPresets = (now: Date): readonly DaysPreset[] => [
  { label: 'All days', days: allDays },
  { label: 'Today', days: { from: toLocalDay(now), to: null } },
  { label: '7 days', days: { from: toLocalDay(now, -6), to: null } },
  { label: '30 days', days: { from: toLocalDay(now, -29), to: null } },
];

const isSame = (a: Days, b: Days): boolean => a.from === b.from && a.to === b.to;

/** `7 days`, `6 Nov – 9 Nov`, `From 6 Nov`; with the year of another year. */
export function formatDays(days: Days, now: Date): string {
  const preset = daysPresets(now).find((one) => isSame(one.days, days));
  if (preset) return preset.label;
  const { start, end } = toSpan(days);
  const format = (ms: number) =>
    new Date(ms).getFullYear() === now.getFullYear() ? formatDayAndMonth(ms) : formatDay(ms);
  const first = start === null ? null : format(start);
  // `end` is the midnight after the last day.
  const last = end === null ? null : format(end - 1);
  if (first === null) return `To ${last}`;
  if (last === null) return `From ${first}`;
  return first === last ? first : `${first} – ${last}`;
}
