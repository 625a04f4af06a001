/**
 * One page of the audit log. The page does not change after reading; the number of newer entries is read every 30 s while the
 * page is visible.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSupabase } from '../../../shared/supabase/index.ts';
import { type AuditFilter, auditKeys, type Cursor, countNewer, readAuditEntries } from './audit-entries.ts';

const countEveryMs = 30_000;

export function useAuditEntries(filter: AuditFilter, cursor: Cursor | null) {
  const supabase = useSupabase();
  const page = useQuery({
    queryKey: auditKeys.page(filter, cursor),
    queryFn: ({ signal }) => readAuditEntries(supabase, filter, cursor, signal),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
  });
  const isNewest = cursor === null && page.data !== undefined && !page.isPlaceholderData;
  const [first] = page.data?.entries ?? [];
  const newest = first ? { at: first.at, id: first.id } : null;
  const { data: newer = 0 } = useQuery({
    queryKey: auditKeys.newer(filter, newest),
    queryFn: ({ signal }) => countNewer(supabase, filter, newest, signal),
    enabled: isNewest,
    refetchInterval: countEveryMs,
  });
  return { page, newer: isNewest ? newer : 0 };
}
