import { expect, test } from 'vitest';
import { differing, inPlace } from './useHeldRows.ts';

const row = (id: number, balance = 0) => ({ id, balance });

test('held rows keep their order, take over figures, and none comes or goes', () => {
  const shown = inPlace([row(3, 1), row(2, 1), row(1, 1)], [row(4, 9), row(1, 7), row(3, 8)]);
  expect(shown).toEqual([row(3, 8), row(2, 1), row(1, 7)]);
});

test('what came and what went is counted, a new order is not', () => {
  expect(differing([row(1), row(2)], [row(2), row(1)])).toBe(0);
  expect(differing([row(1), row(2)], [row(2), row(3), row(4)])).toBe(3);
});
