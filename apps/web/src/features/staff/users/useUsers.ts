/**
 * One page of users, refreshed every 30 s while the page is visible and after each action. Rows keep their places while the
 * pointer is over them; their figures and the counts update at once. The result of the user's own action shows at once.
 */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import { unwrap } from '../../../shared/supabase/index.ts';
import { useFrozenRows } from '../../../shared/table/useFrozenRows.ts';
import { useRefreshPaused } from '../rows/refresh-paused.ts';
import { listArgs, type UsersFilter, type UsersQuery } from './users-query.ts';

const readEveryMs = 30_000;
export const usersKeys = {
  all: ['staff', 'users'] as const,
  /** Counts the actions on users in this tab. */
  actions: ['staff', 'actions on users'] as const,
  page: (args: ReturnType<typeof listArgs>) => ['staff', 'users', 'page', args] as const,
  count: (filter: UsersFilter) => ['staff', 'users', 'count', filter] as const,
};

export function useUsers(query: UsersQuery, isFrozen: boolean) {
  const { supabase } = useSignedIn();
  const cache = useQueryClient();
  const args = listArgs(query);
  const isPaused = useRefreshPaused();
  const reading = useQuery({
    queryKey: usersKeys.page(args),
    queryFn: async ({ signal }) => ({
      ...(await unwrap(supabase.rest.rpc('list_users', args).abortSignal(signal))),
      scope: JSON.stringify([args, cache.getQueryData<number>(usersKeys.actions)]),
    }),
    placeholderData: keepPreviousData,
    refetchInterval: isPaused ? false : readEveryMs,
    refetchOnWindowFocus: !isPaused,
    refetchOnReconnect: !isPaused,
    staleTime: 0,
  });
  const { data: read } = reading;
  const { rows, waiting, show } = useFrozenRows(read?.users, read?.scope ?? '', isFrozen);
  return { rows, waiting, show, total: read?.total, facets: read?.facets, reading };
}

/** Returns a function that refetches every list of users after an action. */
export function useRefetchUsers(): () => void {
  const cache = useQueryClient();
  return useCallback(() => {
    cache.setQueryData<number>(usersKeys.actions, (count = 0) => count + 1);
    void cache.invalidateQueries({ queryKey: usersKeys.all });
  }, [cache]);
}
