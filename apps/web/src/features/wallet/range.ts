/**
 * Which entries the history shows: of one type, and of a range of days, both inclusive in the reader's zone (A78). It stands
 * in the URL; what cannot be read there counts as not asked. A first day after the last one yields none.
 */
import { dayOrNull, midnightOf } from '../../shared/time/day-range.ts';
import { type EntryType, entryTypes, type HistoryEntry } from './history.ts';

export interface HistoryFilter {
  readonly type: EntryType | null;
  /** `2026-11-06`, or null. */
  readonly from: string | null;
  readonly to: string | null;
}

const isEntryType = (value: string | null): value is EntryType => entryTypes.some((type) => type === value);

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
