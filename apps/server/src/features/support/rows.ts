/**
 * Reads a conversation and its messages in the table API's form, and builds the change events of a command. One prepared
 * statement reads them in the transaction of the change; the caller publishes them after the commit.
 */
import type { ChatMessageRow, ChatSessionRow, RowChange } from '@fulcrum/contract';
import { toRowChange } from '../../platform/changes/index.ts';
import type { Queryable } from '../../platform/database/index.ts';

interface ConversationRows {
  readonly session: ChatSessionRow;
  /** By `seq`. */
  readonly messages: readonly ChatMessageRow[];
}

/** @throws Error when there is no such session: a command has just held it */
export async function readRows(
  tx: Queryable,
  sessionId: string,
  messageIds: readonly string[] = [],
): Promise<ConversationRows> {
  const { rows } = await tx.query<{ session: ChatSessionRow | null; messages: ChatMessageRow[] }>(
    `select (select to_json(s) from api.chat_sessions s where s.id = $1) as session,
            (select coalesce(json_agg(m order by m.seq), '[]') from api.chat_messages m
             where m.id = any($2::uuid[])) as messages`,
    [sessionId, messageIds],
    'chat_rows',
  );
  const [found] = rows;
  if (!found?.session) throw new Error('a conversation is gone while it is held');
  return { session: found.session, messages: found.messages };
}

/** The messages first, then the session that counts them. */
export function changesOf(
  { session, messages }: ConversationRows,
  type: { readonly session: 'INSERT' | 'UPDATE'; readonly messages?: 'INSERT' | 'UPDATE' },
  at: Date,
): RowChange[] {
  const committedAt = at.toISOString();
  return [
    ...messages.map((message) =>
      toRowChange({ table: 'chat_messages', type: type.messages ?? 'UPDATE', committedAt }, message),
    ),
    toRowChange({ table: 'chat_sessions', type: type.session, committedAt }, session),
  ];
}
