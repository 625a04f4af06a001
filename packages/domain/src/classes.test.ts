import { expect, test } from 'vitest';
import { attentionOf, type ClassMember } from './classes.ts';
import { dayMs } from './time.ts';

test('a member needs attention for the first rule that applies', () => {
  const now = 100 * dayMs;
  const member = (more: Partial<ClassMember> = {}): ClassMember => ({
    ...{ lastLogin: now, joinedAt: 0, lastTradeAt: now, returnPct: 0, equity: 1000, openRisk: 0 },
    ...more,
  });
  const of = (more: Partial<ClassMember>) => attentionOf(member(more), now);
  expect(of({})).toBeNull();
  expect(of({ lastLogin: null, returnPct: -50 })).toBe('never signed in');
  expect(of({ returnPct: -20, openRisk: 900 })).toBe('large loss');
  expect(of({ returnPct: -19.9 })).toBeNull();
  expect(of({ openRisk: 250 })).toBe('large risk');
  expect(of({ openRisk: 249 })).toBeNull();
  expect(of({ lastTradeAt: now - 7 * dayMs })).toBe('idle');
  expect(of({ lastTradeAt: null, joinedAt: now - 7 * dayMs + 1 })).toBeNull();
  expect(of({ lastTradeAt: null })).toBe('idle');
});
