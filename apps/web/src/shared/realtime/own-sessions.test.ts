import { expect, test } from 'vitest';
import { type OwnSession, unreadOf, withSessions } from './own-sessions.ts';

const sessionOf = (id: string, version: number, unread: number, day = 1): OwnSession => ({
  id,
  status: 'open',
  created_at: `2026-11-0${day}T10:00:00Z`,
  closed_at: null,
  last_seq: unread,
  version,
  trader_unread_count: unread,
  rating: null,
});

test('A64: unread is the sum over all own conversations', () => {
  expect(unreadOf([sessionOf('a', 1, 2), sessionOf('b', 1, 3)])).toBe(5);
  expect(unreadOf([])).toBe(0);
});

test('an older state of a conversation takes nothing back, a newer one does', () => {
  const held = [sessionOf('a', 5, 0)];
  expect(unreadOf(withSessions(held, [sessionOf('a', 4, 7)]))).toBe(0);
  expect(unreadOf(withSessions(held, [sessionOf('a', 6, 1)]))).toBe(1);
});

test('the newest conversation stands first, and there are fifty at most', () => {
  const sessions = withSessions([sessionOf('a', 1, 0, 1)], [sessionOf('b', 1, 0, 2)]);
  expect(sessions.map(({ id }) => id)).toEqual(['b', 'a']);
  const many = Array.from({ length: 60 }, (_, at) => sessionOf(`s${at}`, 1, 0));
  expect(withSessions([], many)).toHaveLength(50);
});
