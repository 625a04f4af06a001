/**
 * Refetches after announced changes, throttled: a busy account neither floods the server nor starves the page of updates. While
 * the page is hidden or paused, the change is only recorded; coming back refetches.
 */
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import {
  type TableChange,
  type TableChangeListener,
  useTableChanges,
} from '../../../shared/realtime/table-changes.tsx';
import { useRefreshPaused } from './refresh-paused.ts';

/** Whether a change is about that user's account; one without an owner, such as a deletion, may be. */
export const isAboutUser =
  (userId: string) =>
  ({ new: row }: TableChange): boolean =>
    !('user_id' in row) || row.user_id === userId;
export const isAnyChange = (): boolean => true;

/** `key` and `concerns` must be stable. Returns a function that refetches at once. */
export function useRefetchOnChange(
  key: QueryKey,
  isRelevant: (change: TableChange) => boolean,
  everyMs: number,
): () => void {
  const cache = useQueryClient();
  const isPaused = useRefreshPaused();
  const refetch = useCallback(() => {
    void cache.invalidateQueries({ queryKey: key });
  }, [cache, key]);
  const markStale = useCallback(() => {
    void cache.invalidateQueries({
      queryKey: key,
      refetchType: isPaused || document.hidden ? 'none' : 'active',
    });
  }, [cache, key, isPaused]);
  const { listener, stop } = useMemo(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const scheduleRefetch = () => {
      waiting ??= setTimeout(() => {
        waiting = undefined;
        markStale();
      }, everyMs);
    };
    const changeListener: TableChangeListener = {
      onChange: (change) => {
        if (isRelevant(change)) scheduleRefetch();
      },
      onJoined: scheduleRefetch,
    };
    return { listener: changeListener, stop: () => clearTimeout(waiting) };
  }, [markStale, isRelevant, everyMs]);
  useTableChanges(listener);
  useEffect(() => stop, [stop]);
  return refetch;
}
