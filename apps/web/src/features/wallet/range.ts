/**
 * Which entries the history shows: of one type, and of a range of days, both inclusive in the reader's zone (A78). It stands
 * in the URL; what cannot be read there counts as not asked. A first day after the last one yields none.
 */
import { type EntryType, entryTypes, type HistoryEntry } from './history.ts';

export interface HistoryFilter {
  readonly type: EntryType | null;
  /** `2026-11-06`, or null. */
  readonly from: string | null;
  readonly to: string | null;
}

const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Midnight at the beginning of the day `later` days after that one, local; ms since epoch. Null for no day. */
function midnightOf(day: string | null, later = 0): number | null {
  const [, year, month, date] = dayPattern.exec(day ?? '') ?? [];
  if (year === undefined || month === undefined || date === undefined) return null;
  const at = new Date(Number(year), Number(month) - 1, Number(date));
  // 31 February is no day.
  if (at.getMonth() !== Number(month) - 1 || at.getDate() !== Number(date)) return null;
  at.setDate(at.getDate() + later);
  return at.getTime();
}

const isEntryType = (value: string | null): value is EntryType => entryTypes.some((type) => type === value);
const dayOrNull = (value: string | null): string | null => (midnightOf(value) === null ? null : value);

export function readFilter(search: URLSearchParams): HistoryFilter {
  const type = search.get('type');
  return {
    type: isEntryType(type) ? type : null,
    from: dayOrNull(search.get('from')),
    to: dayOrNull(search.get('to')),
  };
}

export const isFiltered = ({ type, from, to }: HistoryFilter): boolean =>
  type !== null || from !== null || to !== null;

export function matching(
  entries: readonly HistoryEntry[],
  { type, from, to }: HistoryFilter,
): readonly HistoryEntry[] {
  const [start, end] = [
    midnightOf(from) ?? Number.NEGATIVE_INFINITY,
    midnightOf(to, 1) ?? Number.POSITIVE_INFINITY,
  ];
  const isWithin = (iso: string | null) => {
    if (iso === null) return from === null && to === null;
    const at = Date.parse(iso);
    return at >= start && at < end;
  };
  return entries.filter((entry) => (type === null || entry.type === type) && isWithin(entry.at));
}
