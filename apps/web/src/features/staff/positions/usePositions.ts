/**
 * One page of positions, read again every 30 s while it is looked at, with announced changes, and after an edit. Rows stay where
 * they are while somebody points at them; their figures follow at once.
 */
import type { Database } from '@fulcrum/contract/database';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { log } from '../../../shared/log/log.ts';
import type { AnnouncedChange } from '../../../shared/realtime/announced.tsx';
import { useSignedIn } from '../../../shared/session/index.ts';
import { rowsOf } from '../../../shared/supabase/index.ts';
import { usePaused } from '../rows/pause.ts';
import { useHeldRows } from '../rows/useHeldRows.ts';
import { isAbout, isAny, useReadWhenAnnounced } from '../rows/useReadWhenAnnounced.ts';
import { listArgs, type PositionsQuery, type Status } from './positions-query.ts';

export type StaffPosition = Database['public']['Functions']['list_positions']['Returns']['positions'][number];

const readEveryMs = 30_000;
const announcedEveryMs = 2_000;
const all = ['staff', 'positions'] as const;
/** Open and closed ones often share a page: each hears of changes by itself and reads no more than its own. */
const keys = { all, open: [...all, 'open'], closed: [...all, 'closed'] } as const;

interface Wanted {
  readonly status: Status;
  readonly userId: string | null;
  readonly query: PositionsQuery;
}

export function usePositions({ status, userId, query }: Wanted, isHeld: boolean) {
  const { supabase } = useSignedIn();
  const args = listArgs(query, status, userId);
  const isPaused = usePaused();
  const reading = useQuery({
    queryKey: [...keys[status], args],
    queryFn: async ({ signal }) => ({
      ...(await rowsOf(supabase.rest.rpc('list_positions', args).abortSignal(signal))),
      scope: JSON.stringify(args),
    }),
    placeholderData: keepPreviousData,
    refetchInterval: isPaused ? false : readEveryMs,
    refetchOnWindowFocus: !isPaused,
    refetchOnReconnect: !isPaused,
    staleTime: 0,
  });
  const concerns = useMemo(() => {
    const isOf = userId === null ? isAny : isAbout(userId);
    return (change: AnnouncedChange) => change.table === 'positions' && isOf(change);
  }, [userId]);
  useReadWhenAnnounced(keys[status], concerns, announcedEveryMs);
  const { data: read } = reading;
  const { rows, waiting, show } = useHeldRows(read?.positions, read?.scope ?? '', isHeld);
  return { rows, waiting, show, read, reading };
}

/** Has every list of positions read again. */
export function useReadPositionsAgain(): () => void {
  const cache = useQueryClient();
  return useCallback(() => {
    cache
      .invalidateQueries({ queryKey: keys.all })
      .catch((cause: unknown) => log.error('Reading the positions again broke', cause));
  }, [cache]);
}
