import type { TransactionType } from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import type { HistoryEntry } from './history.ts';
import { filterEntries, historyUrlState, isFiltered } from './history-filter.ts';

const entry = (id: string, at: Date, type: TransactionType = 'position_closed'): HistoryEntry => ({
  id,
  at: at.toISOString(),
  type,
  amount: 1,
  status: 'completed',
  description: id,
  trade: null,
  staff: null,
});
const entries = [
  entry('late', new Date(2026, 10, 7, 0, 0)),
  entry('last', new Date(2026, 10, 6, 23, 59, 59)),
  entry('first', new Date(2026, 10, 5, 0, 0), 'deposit'),
  entry('early', new Date(2026, 10, 4, 23, 59, 59)),
];
const shown = (search: string) =>
  filterEntries(entries, historyUrlState.parse(new URLSearchParams(search))).map(({ id }) => id);

describe('A78: the range of the history', () => {
  test('both days are inclusive, in the local zone', () => {
    expect(shown('from=2026-11-05&to=2026-11-06')).toEqual(['last', 'first']);
    expect(shown('from=2026-11-06')).toEqual(['late', 'last']);
    expect(shown('to=2026-11-04')).toEqual(['early']);
  });
  test('a first day after the last one matches nothing', () => {
    expect(shown('from=2026-11-07&to=2026-11-05')).toEqual([]);
  });
  test('type and range combine; unreadable values are ignored', () => {
    expect(shown('type=deposit&from=2026-11-05')).toEqual(['first']);
    expect(shown('type=bribe&from=2026-02-31&to=soon')).toHaveLength(4);
    expect(isFiltered(historyUrlState.parse(new URLSearchParams('type=bribe&from=x')))).toBe(false);
  });
});
