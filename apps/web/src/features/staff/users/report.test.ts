import { expect, test } from 'vitest';
import type { ReportRow } from './bulk.ts';
import { inReadingOrder, outcomeWord, refusedIds, summary } from './report.ts';

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

test('what was refused is read first, and can be tried again', () => {
  expect(inReadingOrder(rows).map(({ user_id }) => user_id)).toEqual(['b', 'd', 'c', 'a', 'e']);
  expect(refusedIds(rows)).toEqual(['b', 'd']);
});

test('the summary counts every outcome that there was', () => {
  expect(summary(rows, 'restrict')).toBe('2 users restricted, 1 unchanged, 2 refused.');
  expect(summary([row('a', 'done')], 'lift')).toBe('1 user may trade again.');
  expect(summary([row('a', 'refused')], 'assign')).toBe('0 users changed, 1 refused.');
  expect(outcomeWord('done', 'lift')).toBe('May trade again');
});
