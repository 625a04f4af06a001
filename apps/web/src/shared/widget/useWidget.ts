/**
 * A widget's reading: asked for at its stated interval while it is on screen and the page is looked at, and not at all
 * otherwise. Invariant: what was read stays on screen while newer figures are asked for or cannot be had; it is then told
 * how old they are. A widget that never had any stays in its error until it has, however often it asks.
 */
import { keepPreviousData, type QueryClient, type QueryKey, useQuery } from '@tanstack/react-query';
import { type RefObject, useCallback } from 'react';
import { log } from '../log/log.ts';
import { useInView } from './useInView.ts';

export interface WidgetReading<Figures> {
  /** To be given to the widget's outermost element. */
  readonly ref: RefObject<HTMLElement | null>;
  readonly figures: Figures | undefined;
  /** Newer figures could not be had: when these were read, ms since the epoch; null while they are not old. */
  readonly staleSince: number | null;
  /** ms since the epoch. */
  readonly readAt: number;
  /** Nothing was ever read, and an attempt failed. */
  readonly hasFailed: boolean;
  readonly isReading: boolean;
  /** These are of what was asked before; what is asked now is being read. */
  readonly isPrevious: boolean;
  /** Asks again at once: somebody wants it, or what is shown is known to be over. Stable. */
  readonly readAgain: () => void;
}

interface WidgetQuery<Figures> {
  readonly queryKey: QueryKey;
  /** What it reads, as the log of failed reads names it (DASH-39, A93). */
  readonly what: string;
  readonly everyMs: number;
  readonly read: (signal: AbortSignal, cache: QueryClient) => Promise<Figures>;
  /** Figures of the last key stay until those of a new one are there: for a key that the same person changes. */
  readonly keepsPrevious?: boolean;
}

export function useWidget<Figures>({
  queryKey,
  what,
  everyMs,
  read,
  keepsPrevious = false,
}: WidgetQuery<Figures>): WidgetReading<Figures> {
  const [ref, inView] = useInView();
  const query = useQuery<Figures>({
    queryKey,
    queryFn: ({ signal, client }) => read(signal, client),
    meta: { what },
    enabled: inView,
    staleTime: everyMs,
    // Rests while the page is hidden, and asks at once when somebody comes back to old figures.
    refetchInterval: everyMs,
    refetchOnWindowFocus: true,
    // The next beat asks again.
    retry: false,
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
  });
  const { errorUpdateCount, data: figures, refetch } = query;
  const readAgain = useCallback(() => {
    refetch().catch((cause: unknown) => log.error(`${what}: asking again broke`, cause));
  }, [refetch, what]);

  return {
    ref,
    figures,
    staleSince: query.isError && figures !== undefined ? query.dataUpdatedAt : null,
    readAt: query.dataUpdatedAt,
    // Asking again makes the query forget its error, and a Retry must not vanish under the pointer.
    hasFailed: figures === undefined && errorUpdateCount > 0,
    isReading: query.isFetching,
    isPrevious: query.isPlaceholderData,
    readAgain,
  };
}
