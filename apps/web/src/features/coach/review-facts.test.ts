import { dayMs, factNames, hourMs, minuteMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { finalAt, groups, shownGroups } from './review-facts.ts';

const net = { name: 'net', unit: 'money', value: -12.5 } as const;
const r = { name: 'r', unit: 'r', value: -1.01 } as const;

test('A115: a review shows the facts of its sheet and nothing else', () => {
  expect(shownGroups({ facts: [net, r] })).toEqual([
    { title: 'Result', lines: [{ label: 'Net result', fact: net, beside: r }] },
  ]);
  expect(shownGroups({ facts: [] })).toEqual([]);
});

test('A115: every fact has one place', () => {
  const placed = groups.flatMap(({ lines }) =>
    lines.flatMap(({ fact, beside }) => (beside ? [fact, beside] : [fact])),
  );
  expect(placed.toSorted()).toEqual([...factNames].sort());
});

test('a review is final as long after the close as the trade was open, from a quarter of an hour to a day', () => {
  const closed_at = '2026-11-23T10:00:00.000Z';
  const finalOf = (value: number) => {
    const at = finalAt({ closed_at, facts: [{ name: 'held', unit: 'ms', value }] });
    return at === null ? null : new Date(at).toISOString();
  };
  expect(finalOf(minuteMs)).toBe('2026-11-23T10:15:00.000Z');
  expect(finalOf(hourMs)).toBe('2026-11-23T11:00:00.000Z');
  expect(finalOf(7 * dayMs)).toBe('2026-11-24T10:00:00.000Z');
  expect(finalAt({ closed_at, facts: [] })).toBeNull();
});
