/** What the server finds for a text, or whom one looked at before; asked once the typing has paused for a moment. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import { rowsOf } from '../../../shared/supabase/index.ts';
import type { QuickFound } from './entries.ts';
import { recentIds } from './recent.ts';

/** Somebody who types a name in one go asks once or twice. */
const settleMs = 120;
const nothing: QuickFound = { users: [], positions: [] };

function useSettledText(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    if (text === settled) return;
    const timer = setTimeout(() => setSettled(text), settleMs);
    return () => clearTimeout(timer);
  }, [text, settled]);
  return settled;
}

export function useQuickFound(text: string) {
  const { supabase, user } = useSignedIn();
  const wanted = text.trim();
  const asked = useSettledText(wanted);
  const recent = useMemo(() => recentIds(user.id), [user.id]);
  const reading = useQuery({
    queryKey: ['staff', 'quick-search', asked, asked === '' ? recent : null],
    queryFn: ({ signal }): Promise<QuickFound> => {
      if (asked === '' && recent.length === 0) return Promise.resolve(nothing);
      const args = asked === '' ? { p_user_ids: [...recent] } : { p_text: asked };
      return rowsOf(supabase.rest.rpc('quick_search', args).abortSignal(signal));
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 60_000,
    refetchOnWindowFocus: false,
  });
  return {
    found: reading.data,
    /** Whether it is the answer to what is typed, and one of now: who was found a minute ago may be gone, or have come. */
    isCurrent: wanted === asked && !reading.isFetching && reading.data !== undefined,
    isReading: reading.isFetching || wanted !== asked,
    hasFailed: reading.isError && wanted === asked,
    retry: reading.refetch,
  };
}
