/**
 * The list of open conversations as values: how a changed row is merged, and how the list is ordered, filtered and
 * displayed. Invariant: a row is never replaced by an older version, and the displayed order does not change while
 * the pointer is on it.
 */
import { replaceBidiControls } from '../../../shared/linked-text/index.ts';
import type { ChatSession } from '../conversation/index.ts';
import type { Inbox } from './triage.ts';

export interface ListedSession extends ChatSession {
  /** Null until the server has sent the name. */
  readonly user: { readonly username: string; readonly email: string } | null;
}
export type Sessions = ReadonlyMap<string, ListedSession>;

export const orders = [
  { value: 'newest', label: 'Newest first' },
  { value: 'waiting', label: 'Longest waiting' },
] as const;
export type Order = (typeof orders)[number]['value'];
export type Chip = 'all' | 'mine' | 'unanswered' | 'mentions' | 'snoozed';

export const getTraderName = ({ user }: Pick<ListedSession, 'user'>): string => user?.username ?? 'Trader';

/** The list after a change event with `row`; null when its trader is not known yet. */
export function applySession(sessions: Sessions, row: ChatSession): Sessions | null {
  const current = sessions.get(row.id);
  if (row.status === 'closed') return dropSession(sessions, row.id);
  if (!current) return null;
  if (row.version <= current.version) return sessions;
  return new Map(sessions).set(row.id, { ...row, user: current.user });
}

export function dropSession(sessions: Sessions, id: string): Sessions {
  if (!sessions.has(id)) return sessions;
  const left = new Map(sessions);
  left.delete(id);
  return left;
}

/** Merges rows that were read one by one. */
export function addSessions(sessions: Sessions, rows: readonly ListedSession[]): Sessions {
  const merged = new Map(sessions);
  for (const row of rows) {
    const current = merged.get(row.id);
    if (row.status === 'open' && (!current || row.version >= current.version)) merged.set(row.id, row);
  }
  return merged;
}

/** Replaces the list by a complete read; rows that changed during the read (`touched`) keep their change. */
export function replaceSessions(
  current: Sessions,
  read: readonly ListedSession[],
  touched: ReadonlySet<string>,
): Sessions {
  const next = new Map<string, ListedSession>();
  for (const row of read) {
    const known = current.get(row.id);
    if (touched.has(row.id) && !known) continue;
    // Returns the same object for an unchanged row, which is then not rendered.
    const isSame = known && known.user !== null && known.version >= row.version;
    next.set(row.id, isSame ? known : row);
  }
  for (const id of touched) {
    const known = current.get(id);
    if (known && !next.has(id)) next.set(id, known);
  }
  return next;
}

const byNewest = (one: ListedSession, other: ListedSession): number =>
  Date.parse(other.created_at) - Date.parse(one.created_at) || (one.id < other.id ? -1 : 1);

/** The longest wait first, sessions without a wait last; equal ones by A71. */
function byWaiting(one: ListedSession, other: ListedSession): number {
  if (one.waiting_since === null && other.waiting_since === null) return byNewest(one, other);
  if (one.waiting_since === null) return 1;
  if (other.waiting_since === null) return -1;
  return Date.parse(one.waiting_since) - Date.parse(other.waiting_since) || byNewest(one, other);
}

const isMine = ({ assigned_to }: ListedSession, me: string): boolean => assigned_to === me;

export interface SessionFilter {
  readonly chip: Chip;
  readonly searchText: string;
  readonly order: Order;
  readonly me: string;
  /** Null for any. */
  readonly tag: string | null;
}

