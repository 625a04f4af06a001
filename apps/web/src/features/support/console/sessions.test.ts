import { describe, expect, test } from 'vitest';
import {
  addSessions,
  applySession,
  countSessions,
  countTags,
  dropSession,
  findNeighbour,
  findSuccessor,
  formatLastMessage,
  getMatchingIds,
  getShownOrder,
  type ListedSession,
  replaceSessions,
  type SessionFilter,
  type Sessions,
} from './sessions.ts';
import type { Inbox } from './triage.ts';

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
    assigned_to: null,
    user: { username: `name-${id}`, email: `${id}@mail.test` },
    ...with_,
  }) as ListedSession;
const listOf = (...rows: readonly ListedSession[]): Sessions => new Map(rows.map((row) => [row.id, row]));
/** `tags` by session, the snoozed ones and those with a mention. */
const inboxOf = (
  tags: Readonly<Record<string, readonly string[]>> = {},
  { snoozed = [], mentioned = [] }: Partial<Record<'snoozed' | 'mentioned', readonly string[]>> = {},
): Inbox => ({
  tagsOf: (id) => tags[id] ?? [],
  snoozedUntil: (id) => (snoozed.includes(id) ? at(59) : null),
  mentioned: new Set(mentioned),
});
const filter = (with_: Partial<SessionFilter> = {}): SessionFilter => ({
  chip: 'all',
  searchText: '',
  order: 'newest',
  me: 'lina',
  tag: null,
  ...with_,
});

describe('a changed row', () => {
  test('replaces only an older version, and keeps the name', () => {
    const held = listOf(listed('a', { version: 3 }));
    expect(applySession(held, listed('a', { version: 3, user: null }))).toBe(held);
    const after = applySession(held, listed('a', { version: 4, user: null, unread_count: 2 }));
    expect(after?.get('a')).toMatchObject({ version: 4, unread_count: 2, user: { username: 'name-a' } });
  });
  test('of a close or a deletion removes the session; of an unknown trader causes a read', () => {
    const held = listOf(listed('a'), listed('b'));
    expect([...(applySession(held, listed('a', { status: 'closed' })) ?? [])].length).toBe(1);
    expect(applySession(held, listed('c'))).toBeNull();
    expect(dropSession(held, 'c')).toBe(held);
    expect([...dropSession(held, 'b').keys()]).toEqual(['a']);
  });
});

