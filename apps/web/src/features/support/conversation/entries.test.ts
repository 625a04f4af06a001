import { expect, test } from 'vitest';
import { buildEntries, isReadByOther, nearDay } from './entries.ts';
import type { ChatMessage, ChatSession } from './types.ts';

const messageOf = (seq: number, minute: number, role: 'trader' | 'support' = 'trader'): ChatMessage => ({
  id: `m${seq}`,
  session_id: 's',
  user_id: 'u',
  seq,
  sender_id: role,
  sender_role: role,
  sender_name: role,
  content: `${seq}`,
  created_at: new Date(2026, 10, 21, 10, minute).toISOString(),
  read_at: null,
  client_id: null,
  attachment_id: null,
});

const shapeOf = (
  messages: readonly ChatMessage[],
  inserts: readonly { key: string; afterSeq: number }[] = [],
) =>
  buildEntries('trader', messages, [], inserts).map((entry) =>
    entry.kind === 'message'
      ? `${entry.isFirst ? '[' : ''}${entry.message.seq}${entry.isLast ? ']' : ''}`
      : entry.kind === 'insert'
        ? entry.insert.key
        : entry.kind,
  );

test('the messages of one author within five minutes are one group', () => {
  expect(shapeOf([messageOf(1, 0), messageOf(2, 1), messageOf(3, 9), messageOf(4, 9, 'support')])).toEqual([
    'day',
    '[1',
    '2]',
    '[3]',
    '[4]',
  ]);
});

test('an insert between two messages separates them and keeps its place', () => {
  expect(
    shapeOf(
      [messageOf(1, 0), messageOf(2, 1)],
      [
        { key: 'last', afterSeq: 9 },
        { key: 'note', afterSeq: 1 },
      ],
    ),
  ).toEqual(['day', '[1]', 'note', '[2]', 'last']);
});

test('an insert after a message that is not loaded yet waits for it', () => {
  expect(
    shapeOf(
      [messageOf(5, 0)],
      [
        { key: 'early', afterSeq: 2 },
        { key: 'here', afterSeq: 4 },
      ],
    ),
  ).toEqual(['here', 'day', '[5]']);
});

test('a new day has a divider, which is not repeated after earlier entries', () => {
  const later = { ...messageOf(2, 0), created_at: new Date(2026, 10, 22, 10).toISOString() };
  expect(shapeOf([messageOf(1, 0), later])).toEqual(['day', '[1]', 'day', '[2]']);
  const afterIso = messageOf(1, 0).created_at;
  expect(buildEntries('trader', [messageOf(1, 5)], [], [], afterIso).map(({ kind }) => kind)).toEqual([
    'message',
  ]);
});

test('CHAT-12, A64: an agent’s message is read when the trader has seen it, whatever its own mark', () => {
  const session = { trader_seen_seq: 3, support_seen_seq: 2 } as ChatSession;
  const stored = { ...messageOf(4, 0, 'support'), read_at: 'at once' };
  expect(isReadByOther(stored, session)).toBe(false);
  expect(isReadByOther({ ...stored, seq: 3 }, session)).toBe(true);
  expect(isReadByOther(messageOf(3, 0), session)).toBe(false);
  expect(isReadByOther(messageOf(2, 0), session)).toBe(true);
  expect(isReadByOther({ ...messageOf(3, 0), read_at: 'then' }, null)).toBe(true);
});

test('today and yesterday are shown by name', () => {
  const now = new Date(2026, 10, 21, 0, 5).getTime();
  expect(nearDay(new Date(2026, 10, 21, 0, 1).toISOString(), now)).toBe('Today');
  expect(nearDay(new Date(2026, 10, 20, 23, 59).toISOString(), now)).toBe('Yesterday');
  expect(nearDay(new Date(2026, 10, 19, 12).toISOString(), now)).toBeNull();
});
