/**
 * Reads a widget's data at its interval while the widget is in view and the page visible, and not otherwise. Invariant: data
 * stays on screen while newer data loads or fails; after a failure its age is shown. A widget without data keeps its error
 * until a read succeeds.
 */
import { keepPreviousData, type QueryClient, type QueryKey, useQuery } from '@tanstack/react-query';
import { type RefObject, useCallback } from 'react';
import { useInView } from './useInView.ts';

export interface WidgetReading<Figures> {
  /** The ref for the widget's outermost element. */
  readonly ref: RefObject<HTMLElement | null>;
  readonly figures: Figures | undefined;
  /** When the shown figures were read, ms since the epoch, after refreshing failed; null while they are current. */
  readonly staleSince: number | null;
  /** ms since the epoch. */
  readonly readAt: number;
  /** No read has succeeded yet, and an attempt failed. */
  readonly hasFailed: boolean;
  readonly isReading: boolean;
  /** The figures belong to the previous key; the current one is loading. */
  readonly isPrevious: boolean;
  /** Reads again at once. Stable. */
  readonly refetch: () => void;
}

interface WidgetQuery<Figures> {
  readonly queryKey: QueryKey;
  /** The name of the data in the log of failed reads (DASH-39, A93). */
  readonly what: string;
  readonly everyMs: number;
  readonly read: (signal: AbortSignal, cache: QueryClient) => Promise<Figures>;
  /** Shows figures of the last key until those of a new one load; for keys that the same user changes. */
  readonly retainsPrevious?: boolean;
}

export function useWidget<Figures>({
  queryKey,
  what,
  everyMs,
  read,
  retainsPrevious = false,
}: WidgetQuery<Figures>): WidgetReading<Figures> {
  const [ref, inView] = useInView();
  const query = useQuery<Figures>({
    queryKey,
    queryFn: ({ signal, client }) => read(signal, client),
    meta: { what },
    enabled: inView,
    staleTime: everyMs,
    // Pauses while the page is hidden, and reads at once when it becomes visible with old figures.
    refetchInterval: everyMs,
    refetchOnWindowFocus: true,
    // The next interval reads again.
    retry: false,
    ...(retainsPrevious && { placeholderData: keepPreviousData }),
  });
  const { errorUpdateCount, data: figures, refetch: refetchQuery } = query;
  const refetch = useCallback(() => {
    void refetchQuery();
  }, [refetchQuery]);

  return {
    ref,
    figures,
    staleSince: query.isError && figures !== undefined ? query.dataUpdatedAt : null,
    readAt: query.dataUpdatedAt,
    // A new read clears the query's error, and the Retry button must not vanish under the pointer.
    hasFailed: figures === undefined && errorUpdateCount > 0,
    isReading: query.isFetching,
    isPrevious: query.isPlaceholderData,
    refetch,
  };
}