describe('a complete read', () => {
  test('replaces the list, except for rows that changed meanwhile', () => {
    const held = listOf(listed('closed-here'), listed('newer', { version: 5 }), listed('new'));
    const touched = new Set(['newer', 'new', 'gone']);
    const read = [listed('newer', { version: 4 }), listed('gone'), listed('other')];
    const after = replaceSessions(held, read, touched);
    expect([...after.keys()].sort()).toEqual(['new', 'newer', 'other']);
    expect(after.get('newer')?.version).toBe(5);
  });
  test('returns the same object for an unchanged row', () => {
    const held = listOf(listed('a'));
    expect(replaceSessions(held, [listed('a')], new Set()).get('a')).toBe(held.get('a'));
  });
  test('of a single row does not bring back closed or older sessions', () => {
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
    listed('old', { created_at: at(1), waiting_since: at(9), assigned_to: 'lina' }),
    listed('new', { created_at: at(3) }),
    listed('mid', { created_at: at(2), waiting_since: at(5), assigned_to: 'sam' }),
  );
  test('CHAT-15, A71: newest first by their start', () => {
    expect(getMatchingIds(sessions, filter(), inboxOf())).toEqual(['new', 'mid', 'old']);
  });
  test('longest wait first, sessions without a wait last', () => {
    expect(getMatchingIds(sessions, filter({ order: 'waiting' }), inboxOf())).toEqual(['mid', 'old', 'new']);
  });
  test('mine, unanswered, and by name or email', () => {
    expect(getMatchingIds(sessions, filter({ chip: 'mine' }), inboxOf())).toEqual(['old']);
    expect(getMatchingIds(sessions, filter({ chip: 'unanswered' }), inboxOf())).toEqual(['mid', 'old']);
    expect(getMatchingIds(sessions, filter({ searchText: ' OLD@mail ' }), inboxOf())).toEqual(['old']);
    expect(getMatchingIds(sessions, filter({ searchText: 'name-m' }), inboxOf())).toEqual(['mid']);
  });
  test('counts and the longest wait', () => {
    expect(countSessions(sessions, 'lina', inboxOf())).toEqual({
      all: 3,
      mine: 1,
      unanswered: 2,
      mentions: 0,
      snoozed: 0,
      longestSince: at(5),
    });
    expect(countSessions(new Map(), 'lina', inboxOf()).longestSince).toBeNull();
  });
});

describe('the order under the pointer', () => {
  test('stays frozen, and the number of pending rows is returned', () => {
    const shown = ['a', 'b'];
    expect(getShownOrder(['c', 'b'], shown, 'held')).toEqual({ ids: shown, hidden: 1 });
    expect(getShownOrder(['c', 'b'], shown, 'free')).toEqual({ ids: ['c', 'b'], hidden: 0 });
    expect(getShownOrder(['a', 'b'], shown, 'free').ids).toBe(shown);
  });
  test('J and K stop at the ends; without a selection they start there', () => {
    const ids = ['a', 'b', 'c'];
    expect([findNeighbour(ids, 'a', 1), findNeighbour(ids, 'c', 1), findNeighbour(ids, 'a', -1)]).toEqual([
      'b',
      'c',
      'a',
    ]);
    expect([findNeighbour(ids, null, 1), findNeighbour(ids, 'x', -1), findNeighbour([], null, 1)]).toEqual([
      'a',
      'c',
      null,
    ]);
  });
  test('after a close the next session is selected', () => {
    expect(findSuccessor(['a', 'b', 'c'], 'b')).toBe('c');
    expect(findSuccessor(['a', 'b'], 'b')).toBe('a');
    expect(findSuccessor(['a'], 'a')).toBeNull();
  });
});

test('the last message names its author, in one line', () => {
  const line = (row: Partial<ListedSession>) => formatLastMessage(listed('a', row), 'agent.1');
  expect(line({})).toBe('No messages yet');
  expect(line({ last_message: 'One\n\ntwo', last_sender_role: 'trader' })).toBe('One two');
  expect(line({ last_message: 'Yes', last_sender_role: 'support' })).toBe('agent.1: Yes');
  // Characters that reverse the text direction are shown, not applied.
  expect(line({ last_message: 'a\u202eb', last_sender_role: 'trader' })).toBe('a\ufffdb');
});

test('a snoozed session is under its own chip, in a search and with a mention; a tag narrows every chip', () => {
  const sessions = listOf(listed('a'), listed('b', { waiting_since: at(1) }), listed('c'));
  const tags = { a: ['refund'], b: ['refund', 'billing'] };
  const inbox = inboxOf(tags, { snoozed: ['b'], mentioned: ['b'] });
  const ids = (with_: Partial<SessionFilter>) => getMatchingIds(sessions, filter(with_), inbox);
  expect(ids({})).toEqual(['a', 'c']);
  expect(ids({ chip: 'unanswered' })).toEqual([]);
  expect(ids({ chip: 'snoozed' })).toEqual(['b']);
  expect(ids({ chip: 'mentions' })).toEqual(['b']);
  expect(ids({ searchText: 'name-b' })).toEqual(['b']);
  expect(ids({ tag: 'refund' })).toEqual(['a']);
  expect(ids({ tag: 'billing', chip: 'snoozed' })).toEqual(['b']);
  expect(countSessions(sessions, 'lina', inbox)).toEqual({
    all: 2,
    mine: 0,
    unanswered: 0,
    mentions: 1,
    snoozed: 1,
    longestSince: null,
  });
  expect([...countTags(sessions, inbox)]).toEqual([
    ['billing', 1],
    ['refund', 2],
  ]);
});
