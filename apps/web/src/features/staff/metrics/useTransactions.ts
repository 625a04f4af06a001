/**
 * A page of everybody's transactions, newest first (METR-15). Invariant: nothing moves by itself. What is booked while a page is looked
 * at is counted every half minute, while the tab is looked at, and waits until somebody asks for it.
 */
import type { Row } from '@fulcrum/contract/database';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { rowsOf, type Supabase, useSupabase } from '../../../shared/supabase/index.ts';
import { beyond, countOf } from '../../../shared/supabase/keyset.ts';
import type { Cursor, Place } from './cursor.ts';

/** With whose it is; null for an account that is gone. */
export type StaffTransaction = Row<'transactions'> & { readonly user: { readonly username: string } | null };

export const pageRows = 50;
const everyMs = 30_000;
const listKey = ['staff', 'transactions'] as const;

interface PageOf {
  /** ISO 8601; null for no bound. */
  readonly since: string | null;
  readonly cursor: Cursor;
  /** Rows of the last page. */
  readonly rest: number;
}

async function readPage(
  { rest: api }: Supabase,
  { since, cursor, rest }: PageOf,
  signal: AbortSignal,
): Promise<readonly StaffTransaction[]> {
  const isBackward = cursor.kind === 'newer' || cursor.kind === 'oldest';
  let request = api.from('transactions').select('*, user:users(username)');
  if (since !== null) request = request.gte('created_at', since);
  if (cursor.kind === 'older' || cursor.kind === 'newer') {
    request = beyond(request, 'created_at', cursor.kind, cursor);
  }
  const order = { ascending: isBackward };
  const rows = await rowsOf(
    request
      .order('created_at', order)
      .order('id', order)
      .limit(cursor.kind === 'oldest' ? rest : pageRows)
      .abortSignal(signal),
  );
  return isBackward ? rows.toReversed() : rows;
}

const countSince = ({ rest: api }: Supabase, at: string, signal: AbortSignal): Promise<number> =>
  countOf(
    api
      .from('transactions')
      .select('id', { count: 'exact', head: true })
      .gt('created_at', at)
      .abortSignal(signal),
  );

/** `total` is undefined until it is known, which the last page waits for. */
export function useTransactions(since: string | null, { cursor }: Place, total: number | undefined) {
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
  const newest = cursor.kind === 'newest' ? page.data?.[0]?.created_at : undefined;
  const { data: waiting } = useQuery({
    queryKey: ['staff', 'transactions-since', newest],
    queryFn: ({ signal }) => countSince(supabase, newest ?? '', signal),
    enabled: newest !== undefined,
    refetchInterval: everyMs,
  });
  return { page, waiting: newest === undefined ? 0 : (waiting ?? 0) };
}
