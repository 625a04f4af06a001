/** Requests of the audit screen. A page starts where another one ended, by time and id. */
import { auditActionNames } from '@fulcrum/contract/audit-actions';
import { isUuid } from '@fulcrum/domain';
import { type Supabase, unwrap } from '../../../shared/supabase/index.ts';
import { fetchCount, seekRows } from '../../../shared/supabase/keyset-pages.ts';
import { type Days, toIsoSpan } from '../../../shared/time/day-range.ts';

export const pageRows = 50;

/** The start of a page: after or before a row. */
export interface Cursor {
  readonly side: 'before' | 'after';
  readonly at: string;
  readonly id: number;
}

export interface AuditFilter extends Days {
  readonly actor: string | null;
  readonly subject: string | null;
  readonly object: string | null;
  readonly request: string | null;
  readonly action: string | null;
}

const selectedColumns =
  'id, at, actor_id, on_behalf_of, subject_id, action, object_id, reason, request_id, detail, seq, hash, actor:users!audit_log_actor_id_fkey(username), on_behalf:users!audit_log_on_behalf_of_fkey(username), subject:users!audit_log_subject_id_fkey(username)';

type CountOptions = { readonly count?: 'exact'; readonly head?: boolean };
const selectEntries = ({ rest }: Supabase, counting: CountOptions = {}) =>
  rest.from('audit_log').select(selectedColumns, counting);

function applyFilter(
  rows: ReturnType<typeof selectEntries>,
  filter: AuditFilter,
): ReturnType<typeof selectEntries> {
  const columns = {
    actor_id: filter.actor,
    subject_id: filter.subject,
    object_id: filter.object,
    request_id: filter.request,
  } as const;
  let narrowed = rows.match(
    Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== null)),
  );
  if (filter.action !== null) narrowed = narrowed.in('action', auditActionNames(filter.action));
  const { start, end } = toIsoSpan(filter);
  if (start !== null) narrowed = narrowed.gte('at', start);
  if (end !== null) narrowed = narrowed.lt('at', end);
  return narrowed;
}

/** The filter as `export_list` takes it. */
export function exportArgs(filter: AuditFilter) {
  const { start, end } = toIsoSpan(filter);
  return {
    p_list: 'audit' as const,
    p_actor_id: filter.actor,
    p_user_id: filter.subject,
    p_object_id: filter.object,
    p_request_id: filter.request,
    p_action: filter.action,
    p_from: start,
    p_to: end,
  };
}

/** Reads a page, newest first in both directions. */
export async function readAuditEntries(
  supabase: Supabase,
  filter: AuditFilter,
  cursor: Cursor | null,
  signal: AbortSignal,
) {
  const isBackward = cursor?.side === 'after';
  let request = applyFilter(selectEntries(supabase), filter);
  if (cursor) request = seekRows(request, 'at', isBackward ? 'newer' : 'older', cursor);
  const order = { ascending: isBackward };
  const page = request
    .order('at', order)
    .order('id', order)
    .limit(pageRows + 1);
  const rows = await unwrap(page.abortSignal(signal));
  const isMore = rows.length > pageRows;
  const shown = rows.slice(0, pageRows);
  return {
    entries: isBackward ? shown.toReversed() : shown,
    hasNewer: isBackward ? isMore : cursor !== null,
    hasOlder: isBackward || isMore,
  };
}
export type AuditEntriesPage = Awaited<ReturnType<typeof readAuditEntries>>;
export type AuditEntry = AuditEntriesPage['entries'][number];

/** Counts the entries newer than the shown ones; the server returns no rows. */
export function countNewer(
  supabase: Supabase,
  filter: AuditFilter,
  newest: NewestEntry | null,
  signal: AbortSignal,
): Promise<number> {
  let request = applyFilter(selectEntries(supabase, { count: 'exact', head: true }), filter);
  if (newest) request = seekRows(request, 'at', 'newer', newest);
  return fetchCount(request.abortSignal(signal));
}
export type NewestEntry = Pick<AuditEntry, 'at' | 'id'>;

/** The fewest characters that suggestions are read for. */
export const suggestedFrom = 2;

/** Users whose name, address, phone number or id has `text`, the best match first. */
export async function suggestUsers(supabase: Supabase, text: string, signal: AbortSignal) {
  const found = await unwrap(supabase.rest.rpc('quick_search', { p_text: text }).abortSignal(signal));
  return found.users;
}
export type SuggestedUser = Awaited<ReturnType<typeof suggestUsers>>[number];

export interface NamedUser {
  readonly id: string;
  readonly username: string;
}

/** Finds the user with this exact username, email or id; null without a match. */
export async function findUser(
  supabase: Supabase,
  text: string,
  signal: AbortSignal,
): Promise<NamedUser | null> {
  const users = supabase.rest.from('users').select('id, username');
  const query = isUuid(text)
    ? users.eq('id', text)
    : text.includes('@')
      ? users.eq('email', text.toLowerCase())
      : users.eq('username', text);
  const [user] = await unwrap(query.limit(1).abortSignal(signal));
  return user ?? null;
}

/** Keys of the query cache. */
export const auditKeys = {
  page: (filter: AuditFilter, cursor: Cursor | null) => ['audit', 'page', filter, cursor] as const,
  newer: (filter: AuditFilter, newest: NewestEntry | null) => ['audit', 'newer', filter, newest?.id] as const,
  suggestions: (text: string) => ['audit', 'suggestions', text] as const,
  user: (text: string) => ['audit', 'user', text] as const,
};
