/**
 * The review of a period while it is on screen. The server reads the prices of a bounded number of trades for one answer; while each
 * answer leaves fewer, the next one is asked for at once.
 */
import type { PeriodReview } from '@fulcrum/contract';
import { useEffect, useRef } from 'react';
import { useSignedIn } from '../../shared/session/index.ts';
import { unwrap } from '../../shared/supabase/index.ts';
import { useWidget, type WidgetReading } from '../../shared/widget/index.ts';
import type { Span } from './period.ts';

const everyMs = 60_000;

export interface PeriodReading extends WidgetReading<PeriodReview> {
  /** More prices are being read without a request of the user. */
  readonly readsOn: boolean;
}

export function usePeriodReview({ from, to }: Span): PeriodReading {
  const { accountId, supabase } = useSignedIn();
  const reading = useWidget<PeriodReview>({
    queryKey: ['period-review', accountId, from, to],
    what: 'The review of a period',
    everyMs,
    retainsPrevious: true,
    read: (signal) =>
      unwrap(
        supabase.rest
          .rpc('review_period', {
            p_from: from,
            p_to: to,
            p_time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
          })
          .abortSignal(signal),
      ),
  });
  const { figures, isPrevious, readAt, refetch } = reading;
  const least = useRef({ from, pending: Number.POSITIVE_INFINITY });
  if (least.current.from !== from) least.current = { from, pending: Number.POSITIVE_INFINITY };
  const pending = figures === undefined || isPrevious ? 0 : figures.pending;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    // Trades whose later prices are still to come stay pending, and asking again at once would not end.
    if (pending === 0 || pending >= least.current.pending) return;
    least.current.pending = pending;
    refetch();
  }, [readAt, pending]);
  return { ...reading, readsOn: pending > 0 && reading.isReading };
}
