/**
 * A widget's reading: asked for at its stated interval while it is on screen and the page is looked at, and not at all
 * otherwise. Invariant: what was read stays on screen while newer figures are asked for or cannot be had; it is then told
 * how old they are.
 */
import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect } from 'react';
import { log } from '../log/log.ts';
import { useInView } from './useInView.ts';

const widgetLog = log.of('widgets');

export interface WidgetReading<Figures> {
  /** To be given to the widget's outermost element. */
  readonly ref: RefObject<HTMLElement | null>;
  readonly figures: Figures | undefined;
  /** Newer figures could not be had; these are of `readAt`. */
  readonly isStale: boolean;
  readonly readAt: number;
  /** Nothing was ever read, and the last attempt failed. */
  readonly hasFailed: boolean;
  readonly isReading: boolean;
  /** These are of what was asked before; what is asked now is being read. */
  readonly isPrevious: boolean;
  readonly retry: () => void;
}

interface WidgetQuery<Figures> {
  readonly queryKey: QueryKey;
  /** What it reads, as the log names it. */
  readonly what: string;
  readonly everyMs: number;
  readonly read: (signal: AbortSignal) => Promise<Figures>;
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
    queryFn: ({ signal }) => read(signal),
    enabled: inView,
    staleTime: everyMs,
    refetchInterval: everyMs,
    // The next beat asks again.
    retry: false,
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
  });
  const { error, failureCount, data: figures, refetch } = query;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same error again is another failure
  useEffect(() => {
    // DASH-39.
    if (error !== null) widgetLog.warn(`${what} could not be read`, error);
  }, [what, error, failureCount]);
  return {
    ref,
    figures,
    isStale: query.isError && figures !== undefined,
    readAt: query.dataUpdatedAt,
    hasFailed: query.isError && figures === undefined,
    isReading: query.isFetching,
    isPrevious: query.isPlaceholderData,
    retry: () => {
      refetch().catch((cause: unknown) => widgetLog.error(`${what}: asking again broke`, cause));
    },
  };
}
