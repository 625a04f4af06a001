/** Reads the metrics over all users since a day, again every 30 s while they are visible. */
import type { TotalsMetrics } from '@fulcrum/contract';
import { useSignedIn } from '../../../shared/session/index.ts';
import { unwrap } from '../../../shared/supabase/index.ts';
import { useWidget, type WidgetReading } from '../../../shared/widget/index.ts';

const refetchMs = 30_000;

export function useTotals(since: string | null): WidgetReading<TotalsMetrics> {
  const { supabase } = useSignedIn();
  return useWidget<TotalsMetrics>({
    queryKey: ['staff', 'metrics-totals', since],
    what: 'The metrics',
    everyMs: refetchMs,
    retainsPrevious: true,
    read: (signal) =>
      unwrap(supabase.rest.rpc('get_house_metrics', { p_from: since, p_to: null }).abortSignal(signal)),
  });
}
