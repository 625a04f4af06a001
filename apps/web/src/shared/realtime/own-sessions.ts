/**
 * A trader's conversations as the shell knows them: the latest ones, with what is unread in each. Kept live by the account's
 * channel. Invariant: a row gives way to a newer version of itself alone, whether it was read or announced. Limit:
 * `sessionsLimit` conversations.
 */
import type { Row } from '@fulcrum/contract/database';

export const sessionColumns = 'id,status,created_at,closed_at,last_seq,version,trader_unread_count,rating';
export type OwnSession = Pick<
  Row<'chat_sessions'>,
  'id' | 'status' | 'created_at' | 'closed_at' | 'last_seq' | 'version' | 'trader_unread_count' | 'rating'
>;

export const sessionsLimit = 50;

/** `held` with `rows` put in, newest first. */
export function withSessions(
  held: readonly OwnSession[],
  rows: readonly OwnSession[],
): readonly OwnSession[] {
  const byId = new Map(held.map((session) => [session.id, session]));
  for (const row of rows) {
    if (row.version > (byId.get(row.id)?.version ?? -1)) byId.set(row.id, row);
  }
  return [...byId.values()]
    .toSorted((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at))
    .slice(0, sessionsLimit);
}

export const unreadOf = (sessions: readonly OwnSession[]): number =>
  sessions.reduce((sum, { trader_unread_count }) => sum + trader_unread_count, 0);
