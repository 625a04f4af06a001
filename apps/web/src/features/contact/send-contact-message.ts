/**
 * Sends a contact message (CALL-82). A signed-in user's page uses its existing client; for a visitor it is one plain
 * fetch with the public key, so that the page needs no client.
 */
import { texts } from '@fulcrum/contract/texts';
import type { ContactFields } from '@fulcrum/domain';
import type { SessionState } from '../../shared/session/index.ts';
import { loadServerConfig } from '../../shared/supabase/config.ts';
import { getErrorMessage, RequestError, unwrapOrNull } from '../../shared/supabase/request.ts';

export interface Message extends ContactFields {
  readonly client_id: string;
  /** The honeypot, a field that users do not see. */
  readonly website: string;
}

const timeoutMs = 15_000;

/** Parses the server's text of a refusal; a proxy's page in its place has none. */
async function parseRequestError(answer: Response): Promise<RequestError> {
  const body: unknown = await answer.json().catch(() => null);
  if (typeof body === 'object' && body !== null && 'message' in body && 'code' in body) {
    return new RequestError(String(body.message), String(body.code), answer.status);
  }
  return new RequestError(`HTTP error! status: ${answer.status}`, '', answer.status);
}

async function sendAsVisitor(message: Message): Promise<void> {
  const { anonKey } = await loadServerConfig();
  const answer = await fetch('/rest/v1/contact_forms', {
    method: 'POST',
    headers: { apikey: anonKey, 'content-type': 'application/json', 'x-application-name': 'fulcrum' },
    body: JSON.stringify({ ...message, status: 'new' }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!answer.ok) throw await parseRequestError(answer);
}

/** Null when it was accepted, else the text to show (CONT-15, ERR-65), and the cause for the log. */
export async function sendContactMessage(
  message: Message,
  session: SessionState,
): Promise<{ readonly text: string; readonly cause: unknown } | null> {
  try {
    if (session.status !== 'signed-in') await sendAsVisitor(message);
    else {
      const row = { ...message, status: 'new' as const };
      await unwrapOrNull(session.supabase.rest.from('contact_forms').insert(row));
    }
    return null;
  } catch (cause) {
    return { text: getErrorMessage(cause, texts.contactFailed), cause };
  }
}
