/** The server's results for a text, or the recent users; requested once typing pauses. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import { unwrap } from '../../../shared/supabase/index.ts';
import { useDebouncedValue } from '../../../shared/time/useDebouncedValue.ts';
import { toSearchText } from './entries.ts';
import { recentUserIds } from './recent-users.ts';
import type { QuickSearchResults } from './results.ts';

/** A name typed in one go causes one or two requests. */
const debounceMs = 120;
const noResults: QuickSearchResults = { users: [], positions: [], chats: [], messages: [] };

export function useQuickSearchResults(text: string) {
  const { supabase, user } = useSignedIn();
  const trimmedText = toSearchText(user.role, text);
  const debouncedText = useDebouncedValue(trimmedText, debounceMs);
  const recent = useMemo(() => recentUserIds(user.id), [user.id]);
  const reading = useQuery({
    queryKey: ['staff', 'quick-search', debouncedText, debouncedText === '' ? recent : null],
    queryFn: ({ signal }): Promise<QuickSearchResults> => {
      if (debouncedText === '' && recent.length === 0) return Promise.resolve(noResults);
      const args = debouncedText === '' ? { p_user_ids: [...recent] } : { p_text: debouncedText };
      return unwrap(supabase.rest.rpc('quick_search', args).abortSignal(signal));
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 60_000,
    refetchOnWindowFocus: false,
  });
  return {
    found: reading.data,
    /** Whether the results belong to the typed text and are fresh: a cached result may be outdated. */
    isCurrent: trimmedText === debouncedText && !reading.isFetching && reading.data !== undefined,
    isReading: reading.isFetching || trimmedText !== debouncedText,
    hasFailed: reading.isError && trimmedText === debouncedText,
    retry: reading.refetch,
  };
}
