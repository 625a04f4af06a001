/**
 * Sends a visitor's message (CALL-82). Somebody who is signed in uses the client that is there already; for a visitor it is
 * one plain fetch with the public key, so that this page carries no client.
 */
import { texts } from '@fulcrum/contract/texts';
import type { ContactFields } from '@fulcrum/domain';
import type { SessionState } from '../../shared/session/index.ts';
import { serverConfig } from '../../shared/supabase/config.ts';
import { answerOf, messageOf, RequestError } from '../../shared/supabase/request.ts';

export interface Message extends ContactFields {
  readonly client_id: string;
  /** The field that people do not see. */
  readonly website: string;
}

const timeoutMs = 15_000;

/** What the server says of a refusal; a proxy's page in its place says nothing. */
async function refusalOf(answer: Response): Promise<RequestError> {
  const said: unknown = await answer.json().catch(() => null);
  if (typeof said === 'object' && said !== null && 'message' in said && 'code' in said) {
    return new RequestError(String(said.message), String(said.code), answer.status);
  }
  return new RequestError(`HTTP error! status: ${answer.status}`, '', answer.status);
}

async function sendAsVisitor(message: Message): Promise<void> {
  const { anonKey } = await serverConfig();
  const answer = await fetch('/rest/v1/contact_forms', {
    method: 'POST',
    headers: { apikey: anonKey, 'content-type': 'application/json', 'x-application-name': 'fulcrum' },
    body: JSON.stringify({ ...message, status: 'new' }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!answer.ok) throw await refusalOf(answer);
}

/** Null when it was taken, else the text to show (CONT-15, ERR-65), and why for the log. */
export async function send(
  message: Message,
  session: SessionState,
): Promise<{ readonly text: string; readonly cause: unknown } | null> {
  try {
    if (session.status !== 'signed-in') await sendAsVisitor(message);
    else {
      const row = { ...message, status: 'new' as const };
      await answerOf(session.supabase.rest.from('contact_forms').insert(row));
    }
    return null;
  } catch (cause) {
    return { text: messageOf(cause, texts.contactFailed), cause };
  }
}
