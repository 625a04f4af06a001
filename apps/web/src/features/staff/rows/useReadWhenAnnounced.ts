/**
 * Reads again what announced changes are about, at most every so often however many come: a busy account neither floods the
 * server nor, by never falling silent, keeps its page from being current. While nobody looks at the page, or somebody paused
 * it, it is only noted that there is something to read; coming back reads it.
 */
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { log } from '../../../shared/log/log.ts';
import {
  type AnnouncedChange,
  type AnnouncementListener,
  useAnnounced,
} from '../../../shared/realtime/announced.tsx';
import { usePaused } from './pause.ts';

/** Whether a change is about that user's account; one that does not say whose it is, such as a deletion, may be. */
export const isAbout =
  (userId: string) =>
  ({ new: row }: AnnouncedChange): boolean =>
    !('user_id' in row) || row.user_id === userId;
export const isAny = (): boolean => true;

/** `key` and `concerns` have to be stable. Returns the way to read at once. */
export function useReadWhenAnnounced(
  key: QueryKey,
  concerns: (change: AnnouncedChange) => boolean,
  everyMs: number,
): () => void {
  const cache = useQueryClient();
  const isPaused = usePaused();
  const readAgain = useCallback(() => {
    cache
      .invalidateQueries({ queryKey: key })
      .catch((cause: unknown) => log.error('Reading again after a change broke', cause));
  }, [cache, key]);
  const note = useCallback(() => {
    cache
      .invalidateQueries({ queryKey: key, refetchType: isPaused || document.hidden ? 'none' : 'active' })
      .catch((cause: unknown) => log.error('Reading again after a change broke', cause));
  }, [cache, key, isPaused]);
  const { listener, stop } = useMemo(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const soon = () => {
      waiting ??= setTimeout(() => {
        waiting = undefined;
        note();
      }, everyMs);
    };
    const made: AnnouncementListener = {
      onChange: (change) => {
        if (concerns(change)) soon();
      },
      onJoined: soon,
    };
    return { listener: made, stop: () => clearTimeout(waiting) };
  }, [note, concerns, everyMs]);
  useAnnounced(listener);
  useEffect(() => stop, [stop]);
  return readAgain;
}
