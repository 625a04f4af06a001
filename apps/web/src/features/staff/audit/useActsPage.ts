/**
 * One page of the audit log. It stays as it was read: nothing is added to it or moved in it, only how many acts are newer by now
 * is asked every 30 s, while the page is looked at, and told.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSupabase } from '../../../shared/supabase/index.ts';
import { type AuditFilter, auditKeys, type Cursor, countNewer, readActs } from './acts.ts';

const countEveryMs = 30_000;

export function useActsPage(filter: AuditFilter, cursor: Cursor | null) {
  const supabase = useSupabase();
  const page = useQuery({
    queryKey: auditKeys.page(filter, cursor),
    queryFn: ({ signal }) => readActs(supabase, filter, cursor, signal),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
  });
  const isNewest = cursor === null && page.data !== undefined && !page.isPlaceholderData;
  const [first] = page.data?.acts ?? [];
  const newest = first ? { at: first.at, id: first.id } : null;
  const { data: newer = 0 } = useQuery({
    queryKey: auditKeys.newer(filter, newest),
    queryFn: ({ signal }) => countNewer(supabase, filter, newest, signal),
    enabled: isNewest,
    refetchInterval: countEveryMs,
  });
  return { page, newer: isNewest ? newer : 0 };
}
