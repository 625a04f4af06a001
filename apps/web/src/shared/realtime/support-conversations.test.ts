import { expect, test } from 'vitest';
import { countUnread, mergeConversations, type SupportConversation } from './support-conversations.ts';

const sessionOf = (id: string, version: number, unread: number, day = 1): SupportConversation => ({
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
  expect(countUnread([sessionOf('a', 1, 2), sessionOf('b', 1, 3)])).toBe(5);
  expect(countUnread([])).toBe(0);
});

test('an older state of a conversation changes nothing, a newer one does', () => {
  const held = [sessionOf('a', 5, 0)];
  expect(countUnread(mergeConversations(held, [sessionOf('a', 4, 7)]))).toBe(0);
  expect(countUnread(mergeConversations(held, [sessionOf('a', 6, 1)]))).toBe(1);
});

test('the newest conversation comes first, and the list has at most fifty', () => {
  const sessions = mergeConversations([sessionOf('a', 1, 0, 1)], [sessionOf('b', 1, 0, 2)]);
  expect(sessions.map(({ id }) => id)).toEqual(['b', 'a']);
  const many = Array.from({ length: 60 }, (_, at) => sessionOf(`s${at}`, 1, 0));
  expect(mergeConversations([], many)).toHaveLength(50);
});
