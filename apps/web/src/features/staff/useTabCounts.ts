/**
 * Counts for the tab badges: identity checks to review and unread contact messages. The server counts without returning rows,
 * every 30 s and after each announced change. A count that fails is not shown.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useDebouncedChanges } from '../../shared/realtime/table-changes.tsx';
import { type Supabase, useSupabase } from '../../shared/supabase/index.ts';
import { fetchCount } from '../../shared/supabase/keyset-pages.ts';

const refetchMs = 30_000;
const key = ['staff', 'tab-counts'] as const;

export interface TabCounts {
  readonly kyc: number;
  readonly contact: number;
}

async function readCounts({ rest }: Supabase, signal: AbortSignal): Promise<TabCounts> {
  const counted = { count: 'exact', head: true } as const;
  const [kyc, contact] = await Promise.all([
    fetchCount(
      rest.from('kyc_verifications').select('id', counted).eq('status', 'pending').abortSignal(signal),
    ),
    fetchCount(rest.from('contact_forms').select('id', counted).eq('status', 'new').abortSignal(signal)),
  ]);
  return { kyc, contact };
}

export function useTabCounts(): TabCounts | undefined {
  const supabase = useSupabase();
  const cache = useQueryClient();
  const countAgain = useCallback(() => void cache.invalidateQueries({ queryKey: key }), [cache]);
  useDebouncedChanges(countAgain);
  const { data: counts } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readCounts(supabase, signal),
    refetchInterval: refetchMs,
  });
  return counts;
}
