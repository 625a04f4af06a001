/**
 * The list of open conversations as values: what an announced row makes of it, how it is ordered and narrowed, and in which
 * order it is shown. Invariant: a row never gives way to an older one of itself, and what is shown keeps its order while
 * somebody points at it.
 */
import { legible } from '../../../shared/linked-text/index.ts';
import type { ChatSession } from '../conversation/index.ts';

export interface ListedSession extends ChatSession {
  /** Null for the moment in which the server does not tell the name. */
  readonly user: { readonly username: string; readonly email: string } | null;
}
export type Sessions = ReadonlyMap<string, ListedSession>;

export const orders = [
  { value: 'newest', label: 'Newest first' },
  { value: 'waiting', label: 'Longest waiting' },
] as const;
export type Order = (typeof orders)[number]['value'];
export type Chip = 'all' | 'mine' | 'unanswered';

export const nameOf = ({ user }: Pick<ListedSession, 'user'>): string => user?.username ?? 'Trader';

/** The list after `row` was announced; null when it is of a conversation whose trader is not known yet. */
export function applySession(sessions: Sessions, row: ChatSession): Sessions | null {
  const held = sessions.get(row.id);
  if (row.status === 'closed') return dropSession(sessions, row.id);
  if (!held) return null;
  if (row.version <= held.version) return sessions;
  return new Map(sessions).set(row.id, { ...row, user: held.user });
}

export function dropSession(sessions: Sessions, id: string): Sessions {
  if (!sessions.has(id)) return sessions;
  const left = new Map(sessions);
  left.delete(id);
  return left;
}

/** Rows that were read one by one, over those that are held. */
export function addSessions(sessions: Sessions, rows: readonly ListedSession[]): Sessions {
  const merged = new Map(sessions);
  for (const row of rows) {
    const held = merged.get(row.id);
    if (row.status === 'open' && (!held || row.version >= held.version)) merged.set(row.id, row);
  }
  return merged;
}

/** The whole list as it was read; of what was announced meanwhile (`touched`) the announcement stands. */
export function replaceSessions(
  held: Sessions,
  read: readonly ListedSession[],
  touched: ReadonlySet<string>,
): Sessions {
  const next = new Map<string, ListedSession>();
  for (const row of read) {
    const known = held.get(row.id);
    if (touched.has(row.id) && !known) continue;
    // The same object where nothing changed: its row is not drawn again.
    const isSame = known && known.user !== null && known.version >= row.version;
    next.set(row.id, isSame ? known : row);
  }
  for (const id of touched) {
    const known = held.get(id);
    if (known && !next.has(id)) next.set(id, known);
  }
  return next;
}

const byNewest = (one: ListedSession, other: ListedSession): number =>
  Date.parse(other.created_at) - Date.parse(one.created_at) || (one.id < other.id ? -1 : 1);

/** The one that waits longest first, those that wait for nothing behind them; A71 among equals. */
function byWaiting(one: ListedSession, other: ListedSession): number {
  if (one.waiting_since === null && other.waiting_since === null) return byNewest(one, other);
  if (one.waiting_since === null) return 1;
  if (other.waiting_since === null) return -1;
  return Date.parse(one.waiting_since) - Date.parse(other.waiting_since) || byNewest(one, other);
}

const isMine = ({ last_agent_id }: ListedSession, me: string): boolean => last_agent_id === me;

export interface Wanted {
  readonly chip: Chip;
  readonly words: string;
  readonly order: Order;
  readonly me: string;
}

/** Ids of what is wanted, in order. */
export function wantedIds(sessions: Sessions, { chip, words, order, me }: Wanted): readonly string[] {
  const typed = words.trim().toLowerCase();
  const fits = (session: ListedSession): boolean => {
    if (chip === 'mine' && !isMine(session, me)) return false;
    if (chip === 'unanswered' && session.waiting_since === null) return false;
    const { user } = session;
    return typed === '' || `${user?.username ?? ''} ${user?.email ?? ''}`.toLowerCase().includes(typed);
  };
  const found = [...sessions.values()].filter(fits);
  return found.sort(order === 'newest' ? byNewest : byWaiting).map(({ id }) => id);
}

export interface Counts {
  readonly all: number;
  readonly mine: number;
  readonly unanswered: number;
  /** Of the one that waits longest; null when nobody does. */
  readonly longestSince: string | null;
}

export function countsOf(sessions: Sessions, me: string): Counts {
  let [mine, unanswered] = [0, 0];
  let longestSince: string | null = null;
  for (const session of sessions.values()) {
    if (isMine(session, me)) mine += 1;
    if (session.waiting_since === null) continue;
    unanswered += 1;
    const isLonger = longestSince === null || Date.parse(session.waiting_since) < Date.parse(longestSince);
    if (isLonger) longestSince = session.waiting_since;
  }
  return { all: sessions.size, mine, unanswered, longestSince };
}

export interface Arrangement {
  readonly ids: readonly string[];
  /** Wanted ones that wait for the pointer to leave. */
  readonly hidden: number;
}

const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id, at) => id === other[at]);

/**
 * What to show of `wanted` after `shown`: while it is held nothing moves, comes or goes, however the list has changed. The
 * same array when nothing changed.
 */
export function arrange(
  wanted: readonly string[],
  shown: readonly string[],
  hold: 'held' | 'free',
): Arrangement {
  if (hold === 'free') return { ids: isSameList(wanted, shown) ? shown : wanted, hidden: 0 };
  const known = new Set(shown);
  return { ids: shown, hidden: wanted.filter((id) => !known.has(id)).length };
}

/** Where J, K and the arrows go from `id`; the ends stay. */
export function neighbour(ids: readonly string[], id: string | null, step: 1 | -1): string | null {
  const at = id === null ? -1 : ids.indexOf(id);
  if (at === -1) return (step === 1 ? ids[0] : ids.at(-1)) ?? null;
  return ids[Math.min(ids.length - 1, Math.max(0, at + step))] ?? null;
}

/** What takes the place of `id` in the hand once it is closed: the one below it, else the one above. */
export function successor(ids: readonly string[], id: string): string | null {
  const at = ids.indexOf(id);
  return at === -1 ? (ids[0] ?? null) : (ids[at + 1] ?? ids[at - 1] ?? null);
}

/** The last message in one line, with who wrote it unless it was the trader. */
export function lastLine(
  { last_message, last_sender_role, last_agent_id }: ListedSession,
  me: string,
): string {
  if (last_message === null) return 'No messages yet';
  const line = legible(last_message.replace(/\s+/g, ' ').slice(0, 160));
  if (last_sender_role === 'trader') return line;
  return `${last_agent_id === me ? 'You' : 'Colleague'}: ${line}`;
}
