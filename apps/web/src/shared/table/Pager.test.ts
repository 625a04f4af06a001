import { expect, test } from 'vitest';
import { rangeLabel } from './Pager.tsx';

test.each([
  [1, 0, '0 orders'],
  [1, 1, '1 order'],
  [1, 12, '12 orders'],
  [1, 1234, '1–50 of 1,234'],
  [25, 1234, '1,201–1,234 of 1,234'],
  [26, 1234, 'None of 1,234'],
])('page %i of %i has the label %s', (page, total, label) => {
  expect(rangeLabel({ what: 'orders', one: 'order', page, pageRows: 50, total })).toBe(label);
});

test('a capped count is marked', () => {
  const props = { what: 'positions', one: 'position', page: 1, pageRows: 50, total: 10_000, isMore: true };
  expect(rangeLabel(props)).toBe('1–50 of 10,000+');
});
