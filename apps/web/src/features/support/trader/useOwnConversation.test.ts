import { expect, test } from 'vitest';
import type { SupportConversation } from '../../../shared/realtime/support-conversations.ts';
import { findPreviousId } from './useOwnConversation.ts';

const nowMs = Date.parse('2026-11-21T12:00:00Z');
const sessionOf = (id: string, closedAt: string | null, lastSeq = 3): SupportConversation => ({
  id,
  status: closedAt === null ? 'open' : 'closed',
  created_at: '2026-11-20T10:00:00Z',
  closed_at: closedAt,
  last_seq: lastSeq,
  version: 1,
  trader_unread_count: 0,
  rating: null,
});

test('a conversation that was closed within a day is shown above the next one', () => {
  const closed = sessionOf('a', '2026-11-21T11:00:00Z');
  expect(findPreviousId([sessionOf('b', null), closed], 'b', nowMs)).toBe('a');
  expect(findPreviousId([closed], 'a', nowMs)).toBeNull();
});

test('one that was closed earlier, or is empty, is not', () => {
  expect(
    findPreviousId([sessionOf('b', null), sessionOf('a', '2026-11-20T11:00:00Z')], 'b', nowMs),
  ).toBeNull();
  expect(
    findPreviousId([sessionOf('b', null), sessionOf('a', '2026-11-21T11:00:00Z', 0)], 'b', nowMs),
  ).toBeNull();
});
