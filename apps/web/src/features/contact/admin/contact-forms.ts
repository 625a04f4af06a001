/**
 * Visitors' messages for an admin (CALL-80, CALL-81, A79). Pages are cut by time and id, so new messages shift
 * nothing.
 */
import type { Row } from '@fulcrum/contract/database';
import type { ContactStatus } from '@fulcrum/domain';
import { RequestError, type Supabase, unwrap, unwrapOrNull } from '../../../shared/supabase/index.ts';

/** With the account of the same email, if there is one. */
export type ContactForm = Row<'contact_forms'> & { readonly user: { readonly username: string } | null };
export type StatusFilter = 'all' | ContactStatus;

export const pageRows = 25;
export const listKey = ['contact-forms', 'list'] as const;
export const newestKey = ['contact-forms', 'newest'] as const;
export const formKey = (id: string) => ['contact-forms', 'one', id] as const;
export const failedText = 'Failed to fetch contact forms';

const formColumns = '*, user:users(username)';
const newestFirst = { ascending: false } as const;

export interface FormsFilter {
  readonly status: StatusFilter;
  /** Part of the name, the email or the subject; none when empty. */
  readonly search: string;
}

/** A quoted pattern of the table API: nothing that was typed ends the text; `*`, which has no escape, matches one character. */
const toPattern = (text: string): string => {
  const literal = text.replace(/[\\%_]/g, '\\$&').replaceAll('*', '_');
  return `"*${literal.replace(/["\\]/g, '\\$&')}*"`;
};

export async function readForms(
  { rest }: Supabase,
  { status, search, after }: FormsFilter & { readonly after: ContactForm | null },
  signal: AbortSignal,
): Promise<readonly ContactForm[]> {
  let request = rest.from('contact_forms').select(formColumns);
  if (status !== 'all') request = request.eq('status', status);
  if (search !== '') {
    const pattern = toPattern(search);
    request = request.or(['name', 'email', 'subject'].map((column) => `${column}.ilike.${pattern}`).join());
  }
  if (after !== null) {
    const { created_at: at, id } = after;
    request = request.or(`created_at.lt."${at}",and(created_at.eq."${at}",id.lt.${id})`);
  }
  const page = request.order('created_at', newestFirst).order('id', newestFirst).limit(pageRows);
  return unwrap(page.abortSignal(signal));
}

/** Null when there is none. */
export const readForm = ({ rest }: Supabase, id: string, signal: AbortSignal): Promise<ContactForm | null> =>
  unwrapOrNull(rest.from('contact_forms').select(formColumns).eq('id', id).abortSignal(signal).maybeSingle());

/**
 * Resolves with the changed message.
 * @throws RequestError with the server's text, also when another admin changed it first
 */
export async function setStatus({ rest }: Supabase, id: string, status: ContactStatus): Promise<ContactForm> {
  const [row] = await unwrap(rest.from('contact_forms').update({ status }).eq('id', id).select(formColumns));
  if (!row) throw new RequestError('This message is gone.', 'not_found', 404);
  return row;
}

export interface Reply {
  readonly text: string;
  /** One id per answer, however often it is tried. */
  readonly clientId: string;
}

/** @throws RequestError as `setStatus` */
export async function sendReply(
  { rest }: Supabase,
  { id, version }: ContactForm,
  { text, clientId }: Reply,
): Promise<void> {
  await unwrap(
    rest.rpc('reply_contact_form', {
      p_id: id,
      p_message: text,
      p_version: version,
      p_client_id: clientId,
    }),
  );
}

/** Opens an answer in the admin's own mail program, with the original quoted below the cursor. */
export function toMailtoUrl({ email, subject, message }: ContactForm, replySubject: string): string {
  const quoted = message.split('\n').map((line) => `> ${line}`);
  // Mail programs refuse much longer addresses. Half a surrogate pair at the cut could not be encoded.
  const body = `\n\n${quoted.join('\n')}`.slice(0, 1_500).toWellFormed();
  const query = `subject=${encodeURIComponent(replySubject || subject)}&body=${encodeURIComponent(body)}`;
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}?${query}`;
}

/** The newer of two states of one message; a change event lacks the account. */
export const pickNewer = (cached: ContactForm, row: Omit<ContactForm, 'user'>): ContactForm =>
  row.version > cached.version ? { ...cached, ...row, user: cached.user } : cached;
