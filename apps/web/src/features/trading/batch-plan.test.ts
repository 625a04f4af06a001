import { describe, expect, test } from 'vitest';
import type { Outcome } from './batch.ts';
import { buildPlan, formatOutcome, getSendable } from './batch-plan.ts';

const item = (id: string) => ({ id });
const [a, b, c, d] = [item('a'), item('b'), item('c'), item('d')] as const;
const none = new Map<string, Outcome<string>>();
const plan = (
  selected: readonly { id: string }[],
  live: readonly { id: string }[],
  outcomes: ReadonlyMap<string, Outcome<string>> = none,
  blocked = '',
) => buildPlan({ selected, live, outcomes, isBlocked: ({ id }) => id === blocked });

describe('a batch confirmation', () => {
  test('covers the rows it listed: later ones are left out, gone ones are listed as gone', () => {
    const rows = plan([a, b], [b, c]);
    expect(rows.map(({ item: { id }, kind }) => [id, kind])).toEqual([
      ['a', 'gone'],
      ['b', 'ready'],
    ]);
    expect(getSendable(rows)).toEqual([b]);
  });
  test('skips rows that are blocked now', () => {
    const rows = plan([a, b], [a, b], none, 'b');
    expect(rows[1]?.kind).toBe('blocked');
    expect(getSendable(rows)).toEqual([a]);
  });
  test('sends again only what failed', () => {
    const outcomes = new Map<string, Outcome<string>>([
      ['a', { kind: 'done', done: 'x' }],
      ['b', { kind: 'failed', reason: 'Price is stale.' }],
      ['c', { kind: 'pending' }],
    ]);
    const rows = plan([a, b, c, d], [b, c, d], outcomes);
    expect(rows.map(({ kind }) => kind)).toEqual(['done', 'failed', 'pending', 'ready']);
    expect(getSendable(rows)).toEqual([b, d]);
  });
  test('a lost answer does not send a row again that is gone', () => {
    const outcomes = new Map<string, Outcome<string>>([['a', { kind: 'failed', reason: 'no answer' }]]);
    expect(getSendable(plan([a], [], outcomes))).toEqual([]);
  });
  test('lists each outcome by name and reason', () => {
    const failed = (reason: string) => ({ kind: 'failed', reason }) as const;
    const done = { kind: 'done', done: 'x' } as const;
    const text = (outcomes: readonly (readonly [string, Outcome<string>])[]) =>
      formatOutcome(plan([a, b, c], [b, c], new Map(outcomes)), 'closed', ({ id }) => id.toUpperCase());
    expect(text([['a', done]])).toBe('1 closed.');
    expect(
      text([
        ['a', done],
        ['b', failed('Stale.')],
      ]),
    ).toBe('1 closed, 1 not: B: Stale.');
    expect(
      text([
        ['b', failed('Stale.')],
        ['c', failed('Stale.')],
      ]),
    ).toBe('0 closed, 2 not: Stale.');
    expect(
      text([
        ['b', failed('Stale.')],
        ['c', failed('Busy.')],
      ]),
    ).toBe('0 closed, 2 not.');
  });
});
