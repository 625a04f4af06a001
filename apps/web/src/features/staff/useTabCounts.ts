/**
 * What waits behind a tab of the admin console: identity checks to review and messages that nobody has opened. Counted by the
 * server without a row, every 30 s and with each announced change; a count that could not be read is not shown.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { log } from '../../shared/log/log.ts';
import { type AnnouncementListener, useAnnounced } from '../../shared/realtime/announced.tsx';
import { type Supabase, useSupabase } from '../../shared/supabase/index.ts';
import { countOf } from '../../shared/supabase/keyset.ts';

const everyMs = 30_000;
/** A burst of changes is counted once. */
const settleMs = 300;
const key = ['staff', 'tab-counts'] as const;

export interface TabCounts {
  readonly kyc: number;
  readonly contact: number;
}

async function readCounts({ rest }: Supabase, signal: AbortSignal): Promise<TabCounts> {
  const counted = { count: 'exact', head: true } as const;
  const [kyc, contact] = await Promise.all([
    countOf(rest.from('kyc_verifications').select('id', counted).eq('status', 'pending').abortSignal(signal)),
    countOf(rest.from('contact_forms').select('id', counted).eq('status', 'new').abortSignal(signal)),
  ]);
  return { kyc, contact };
}

export function useTabCounts(): TabCounts | undefined {
  const supabase = useSupabase();
  const cache = useQueryClient();
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const listener = useMemo((): AnnouncementListener => {
    const countAgain = () => {
      clearTimeout(waiting.current);
      waiting.current = setTimeout(() => {
        cache
          .invalidateQueries({ queryKey: key })
          .catch((cause: unknown) => log.warn('Counting what waits broke', cause));
      }, settleMs);
    };
    return { onChange: countAgain, onJoined: countAgain };
  }, [cache]);
  useAnnounced(listener);
  useEffect(() => () => clearTimeout(waiting.current), []);
  const { data: counts } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readCounts(supabase, signal),
    refetchInterval: everyMs,
  });
  return counts;
}
