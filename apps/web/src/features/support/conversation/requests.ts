/** What a conversation asks of the server, and what its answers mean for the protocol. */
import { texts } from '@fulcrum/contract/texts';
import { answerOf, messageOf, RequestError, rowsOf, type Supabase } from '../../../shared/supabase/index.ts';
import type { Attempt } from './outbox.ts';
import type { Queued } from './queue.ts';
import type { ChatSession } from './terms.ts';
import type { Page } from './timeline.ts';

/** Beyond every `seq`: the page before it is the latest. */
const beyondAll = Number.MAX_SAFE_INTEGER;
const tooManyStatus = 429;
const notSignedInStatus = 401;
const faultStatus = 500;
const patienceMs = 5_000;

export async function readAfter(supabase: Supabase, sessionId: string, seq: number): Promise<Page> {
  return rowsOf(supabase.rest.rpc('get_chat_updates', { p_session_id: sessionId, p_after_seq: seq }));
}

/** The last messages before that one; null: the latest there are. */
export async function readBefore(supabase: Supabase, sessionId: string, seq: number | null): Promise<Page> {
  const place = { p_session_id: sessionId, p_after_seq: 0, p_before_seq: seq ?? beyondAll };
  return rowsOf(supabase.rest.rpc('get_chat_updates', place));
}

/** The trader's open conversation, or a new one (CHAT-03 … CHAT-05). */
export async function openSession(supabase: Supabase): Promise<ChatSession> {
  return rowsOf(supabase.rest.rpc('open_chat_session', {}));
}

export async function markRead(supabase: Supabase, sessionId: string, seq: number): Promise<ChatSession> {
  return rowsOf(supabase.rest.rpc('mark_chat_read', { p_session_id: sessionId, p_seq: seq }));
}

/** Asking again for the same is of no use: it is not there, or not for this person. */
export const isFinalRefusal = (cause: unknown): boolean =>
  cause instanceof RequestError && (cause.status === 403 || cause.status === 404);

/** The server says how long in its text: `... in 7 seconds.` */
const waitOf = ({ message }: RequestError): number => {
  const seconds = Number(/\b(\d{1,4}) seconds?\b/.exec(message)?.[1]);
  return Number.isFinite(seconds) ? Math.max(1, seconds) * 1_000 : patienceMs;
};

/** No message goes into a closed conversation (A66), nor into an empty one that made room for another (A65). */
const endedCodes: readonly string[] = ['session_closed', 'not_found'];

function attemptOf(cause: unknown): Attempt {
  const error = messageOf(cause, texts.sendMessageFailed);
  if (!(cause instanceof RequestError)) return { kind: 'missed', error, waitMs: null };
  if (cause.status === tooManyStatus) return { kind: 'missed', error, waitMs: waitOf(cause) };
  if (cause.status === 0 || cause.status === notSignedInStatus || cause.status >= faultStatus) {
    return { kind: 'missed', error: texts.sendMessageFailed, waitMs: null };
  }
  return { kind: endedCodes.includes(cause.code) ? 'closed' : 'refused', error };
}

/** CALL-74. The same `client_id` again answers with the message that there is. */
export async function sendMessage(supabase: Supabase, senderId: string, item: Queued): Promise<Attempt> {
  const row = {
    session_id: item.sessionId,
    sender_id: senderId,
    content: item.content,
    client_id: item.clientId,
  };
  try {
    const message = await answerOf(supabase.rest.from('chat_messages').insert(row).select().single());
    if (message === null) throw new RequestError(texts.invalidResponse, '', 0);
    return { kind: 'sent', message };
  } catch (cause) {
    return attemptOf(cause);
  }
}
