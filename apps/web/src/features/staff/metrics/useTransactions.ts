/**
 * A page of all users' transactions, newest first (METR-15). Invariant: rows do not move by themselves. New rows are counted
 * every 30 s while the page is visible, and are shown on request.
 */
import type { Row } from '@fulcrum/contract/database';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Supabase, unwrap, useSupabase } from '../../../shared/supabase/index.ts';
import { fetchCount, seekRows } from '../../../shared/supabase/keyset-pages.ts';
import type { Cursor, PageCursor } from './page-cursor.ts';

/** A transaction with its user; null for a deleted account. */
export type StaffTransaction = Row<'transactions'> & { readonly user: { readonly username: string } | null };

export const pageRows = 50;
const everyMs = 30_000;
const epoch = new Date(0).toISOString();
const listKey = ['staff', 'transactions'] as const;

interface PageRequest {
  /** ISO 8601; null for no bound. */
  readonly since: string | null;
  readonly cursor: Cursor;
  /** The number of rows on the last page. */
  readonly rest: number;
}

async function readPage(
  { rest: api }: Supabase,
  { since, cursor, rest }: PageRequest,
  signal: AbortSignal,
): Promise<readonly StaffTransaction[]> {
  const isBackward = cursor.kind === 'newer' || cursor.kind === 'oldest';
  let request = api.from('transactions').select('*, user:users(username)');
  if (since !== null) request = request.gte('created_at', since);
  if (cursor.kind === 'older' || cursor.kind === 'newer') {
    request = seekRows(request, 'created_at', cursor.kind, cursor);
  }
  const order = { ascending: isBackward };
  const rows = await unwrap(
    request
      .order('created_at', order)
      .order('id', order)
      .limit(cursor.kind === 'oldest' ? rest : pageRows)
      .abortSignal(signal),
  );
  return isBackward ? rows.toReversed() : rows;
}

const countSince = ({ rest: api }: Supabase, at: string, signal: AbortSignal): Promise<number> =>
  fetchCount(
    api
      .from('transactions')
      .select('id', { count: 'exact', head: true })
      .gt('created_at', at)
      .abortSignal(signal),
  );

/** `total` is undefined while loading; the last page waits for it. */
export function useTransactions(since: string | null, { cursor }: PageCursor, total: number | undefined) {
  const supabase = useSupabase();
  const rest = ((total ?? 0) - 1) % pageRows;
  const page = useQuery({
    queryKey: [...listKey, since, cursor],
    queryFn: ({ signal }) => readPage(supabase, { since, cursor, rest: Math.max(0, rest) + 1 }, signal),
    enabled: cursor.kind !== 'oldest' || total !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    gcTime: 0,
  });
  const isNewest = cursor.kind === 'newest' && page.data !== undefined && !page.isPlaceholderData;
  // Without a row everything in the range is new.
  const newest = isNewest ? (page.data[0]?.created_at ?? since ?? epoch) : undefined;
  const { data: waiting } = useQuery({
    queryKey: ['staff', 'transactions-since', newest],
    queryFn: ({ signal }) => countSince(supabase, newest ?? '', signal),
    enabled: newest !== undefined,
    refetchInterval: everyMs,
  });
  return { page, waiting: newest === undefined ? 0 : (waiting ?? 0) };
}
