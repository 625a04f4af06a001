/** Users of the support tests: accounts by sign-up and by the operator, and conversations with their history. */
import { randomUUID } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { Database } from '../../src/platform/database/index.ts';
import { type TestServer, testPassword } from '../harness/index.ts';

export interface Member {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly client: SupabaseClient;
}

/** Somebody of `role`, signed in. */
export async function member(server: TestServer, role: string): Promise<Member> {
  const { client, userId, email } = await server.signUpTrader();
  const { rows } = await server.db.query<{ username: string }>(
    'update app.users set role = $2 where id = $1 returning username',
    [userId, role],
  );
  const { error } = await client.auth.signInWithPassword({ email, password: testPassword });
  if (error) throw error;
  return { id: userId, username: rows[0]!.username, email, client };
}

/** One thing that happened in a conversation: who (an agent's id, or the trader), and when. */
export interface ConversationMessage {
  readonly at: Date;
  /** Null for the trader. */
  readonly agent: string | null;
}

export interface Conversation {
  readonly userId: string;
  readonly messages: readonly ConversationMessage[];
  readonly closed?: { readonly at: Date; readonly by: string };
  readonly rating?: number;
}

/** Writes a conversation that is over, or still goes on, past all commands. */
export async function storeConversation(
  db: Database,
  { userId, messages, closed, rating }: Conversation,
): Promise<string> {
  const id = randomUUID();
  const first = messages[0]?.at ?? closed?.at ?? new Date();
  const lastAnswer = messages.findLastIndex(({ agent }) => agent !== null);
  const waitingSince = closed ? null : (messages[lastAnswer + 1]?.at ?? null);
  await db.query(
    `insert into app.chat_sessions (id, user_id, status, created_at, updated_at, closed_at, support_id, last_seq,
       waiting_since, rating, rated_at)
     values ($1, $2, $3, $4, $4, $5, $6, $7, $8, $9, $10)`,
    [
      id,
      userId,
      closed ? 'closed' : 'open',
      first,
      closed?.at ?? null,
      closed?.by ?? null,
      messages.length,
      waitingSince,
      rating ?? null,
      rating === undefined ? null : (closed?.at ?? first),
    ],
  );
  for (const [index, { at, agent }] of messages.entries()) {
    await db.query(
      `insert into app.chat_messages (session_id, user_id, seq, sender_id, sender_role, content, created_at)
       values ($1, $2, $3, $4, $5, 'words', $6)`,
      [id, userId, index + 1, agent ?? userId, agent ? 'support' : 'trader', at],
    );
  }
  return id;
}
