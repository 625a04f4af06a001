/** Support's metrics of a range, for all agents or one; read again every half minute while on screen. */
import type { SupportMetrics } from '@fulcrum/contract';
import { queryKeys } from '../../../shared/query/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { unwrap } from '../../../shared/supabase/index.ts';
import { useWidget, type WidgetReading } from '../../../shared/widget/index.ts';
import { getRangeBounds, type Range } from './range.ts';

const everyMs = 30_000;
/** The key of every range and agent. */
export const supportMetricsKey = ['support-metrics'] as const;

export function useSupportMetrics(
  range: Range,
  agentId: string | null,
  isPaused = false,
): WidgetReading<SupportMetrics> {
  const { supabase } = useSignedIn();
  const { from, to } = getRangeBounds(range, Date.now());
  return useWidget<SupportMetrics>({
    queryKey: queryKeys.supportMetrics(from, to, agentId),
    what: agentId === null ? 'Support metrics' : 'Metrics of an agent',
    everyMs: isPaused ? Number.POSITIVE_INFINITY : everyMs,
    retainsPrevious: true,
    read: (signal) =>
      unwrap(
        supabase.rest
          .rpc('get_support_metrics', { p_from: from, p_to: to, p_support_id: agentId })
          .abortSignal(signal),
      ),
  });
}
