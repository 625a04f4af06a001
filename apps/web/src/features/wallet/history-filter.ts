/**
 * The history's filter: a type, and a range of days, both inclusive in the user's time zone (A78). The URL stores
 * it. A first day after the last one matches nothing.
 */
import { type TransactionType, transactionTypes } from '@fulcrum/domain';
import { type Days, isAllDays, isWithinDays, parseDay } from '../../shared/time/day-range.ts';
import { defineUrlState, optionalField } from '../../shared/url-state/index.ts';
import type { HistoryEntry } from './history.ts';

export interface HistoryFilter extends Days {
  readonly type: TransactionType | null;
}

export const historyUrlState = defineUrlState<HistoryFilter>({
  type: optionalField((text) => transactionTypes.find((type) => type === text) ?? null),
  from: optionalField(parseDay),
  to: optionalField(parseDay),
});

export const isFiltered = (filter: HistoryFilter): boolean => filter.type !== null || !isAllDays(filter);

export const filterEntries = (
  entries: readonly HistoryEntry[],
  filter: HistoryFilter,
): readonly HistoryEntry[] =>
  entries.filter(
    (entry) => (filter.type === null || entry.type === filter.type) && isWithinDays(entry.at, filter),
  );
