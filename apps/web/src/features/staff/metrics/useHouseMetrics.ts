/** Figures of the house since a day; read again every half minute while they are on screen, in their places. */
import type { HouseMetrics } from '@fulcrum/contract';
import { useSignedIn } from '../../../shared/session/index.ts';
import { rowsOf } from '../../../shared/supabase/index.ts';
import { useWidget, type WidgetReading } from '../../../shared/widget/index.ts';

const everyMs = 30_000;

export function useHouseMetrics(since: string | null): WidgetReading<HouseMetrics> {
  const { supabase } = useSignedIn();
  return useWidget<HouseMetrics>({
    queryKey: ['staff', 'house-metrics', since],
    what: 'Figures of the house',
    everyMs,
    keepsPrevious: true,
    read: (signal) =>
      rowsOf(supabase.rest.rpc('get_house_metrics', { p_from: since, p_to: null }).abortSignal(signal)),
  });
}
