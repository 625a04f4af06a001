/** The server requests of a conversation, and what their answers mean for the protocol. */
import { texts } from '@fulcrum/contract/texts';
import {
  getErrorMessage,
  RequestError,
  type Supabase,
  unwrap,
  unwrapOrNull,
} from '../../../shared/supabase/index.ts';
import type { Attempt } from './outbox.ts';
import type { Queued } from './queue.ts';
import type { Page } from './timeline.ts';
import type { ChatSession } from './types.ts';

/** Above every `seq`: the page before it is the latest. */
const seqMax = Number.MAX_SAFE_INTEGER;
const tooManyStatus = 429;
const notSignedInStatus = 401;
const faultStatus = 500;
const defaultWaitMs = 5_000;

export async function readAfter(supabase: Supabase, sessionId: string, seq: number): Promise<Page> {
  return unwrap(supabase.rest.rpc('get_chat_updates', { p_session_id: sessionId, p_after_seq: seq }));
}

/** The last messages before that `seq`; null for the latest ones. */
export async function readBefore(supabase: Supabase, sessionId: string, seq: number | null): Promise<Page> {
  const range = { p_session_id: sessionId, p_after_seq: 0, p_before_seq: seq ?? seqMax };
  return unwrap(supabase.rest.rpc('get_chat_updates', range));
}

/** The trader's open conversation, or a new one (CHAT-03 … CHAT-05). */
export async function openSession(supabase: Supabase): Promise<ChatSession> {
  return unwrap(supabase.rest.rpc('open_chat_session', {}));
}

export async function markRead(supabase: Supabase, sessionId: string, seq: number): Promise<ChatSession> {
  return unwrap(supabase.rest.rpc('mark_chat_read', { p_session_id: sessionId, p_seq: seq }));
}

/** A retry is pointless: the conversation does not exist, or not for this user. */
export const isFinalRefusal = (cause: unknown): boolean =>
  cause instanceof RequestError && (cause.status === 403 || cause.status === 404);

/** The server's text contains the wait: `... in 7 seconds.` */
const parseWaitMs = ({ message }: RequestError): number => {
  const seconds = Number(/\b(\d{1,4}) seconds?\b/.exec(message)?.[1]);
  return Number.isFinite(seconds) ? Math.max(1, seconds) * 1_000 : defaultWaitMs;
};

/** Codes of a closed conversation (A66), and of an empty one that was replaced by another (A65). */
const endedCodes: readonly string[] = ['session_closed', 'not_found'];

function toAttempt(cause: unknown): Attempt {
  const error = getErrorMessage(cause, texts.sendMessageFailed);
  if (!(cause instanceof RequestError)) return { kind: 'missed', error, waitMs: null };
  if (cause.status === tooManyStatus) return { kind: 'missed', error, waitMs: parseWaitMs(cause) };
  if (cause.status === 0 || cause.status === notSignedInStatus || cause.status >= faultStatus) {
    return { kind: 'missed', error: texts.sendMessageFailed, waitMs: null };
  }
  return { kind: endedCodes.includes(cause.code) ? 'closed' : 'refused', error };
}

/** Sends a message and returns its row (CALL-74). A repeat with the same `client_id` returns the existing message. */
export async function sendMessage(supabase: Supabase, senderId: string, item: Queued): Promise<Attempt> {
  const row = {
    session_id: item.sessionId,
    sender_id: senderId,
    content: item.content,
    client_id: item.clientId,
    ...(item.attachmentId != null && { attachment_id: item.attachmentId }),
  };
  try {
    const message = await unwrapOrNull(supabase.rest.from('chat_messages').insert(row).select().single());
    if (message === null) throw new RequestError(texts.invalidResponse, '', 0);
    return { kind: 'sent', message };
  } catch (cause) {
    return toAttempt(cause);
  }
}