/** Ids of the matching sessions, in order. A snoozed one is found by its chip, by a mention and by a search. */
export function getMatchingIds(
  sessions: Sessions,
  { chip, searchText, order, me, tag }: SessionFilter,
  inbox: Inbox,
): readonly string[] {
  const typed = searchText.trim().toLowerCase();
  const matches = (session: ListedSession): boolean => {
    const isSnoozed = inbox.snoozedUntil(session.id) !== null;
    if (chip === 'snoozed' ? !isSnoozed : isSnoozed && chip !== 'mentions' && typed === '') return false;
    if (chip === 'mentions' && !inbox.mentioned.has(session.id)) return false;
    if (tag !== null && !inbox.tagsOf(session.id).includes(tag)) return false;
    if (chip === 'mine' && !isMine(session, me)) return false;
    if (chip === 'unanswered' && session.waiting_since === null) return false;
    const { user } = session;
    return typed === '' || `${user?.username ?? ''} ${user?.email ?? ''}`.toLowerCase().includes(typed);
  };
  const found = [...sessions.values()].filter(matches);
  return found.sort(order === 'newest' ? byNewest : byWaiting).map(({ id }) => id);
}

export interface Counts {
  /** Without the snoozed ones, as the next two. */
  readonly all: number;
  readonly mine: number;
  readonly unanswered: number;
  readonly mentions: number;
  readonly snoozed: number;
  /** Start of the longest wait; null when none waits. */
  readonly longestSince: string | null;
}

export function countSessions(sessions: Sessions, me: string, inbox: Inbox): Counts {
  let [mine, unanswered, mentions, snoozed] = [0, 0, 0, 0];
  let longestSince: string | null = null;
  for (const session of sessions.values()) {
    if (inbox.mentioned.has(session.id)) mentions += 1;
    if (inbox.snoozedUntil(session.id) !== null) {
      snoozed += 1;
      continue;
    }
    if (isMine(session, me)) mine += 1;
    if (session.waiting_since === null) continue;
    unanswered += 1;
    const isLonger = longestSince === null || Date.parse(session.waiting_since) < Date.parse(longestSince);
    if (isLonger) longestSince = session.waiting_since;
  }
  return { all: sessions.size - snoozed, mine, unanswered, mentions, snoozed, longestSince };
}

/** The tags of the open sessions, by name, with how many have each. */
export function countTags(sessions: Sessions, inbox: Inbox): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const id of sessions.keys())
    for (const tag of inbox.tagsOf(id)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return new Map([...counts].sort(([one], [other]) => (one < other ? -1 : 1)));
}

export interface ShownOrder {
  readonly ids: readonly string[];
  /** The number of matching rows that appear once the pointer leaves. */
  readonly hidden: number;
}

const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id, at) => id === other[at]);

/**
 * The rows to display for `matchingIds` after `shown`. While the list is frozen, no row moves, appears or disappears.
 * Returns the same array when nothing changed.
 */
export function getShownOrder(
  matchingIds: readonly string[],
  shown: readonly string[],
  freeze: 'held' | 'free',
): ShownOrder {
  if (freeze === 'free') return { ids: isSameList(matchingIds, shown) ? shown : matchingIds, hidden: 0 };
  const known = new Set(shown);
  return { ids: shown, hidden: matchingIds.filter((id) => !known.has(id)).length };
}

/** Where J, K and the arrows move from `id`; both ends stay. */
export function findNeighbour(ids: readonly string[], id: string | null, step: 1 | -1): string | null {
  const at = id === null ? -1 : ids.indexOf(id);
  if (at === -1) return (step === 1 ? ids[0] : ids.at(-1)) ?? null;
  return ids[Math.min(ids.length - 1, Math.max(0, at + step))] ?? null;
}

/** The next selection after `id` is closed: the one below it, else the one above. */
export function findSuccessor(ids: readonly string[], id: string): string | null {
  const at = ids.indexOf(id);
  return at === -1 ? (ids[0] ?? null) : (ids[at + 1] ?? ids[at - 1] ?? null);
}

/** The last message in one line, with its author (`agent` for one of support) unless that is the trader. */
export function formatLastMessage(
  { last_message, last_sender_role }: Pick<ListedSession, 'last_message' | 'last_sender_role'>,
  agent: string,
): string {
  if (last_message === null) return 'No messages yet';
  const line = replaceBidiControls(last_message.replace(/\s+/g, ' ').slice(0, 160));
  return last_sender_role === 'trader' ? line : `${agent}: ${line}`;
}
