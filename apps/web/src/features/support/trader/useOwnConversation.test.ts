import { expect, test } from 'vitest';
import type { OwnSession } from '../../../shared/realtime/own-sessions.ts';
import { previousOf } from './useOwnConversation.ts';

const nowMs = Date.parse('2026-11-21T12:00:00Z');
const sessionOf = (id: string, closedAt: string | null, lastSeq = 3): OwnSession => ({
  id,
  status: closedAt === null ? 'open' : 'closed',
  created_at: '2026-11-20T10:00:00Z',
  closed_at: closedAt,
  last_seq: lastSeq,
  version: 1,
  trader_unread_count: 0,
  rating: null,
});

test('a conversation that was closed within a day stands above the next one', () => {
  const closed = sessionOf('a', '2026-11-21T11:00:00Z');
  expect(previousOf([sessionOf('b', null), closed], 'b', nowMs)).toBe('a');
  expect(previousOf([closed], 'a', nowMs)).toBeNull();
});

test('one that was closed longer ago, or in which nothing was written, does not', () => {
  expect(previousOf([sessionOf('b', null), sessionOf('a', '2026-11-20T11:00:00Z')], 'b', nowMs)).toBeNull();
  expect(
    previousOf([sessionOf('b', null), sessionOf('a', '2026-11-21T11:00:00Z', 0)], 'b', nowMs),
  ).toBeNull();
});
