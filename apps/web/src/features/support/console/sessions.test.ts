import { describe, expect, test } from 'vitest';
import {
  addSessions,
  applySession,
  arrange,
  countsOf,
  dropSession,
  type ListedSession,
  lastLine,
  neighbour,
  replaceSessions,
  type Sessions,
  successor,
  type Wanted,
  wantedIds,
} from './sessions.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 10, minute)).toISOString();
const listed = (id: string, with_: Partial<ListedSession> = {}) =>
  ({
    id,
    status: 'open',
    version: 1,
    created_at: at(0),
    waiting_since: null,
    last_message: null,
    last_sender_role: null,
    last_agent_id: null,
    user: { username: `name-${id}`, email: `${id}@mail.test` },
    ...with_,
  }) as ListedSession;
const listOf = (...rows: readonly ListedSession[]): Sessions => new Map(rows.map((row) => [row.id, row]));
const wanted = (with_: Partial<Wanted> = {}): Wanted => ({
  chip: 'all',
  words: '',
  order: 'newest',
  me: 'lina',
  ...with_,
});

describe('an announced row', () => {
  test('replaces an older one of itself only, and keeps the name', () => {
    const held = listOf(listed('a', { version: 3 }));
    expect(applySession(held, listed('a', { version: 3, user: null }))).toBe(held);
    const after = applySession(held, listed('a', { version: 4, user: null, unread_count: 2 }));
    expect(after?.get('a')).toMatchObject({ version: 4, unread_count: 2, user: { username: 'name-a' } });
  });
  test('of a close or of a deletion takes it out; of an unknown trader asks', () => {
    const held = listOf(listed('a'), listed('b'));
    expect([...(applySession(held, listed('a', { status: 'closed' })) ?? [])].length).toBe(1);
    expect(applySession(held, listed('c'))).toBeNull();
    expect(dropSession(held, 'c')).toBe(held);
    expect([...dropSession(held, 'b').keys()]).toEqual(['a']);
  });
});

describe('what was read', () => {
  test('replaces the list, but for what was announced meanwhile', () => {
    const held = listOf(listed('closed-here'), listed('newer', { version: 5 }), listed('new'));
    const touched = new Set(['newer', 'new', 'gone']);
    const read = [listed('newer', { version: 4 }), listed('gone'), listed('other')];
    const after = replaceSessions(held, read, touched);
    expect([...after.keys()].sort()).toEqual(['new', 'newer', 'other']);
    expect(after.get('newer')?.version).toBe(5);
  });
  test('keeps the very object of a row that did not change', () => {
    const held = listOf(listed('a'));
    expect(replaceSessions(held, [listed('a')], new Set()).get('a')).toBe(held.get('a'));
  });
  test('one by one does not bring back what is closed or older', () => {
    const held = listOf(listed('a', { version: 3 }));
    const after = addSessions(held, [
      listed('a', { version: 2 }),
      listed('b', { status: 'closed' }),
      listed('c'),
    ]);
    expect([...after.keys()]).toEqual(['a', 'c']);
    expect(after.get('a')?.version).toBe(3);
  });
});

describe('order and filter', () => {
  const sessions = listOf(
    listed('old', { created_at: at(1), waiting_since: at(9), last_agent_id: 'lina' }),
    listed('new', { created_at: at(3) }),
    listed('mid', { created_at: at(2), waiting_since: at(5), last_agent_id: 'sam' }),
  );
  test('CHAT-15: newest first by their beginning', () => {
    expect(wantedIds(sessions, wanted())).toEqual(['new', 'mid', 'old']);
  });
  test('longest waiting first, those that wait for nothing last', () => {
    expect(wantedIds(sessions, wanted({ order: 'waiting' }))).toEqual(['mid', 'old', 'new']);
  });
  test('mine, unanswered, and by name or email', () => {
    expect(wantedIds(sessions, wanted({ chip: 'mine' }))).toEqual(['old']);
    expect(wantedIds(sessions, wanted({ chip: 'unanswered' }))).toEqual(['mid', 'old']);
    expect(wantedIds(sessions, wanted({ words: ' OLD@mail ' }))).toEqual(['old']);
    expect(wantedIds(sessions, wanted({ words: 'name-m' }))).toEqual(['mid']);
  });
  test('counts and the longest wait', () => {
    expect(countsOf(sessions, 'lina')).toEqual({ all: 3, mine: 1, unanswered: 2, longestSince: at(5) });
    expect(countsOf(new Map(), 'lina').longestSince).toBeNull();
  });
});

describe('the order under the pointer', () => {
  test('stays, and says how many wait', () => {
    const shown = ['a', 'b'];
    expect(arrange(['c', 'b'], shown, 'held')).toEqual({ ids: shown, hidden: 1 });
    expect(arrange(['c', 'b'], shown, 'free')).toEqual({ ids: ['c', 'b'], hidden: 0 });
    expect(arrange(['a', 'b'], shown, 'free').ids).toBe(shown);
  });
  test('J and K stop at the ends; without a place they begin there', () => {
    const ids = ['a', 'b', 'c'];
    expect([neighbour(ids, 'a', 1), neighbour(ids, 'c', 1), neighbour(ids, 'a', -1)]).toEqual([
      'b',
      'c',
      'a',
    ]);
    expect([neighbour(ids, null, 1), neighbour(ids, 'x', -1), neighbour([], null, 1)]).toEqual([
      'a',
      'c',
      null,
    ]);
  });
  test('after a close the next one has its turn', () => {
    expect(successor(['a', 'b', 'c'], 'b')).toBe('c');
    expect(successor(['a', 'b'], 'b')).toBe('a');
    expect(successor(['a'], 'a')).toBeNull();
  });
});

test('the last line says who wrote it, in one line', () => {
  const line = (row: Partial<ListedSession>) => lastLine(listed('a', row), 'lina');
  expect(line({})).toBe('No messages yet');
  expect(line({ last_message: 'One\n\ntwo', last_sender_role: 'trader' })).toBe('One two');
  expect(line({ last_message: 'Yes', last_sender_role: 'support', last_agent_id: 'lina' })).toBe('You: Yes');
  expect(line({ last_message: 'Yes', last_sender_role: 'support', last_agent_id: 'sam' })).toBe(
    'Colleague: Yes',
  );
  // Letters that turn the direction of what follows are seen, not obeyed.
  expect(line({ last_message: 'a\u202eb', last_sender_role: 'trader' })).toBe('a\ufffdb');
});
