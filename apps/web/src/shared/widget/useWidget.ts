/**
 * A widget's reading: asked for at its stated interval while it is on screen and the page is looked at, and not at all
 * otherwise. Invariant: what was read stays on screen while newer figures are asked for or cannot be had; it is then told
 * how old they are. A widget that never had any stays in its error until it has, however often it asks.
 */
import { type QueryClient, type QueryKey, useQuery } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useRef } from 'react';
import { log } from '../log/log.ts';
import { useInView } from './useInView.ts';

const widgetLog = log.of('widgets');

export interface WidgetReading<Figures> {
  /** To be given to the widget's outermost element. */
  readonly ref: RefObject<HTMLElement | null>;
  readonly figures: Figures | undefined;
  /** Newer figures could not be had; these are of `readAt`. */
  readonly isStale: boolean;
  /** ms since the epoch. */
  readonly readAt: number;
  /** Nothing was ever read, and an attempt failed. */
  readonly hasFailed: boolean;
  readonly isReading: boolean;
  /** Asks again at once, because somebody wants it. */
  readonly retry: () => void;
  /** Asks again at once, because what is shown is known to be over; stable. */
  readonly readAgain: () => void;
}

interface WidgetQuery<Figures> {
  readonly queryKey: QueryKey;
  /** What it reads, as the log names it. */
  readonly what: string;
  readonly everyMs: number;
  readonly read: (signal: AbortSignal, cache: QueryClient) => Promise<Figures>;
}

export function useWidget<Figures>({
  queryKey,
  what,
  everyMs,
  read,
}: WidgetQuery<Figures>): WidgetReading<Figures> {
  const [ref, inView] = useInView();
  const hasAsked = useRef(false);
  const query = useQuery<Figures>({
    queryKey,
    queryFn: ({ signal, client }) => read(signal, client),
    enabled: inView,
    staleTime: everyMs,
    // Rests while the page is hidden, and asks at once when somebody comes back to old figures.
    refetchInterval: everyMs,
    refetchOnWindowFocus: true,
    // The next beat asks again.
    retry: false,
  });
  const { error, errorUpdateCount, data: figures, refetch } = query;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same error again is another failure
  useEffect(() => {
    // DASH-39.
    if (error !== null) widgetLog.warn(`${what} could not be read`, error);
  }, [what, error, errorUpdateCount]);

  const isThere = figures !== undefined;
  useEffect(() => {
    if (!isThere || !hasAsked.current) return;
    hasAsked.current = false;
    // The Retry that was pressed is gone, and the focus with it.
    const widget = ref.current;
    if (widget?.ownerDocument.activeElement === widget?.ownerDocument.body) {
      widget?.focus({ preventScroll: true });
    }
  }, [isThere, ref]);

  const readAgain = useCallback(() => {
    refetch().catch((cause: unknown) => widgetLog.error(`${what}: asking again broke`, cause));
  }, [refetch, what]);

  return {
    ref,
    figures,
    isStale: query.isError && isThere,
    readAt: query.dataUpdatedAt,
    // Asking again makes the query forget its error, and a Retry must not vanish under the pointer.
    hasFailed: !isThere && errorUpdateCount > 0,
    isReading: query.isFetching,
    retry: () => {
      hasAsked.current = true;
      readAgain();
    },
    readAgain,
  };
}
