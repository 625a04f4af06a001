/** The number of conversations closed today, counted again after each close and every minute. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import { countClosedToday } from './close-session.ts';

const everyMs = 60_000;
const queryKey = ['closed-today'] as const;

export function useClosedToday() {
  const { supabase } = useSignedIn();
  const cache = useQueryClient();
  const { data: closedToday = null } = useQuery<number | null>({
    queryKey,
    queryFn: () => countClosedToday(supabase, Date.now()),
    refetchInterval: everyMs,
  });
  const countAgain = useCallback(() => {
    void cache.invalidateQueries({ queryKey });
  }, [cache]);
  return { closedToday, countAgain };
}
