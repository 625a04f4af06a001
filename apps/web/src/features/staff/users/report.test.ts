import { expect, test } from 'vitest';
import type { ReportRow } from './bulk.ts';
import { formatSummary, outcomeLabel, refusedIds, sortByOutcome, toBulkAction } from './report.ts';

const row = (id: string, outcome: ReportRow['outcome']): ReportRow => ({
  user_id: id,
  username: id,
  outcome,
  message: null,
});
const rows = [
  row('a', 'done'),
  row('b', 'refused'),
  row('c', 'unchanged'),
  row('d', 'refused'),
  row('e', 'done'),
];

test('refused users come first and can be selected again', () => {
  expect(sortByOutcome(rows).map(({ user_id }) => user_id)).toEqual(['b', 'd', 'c', 'a', 'e']);
  expect(refusedIds(rows)).toEqual(['b', 'd']);
});

test('the summary counts every outcome', () => {
  expect(formatSummary(rows, 'restrict')).toBe('2 users restricted, 1 unchanged, 2 refused.');
  expect(formatSummary([row('a', 'done')], 'lift')).toBe('1 user may trade again.');
  expect(formatSummary([row('a', 'refused')], 'assign')).toBe('0 users changed, 1 refused.');
  expect(outcomeLabel('done', 'lift')).toBe('May trade again');
});

test('members of a class who get another one are moved, other users are added', () => {
  const texts = (isInClass: boolean) => {
    const action = toBulkAction('class', isInClass);
    return [formatSummary(rows, action), outcomeLabel('done', action)];
  };
  expect(texts(true)).toEqual(['2 users moved, 1 unchanged, 2 refused.', 'Moved']);
  expect(texts(false)).toEqual(['2 users added, 1 unchanged, 2 refused.', 'Added']);
  expect(toBulkAction('reset', true)).toBe('reset');
});
