/**
 * One page of the audit log. The page does not change after reading; while nothing newer was read, the number of newer entries is read
 * every 30 s while the page is visible.
 */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSupabase } from '../../../shared/supabase/index.ts';
import { type AuditFilter, auditKeys, type Cursor, countNewer, readAuditEntries } from './audit-entries.ts';

const countEveryMs = 30_000;

export function useAuditEntries(filter: AuditFilter, cursor: Cursor | null) {
  const supabase = useSupabase();
  const cache = useQueryClient();
  const page = useQuery({
    queryKey: auditKeys.page(filter, cursor),
    queryFn: ({ signal }) => readAuditEntries(supabase, filter, cursor, signal),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
  });
  // By what was read: "Newer" leads back to the first page with a cursor.
  const isNewest = page.data !== undefined && !page.data.hasNewer && !page.isPlaceholderData;
  const [first] = page.data?.entries ?? [];
  const newest = first ? { at: first.at, id: first.id } : null;
  const { data: newer = 0 } = useQuery({
    queryKey: auditKeys.newer(filter, newest),
    queryFn: ({ signal }) => countNewer(supabase, filter, newest, signal),
    enabled: isNewest,
    refetchInterval: countEveryMs,
  });
  return {
    page,
    newer: isNewest ? newer : 0,
    /** Drops the first page of another cursor, so that it is read again when it is shown. */
    dropNewest: () => cache.removeQueries({ queryKey: auditKeys.page(filter, null), type: 'inactive' }),
  };
}
