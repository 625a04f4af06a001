/**
 * Closes a conversation (CHAT-28, CHAT-29). It applies only while the conversation is open, so a second close changes
 * nothing (A66).
 */
import { type Supabase, unwrapOrNull } from '../../../shared/supabase/index.ts';

/** Closes a session that is still open, in the name of the agent (CALL-70). */
export async function closeSession(supabase: Supabase, sessionId: string, agentId: string): Promise<void> {
  const now = new Date().toISOString();
  const closed = { status: 'closed', closed_at: now, updated_at: now, support_id: agentId } as const;
  await unwrapOrNull(
    supabase.rest.from('chat_sessions').update(closed).eq('id', sessionId).eq('status', 'open'),
  );
}

/** The number of sessions closed by any agent since local midnight. */
export async function countClosedToday(supabase: Supabase, nowMs: number): Promise<number | null> {
  const midnight = new Date(nowMs);
  midnight.setHours(0, 0, 0, 0);
  const request = supabase.rest
    .from('chat_sessions')
    .select('id', { count: 'exact', head: true })
    .eq('status', 'closed')
    .gte('closed_at', midnight.toISOString());
  const { count, error } = await request;
  if (error) throw new Error(error.message);
  return count;
}
