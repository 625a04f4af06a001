/**
 * The history's filter: a type, and a range of days, both inclusive in the user's time zone (A78). The URL stores
 * it. A first day after the last one matches nothing.
 */
import { type TransactionType, transactionTypes } from '@fulcrum/domain';
import { getLocalMidnight, parseDay } from '../../shared/time/day-range.ts';
import { defineUrlState, optionalField } from '../../shared/url-state/index.ts';
import type { HistoryEntry } from './history.ts';

export interface HistoryFilter {
  readonly type: TransactionType | null;
  /** Such as `2026-11-06`, or null. */
  readonly from: string | null;
  readonly to: string | null;
}

export const historyUrlState = defineUrlState<HistoryFilter>({
  type: optionalField((text) => transactionTypes.find((type) => type === text) ?? null),
  from: optionalField(parseDay),
  to: optionalField(parseDay),
});

export const isFiltered = ({ type, from, to }: HistoryFilter): boolean =>
  type !== null || from !== null || to !== null;

export function filterEntries(
  entries: readonly HistoryEntry[],
  { type, from, to }: HistoryFilter,
): readonly HistoryEntry[] {
  const [start, end] = [
    getLocalMidnight(from) ?? Number.NEGATIVE_INFINITY,
    getLocalMidnight(to, 1) ?? Number.POSITIVE_INFINITY,
  ];
  const isWithin = (iso: string | null) => {
    if (iso === null) return from === null && to === null;
    const at = Date.parse(iso);
    return at >= start && at < end;
  };
  return entries.filter((entry) => (type === null || entry.type === type) && isWithin(entry.at));
}
