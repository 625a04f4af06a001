/**
 * One page of positions, refreshed every 30 s while visible, after announced changes, and after an edit. Rows keep their places
 * while the pointer is over them; their figures update at once.
 */
import type { Database } from '@fulcrum/contract/database';
import type { PositionStatus } from '@fulcrum/domain';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { TableChange } from '../../../shared/realtime/table-changes.tsx';
import { useSignedIn } from '../../../shared/session/index.ts';
import { unwrap } from '../../../shared/supabase/index.ts';
import { useFrozenRows } from '../../../shared/table/useFrozenRows.ts';
import { useRefreshPaused } from '../rows/refresh-paused.ts';
import { isAboutUser, isAnyChange, useRefetchOnChange } from '../rows/useRefetchOnChange.ts';
import { listArgs, type PositionsOwner, type PositionsQuery } from './positions-query.ts';

export type StaffPosition = Database['public']['Functions']['list_positions']['Returns']['positions'][number];

const refetchMs = 30_000;
const changeThrottleMs = 2_000;
const all = ['staff', 'positions'] as const;
/** Open and closed tables often share a page; each refetches its own rows only. */
const keys = { all, open: [...all, 'open'], closed: [...all, 'closed'] } as const;

interface PositionsRequest {
  readonly status: PositionStatus;
  /** Null for all users. */
  readonly owner: PositionsOwner | null;
  readonly query: PositionsQuery;
}

export function usePositions({ status, owner, query }: PositionsRequest, isFrozen: boolean) {
  const { supabase } = useSignedIn();
  const args = listArgs(query, status, owner);
  const isPaused = useRefreshPaused();
  const reading = useQuery({
    queryKey: [...keys[status], args],
    queryFn: async ({ signal }) => ({
      ...(await unwrap(supabase.rest.rpc('list_positions', args).abortSignal(signal))),
      scope: JSON.stringify(args),
    }),
    placeholderData: keepPreviousData,
    refetchInterval: isPaused ? false : refetchMs,
    refetchOnWindowFocus: !isPaused,
    refetchOnReconnect: !isPaused,
    staleTime: 0,
  });
  const userId = owner?.userId ?? null;
  const concerns = useMemo(() => {
    const isOf = userId === null ? isAnyChange : isAboutUser(userId);
    return (change: TableChange) => change.table === 'positions' && isOf(change);
  }, [userId]);
  useRefetchOnChange(keys[status], concerns, changeThrottleMs);
  const { data: read } = reading;
  const { rows, waiting, show } = useFrozenRows(read?.positions, read?.scope ?? '', isFrozen);
  return { rows, waiting, show, read, reading };
}

/** Returns a function that refetches every list of positions. */
export function useRefetchPositions(): () => void {
  const cache = useQueryClient();
  return useCallback(() => {
    void cache.invalidateQueries({ queryKey: keys.all });
  }, [cache]);
}
