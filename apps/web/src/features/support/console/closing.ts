/** Closing a conversation (CHAT-28, CHAT-29): applies only if it is still open; whoever comes second changes nothing (A66). */
import { answerOf, type Supabase } from '../../../shared/supabase/index.ts';

/** CALL-70. */
export async function closeSession(supabase: Supabase, sessionId: string, agentId: string): Promise<void> {
  const now = new Date().toISOString();
  const closed = { status: 'closed', closed_at: now, updated_at: now, support_id: agentId } as const;
  await answerOf(supabase.rest.from('chat_sessions').update(closed).eq('id', sessionId).eq('status', 'open'));
}

/** Closed since midnight here, by anybody. */
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
