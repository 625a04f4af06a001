/**
 * What the screen of the audit log asks the server for. A page begins where another one ended, by time and id.
 */
import { isUuid } from '@fulcrum/domain';
import { rowsOf, type Supabase } from '../../../shared/supabase/index.ts';
import { beyond, countOf } from '../../../shared/supabase/keyset.ts';
import { midnightOf } from '../../../shared/time/day-range.ts';

export const pageRows = 50;

/** Where a page begins: at the row after this one, or at the row before it. */
export interface Cursor {
  readonly side: 'before' | 'after';
  readonly at: string;
  readonly id: number;
}

export interface AuditFilter {
  readonly actor: string | null;
  readonly subject: string | null;
  readonly object: string | null;
  readonly request: string | null;
  readonly action: string | null;
  /** Days in the viewer's zone, `YYYY-MM-DD`, both included. */
  readonly from: string | null;
  readonly to: string | null;
}

const listed =
  'id, at, actor_id, on_behalf_of, subject_id, action, object_id, reason, request_id, detail, seq, hash, actor:users!audit_log_actor_id_fkey(username), on_behalf:users!audit_log_on_behalf_of_fkey(username), subject:users!audit_log_subject_id_fkey(username)';

type Counting = { readonly count?: 'exact'; readonly head?: boolean };
const all = ({ rest }: Supabase, counting: Counting = {}) => rest.from('audit_log').select(listed, counting);

function filtered(rows: ReturnType<typeof all>, filter: AuditFilter): ReturnType<typeof all> {
  const columns = {
    actor_id: filter.actor,
    subject_id: filter.subject,
    object_id: filter.object,
    request_id: filter.request,
    action: filter.action,
  } as const;
  let narrowed = rows.match(
    Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== null)),
  );
  const [from, until] = [midnightOf(filter.from), midnightOf(filter.to, 1)];
  if (from !== null) narrowed = narrowed.gte('at', new Date(from).toISOString());
  if (until !== null) narrowed = narrowed.lt('at', new Date(until).toISOString());
  return narrowed;
}

/** Newest first, whichever way it was reached. */
export async function readActs(
  supabase: Supabase,
  filter: AuditFilter,
  cursor: Cursor | null,
  signal: AbortSignal,
) {
  const isBack = cursor?.side === 'after';
  let request = filtered(all(supabase), filter);
  if (cursor) request = beyond(request, 'at', isBack ? 'newer' : 'older', cursor);
  const order = { ascending: isBack };
  const page = request
    .order('at', order)
    .order('id', order)
    .limit(pageRows + 1);
  const rows = await rowsOf(page.abortSignal(signal));
  const isMore = rows.length > pageRows;
  const shown = rows.slice(0, pageRows);
  return {
    acts: isBack ? shown.toReversed() : shown,
    hasNewer: isBack ? isMore : cursor !== null,
    hasOlder: isBack || isMore,
  };
}
export type ActsPage = Awaited<ReturnType<typeof readActs>>;
export type Act = ActsPage['acts'][number];

/** How many there are by now that are newer than what is shown; counted by the server without a row. */
export function countNewer(
  supabase: Supabase,
  filter: AuditFilter,
  newest: Newest | null,
  signal: AbortSignal,
): Promise<number> {
  let request = filtered(all(supabase, { count: 'exact', head: true }), filter);
  if (newest) request = beyond(request, 'at', 'newer', newest);
  return countOf(request.abortSignal(signal));
}
export type Newest = Pick<Act, 'at' | 'id'>;

export interface NamedPerson {
  readonly id: string;
  readonly username: string;
}

/** Whom an exact username or email, or an id, names; null for nobody. */
export async function findPerson(
  supabase: Supabase,
  text: string,
  signal: AbortSignal,
): Promise<NamedPerson | null> {
  const people = supabase.rest.from('users').select('id, username');
  const named = isUuid(text)
    ? people.eq('id', text)
    : text.includes('@')
      ? people.eq('email', text.toLowerCase())
      : people.eq('username', text);
  const [person] = await rowsOf(named.limit(1).abortSignal(signal));
  return person ?? null;
}

/** Keys of the query cache. */
export const auditKeys = {
  page: (filter: AuditFilter, cursor: Cursor | null) => ['audit', 'page', filter, cursor] as const,
  newer: (filter: AuditFilter, newest: Newest | null) => ['audit', 'newer', filter, newest?.id] as const,
  person: (text: string) => ['audit', 'person', text] as const,
};
