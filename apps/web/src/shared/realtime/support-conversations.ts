/**
 * A trader's latest conversations with their unread counts, updated by the account's channel. Invariant: only a newer version
 * of a row replaces it, whether read or announced. Limit: `conversationsMax` conversations.
 */
import type { Row } from '@fulcrum/contract/database';

export const conversationColumns =
  'id,status,created_at,closed_at,last_seq,version,trader_unread_count,rating';
export type SupportConversation = Pick<
  Row<'chat_sessions'>,
  'id' | 'status' | 'created_at' | 'closed_at' | 'last_seq' | 'version' | 'trader_unread_count' | 'rating'
>;

export const conversationsMax = 50;

/** Merges `rows` into `held`, newest first. */
export function mergeConversations(
  cached: readonly SupportConversation[],
  rows: readonly SupportConversation[],
): readonly SupportConversation[] {
  const byId = new Map(cached.map((conversation) => [conversation.id, conversation]));
  for (const row of rows) {
    if (row.version > (byId.get(row.id)?.version ?? -1)) byId.set(row.id, row);
  }
  return [...byId.values()]
    .toSorted((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at))
    .slice(0, conversationsMax);
}

export const countUnread = (conversations: readonly SupportConversation[]): number =>
  conversations.reduce((sum, { trader_unread_count }) => sum + trader_unread_count, 0);
