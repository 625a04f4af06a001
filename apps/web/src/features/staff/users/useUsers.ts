/**
 * One page of users, read again every 30 s while the page is looked at, and after each act. Rows stay where they are while
 * somebody points at them; their figures and the counts follow at once. What came of one's own act is shown at once: it was
 * asked for.
 */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { log } from '../../../shared/log/log.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { rowsOf } from '../../../shared/supabase/index.ts';
import { usePaused } from '../rows/pause.ts';
import { useHeldRows } from '../rows/useHeldRows.ts';
import { listArgs, type UsersFilter, type UsersQuery } from './users-query.ts';

const readEveryMs = 30_000;
export const usersKeys = {
  all: ['staff', 'users'] as const,
  /** How often somebody acted here. */
  acts: ['staff', 'acts on users'] as const,
  page: (args: ReturnType<typeof listArgs>) => ['staff', 'users', 'page', args] as const,
  count: (filter: UsersFilter) => ['staff', 'users', 'count', filter] as const,
};

export function useUsers(query: UsersQuery, isHeld: boolean) {
  const { supabase } = useSignedIn();
  const cache = useQueryClient();
  const args = listArgs(query);
  const isPaused = usePaused();
  const reading = useQuery({
    queryKey: usersKeys.page(args),
    queryFn: async ({ signal }) => ({
      ...(await rowsOf(supabase.rest.rpc('list_users', args).abortSignal(signal))),
      scope: JSON.stringify([args, cache.getQueryData<number>(usersKeys.acts)]),
    }),
    placeholderData: keepPreviousData,
    refetchInterval: isPaused ? false : readEveryMs,
    refetchOnWindowFocus: !isPaused,
    refetchOnReconnect: !isPaused,
    staleTime: 0,
  });
  const { data: read } = reading;
  const { rows, waiting, show } = useHeldRows(read?.users, read?.scope ?? '', isHeld);
  return { rows, waiting, show, total: read?.total, facets: read?.facets, reading };
}

/** Has every list of users read again after an act. */
export function useReadUsersAgain(): () => void {
  const cache = useQueryClient();
  return useCallback(() => {
    cache.setQueryData<number>(usersKeys.acts, (acts = 0) => acts + 1);
    cache
      .invalidateQueries({ queryKey: usersKeys.all })
      .catch((cause: unknown) => log.error('Reading the users again broke', cause));
  }, [cache]);
}
