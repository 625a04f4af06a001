/**
 * Messages of visitors as an admin reads and changes them (CALL-80, CALL-81, A79). Pages go by time and id, so that what
 * arrives meanwhile shifts nothing.
 */
import type { Row } from '@fulcrum/contract/database';
import { type ContactStatus, contactStatuses } from '@fulcrum/domain';
import { answerOf, RequestError, rowsOf, type Supabase } from '../../../shared/supabase/index.ts';

/** With the account that has the same email, if there is one. */
export type ContactForm = Row<'contact_forms'> & { readonly user: { readonly username: string } | null };
export type StatusFilter = 'all' | ContactStatus;

export const pageRows = 25;
export const listKey = ['contact-forms', 'list'] as const;
export const newestKey = ['contact-forms', 'newest'] as const;
export const formKey = (id: string) => ['contact-forms', 'one', id] as const;
export const failedText = 'Failed to fetch contact forms';

const whole = '*, user:users(username)';
const newestFirst = { ascending: false } as const;

export const filterOf = (text: string | null): StatusFilter =>
  contactStatuses.find((status) => status === text) ?? 'all';

export async function readForms(
  { rest }: Supabase,
  { status, after }: { readonly status: StatusFilter; readonly after: ContactForm | null },
  signal: AbortSignal,
): Promise<readonly ContactForm[]> {
  let request = rest.from('contact_forms').select(whole);
  if (status !== 'all') request = request.eq('status', status);
  if (after !== null) {
    const { created_at: at, id } = after;
    request = request.or(`created_at.lt."${at}",and(created_at.eq."${at}",id.lt.${id})`);
  }
  const page = request.order('created_at', newestFirst).order('id', newestFirst).limit(pageRows);
  return rowsOf(page.abortSignal(signal));
}

/** Null when there is none. */
export const readForm = ({ rest }: Supabase, id: string, signal: AbortSignal): Promise<ContactForm | null> =>
  answerOf(rest.from('contact_forms').select(whole).eq('id', id).abortSignal(signal).maybeSingle());

/** The message as it then is. @throws RequestError with the server's text, also when somebody else was quicker */
export async function setStatus({ rest }: Supabase, id: string, status: ContactStatus): Promise<ContactForm> {
  const [row] = await rowsOf(rest.from('contact_forms').update({ status }).eq('id', id).select(whole));
  if (!row) throw new RequestError('This message is gone.', 'not_found', 404);
  return row;
}

export interface Reply {
  readonly text: string;
  /** Of one answer, however often it is tried. */
  readonly clientId: string;
}

/** @throws RequestError as `setStatus` */
export async function sendReply(
  { rest }: Supabase,
  { id, version }: ContactForm,
  { text, clientId }: Reply,
): Promise<void> {
  await rowsOf(
    rest.rpc('reply_contact_form', {
      p_id: id,
      p_message: text,
      p_version: version,
      p_client_id: clientId,
    }),
  );
}

/** An answer in the admin's own mail program, with what is answered below the cursor. */
export function mailtoOf({ email, subject, message }: ContactForm, replySubject: string): string {
  const quoted = message.split('\n').map((line) => `> ${line}`);
  // Programs refuse addresses that are much longer. Half a character at the cut could not be encoded.
  const body = `\n\n${quoted.join('\n')}`.slice(0, 1_500).toWellFormed();
  const query = `subject=${encodeURIComponent(replySubject || subject)}&body=${encodeURIComponent(body)}`;
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}?${query}`;
}

/** The newer of two states of one message; an announced one does not bring the account with it. */
export const newer = (held: ContactForm, row: Omit<ContactForm, 'user'>): ContactForm =>
  row.version > held.version ? { ...held, ...row, user: held.user } : held;
