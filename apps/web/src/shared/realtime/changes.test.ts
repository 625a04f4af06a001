import { describe, expect, test } from 'vitest';
import type { Position } from '../supabase/rows.ts';
import { applyToClosed, applyToOpen, closedListLimit, hasGap, newest } from './changes.ts';

const position = (id: string, version: number, status: Position['status'] = 'open') =>
  ({ id, version, status }) as Position;

describe('account versions', () => {
  test('the rows of one change share a version, so only a skipped one is a gap', () => {
    expect(hasGap(undefined, 7)).toBe(false);
    expect(hasGap(7, 7)).toBe(false);
    expect(hasGap(7, 8)).toBe(false);
    expect(hasGap(7, 9)).toBe(true);
  });
  test('a late event does not bring back an older row', () => {
    const held = position('a', 3);
    expect(newest(held, position('a', 2))).toBe(held);
    expect(newest(held, position('a', 4)).version).toBe(4);
    expect(newest(null, held)).toBe(held);
  });
});

describe('positions', () => {
  test('an opened position comes first, a repeated event changes nothing', () => {
    const open = [position('a', 1)];
    const after = applyToOpen(open, position('b', 1));
    expect(after.map((one) => one.id)).toEqual(['b', 'a']);
    expect(applyToOpen(after, position('b', 1))).toBe(after);
  });
  test('a closed position leaves the open list and leads the closed one', () => {
    const open = [position('a', 1), position('b', 1)];
    const row = position('b', 2, 'closed');
    expect(applyToOpen(open, row).map((one) => one.id)).toEqual(['a']);
    expect(applyToClosed([position('c', 2, 'closed')], row).map((one) => one.id)).toEqual(['b', 'c']);
    expect(applyToClosed([row], row)).toEqual([row]);
  });
  test('the live closed list is bounded', () => {
    const closed = Array.from({ length: closedListLimit }, (_, index) => position(`${index}`, 2, 'closed'));
    expect(applyToClosed(closed, position('new', 2, 'closed'))).toHaveLength(closedListLimit);
  });
});
