/** Reads the figures of the Overview every 30 s while the page is visible, unless refreshing is paused (ADMIN-12). */
import type { getAdminOverview, getMarketControls, getPlatform } from '@fulcrum/contract';
import type { z } from 'zod';
import { useSignedIn } from '../../../shared/session/index.ts';
import { unwrap } from '../../../shared/supabase/index.ts';
import { useWidget, type WidgetReading } from '../../../shared/widget/index.ts';

export type AdminOverview = z.output<typeof getAdminOverview.result>;
export type OperationsStatus = z.output<typeof getPlatform.result>;
export type Controls = z.output<typeof getMarketControls.result>;
/** The data of the operations panel, from one reading. */
export interface OperationsSnapshot extends OperationsStatus {
  readonly controls: Controls;
}

export const refreshSeconds = 30;
const refreshMs = (isPaused: boolean): number =>
  isPaused ? Number.POSITIVE_INFINITY : refreshSeconds * 1_000;

export function useOverview(isPaused: boolean): WidgetReading<AdminOverview> {
  const { supabase } = useSignedIn();
  return useWidget<AdminOverview>({
    queryKey: ['staff', 'overview'],
    what: 'The overview',
    everyMs: refreshMs(isPaused),
    read: (signal) => unwrap(supabase.rest.rpc('get_admin_overview', {}).abortSignal(signal)),
  });
}

export function useOperations(isPaused: boolean): WidgetReading<OperationsSnapshot> {
  const { supabase } = useSignedIn();
  return useWidget<OperationsSnapshot>({
    queryKey: ['staff', 'platform'],
    what: 'The operations status',
    everyMs: refreshMs(isPaused),
    read: async (signal) => {
      const [status, controls] = await Promise.all([
        unwrap(supabase.rest.rpc('get_platform', {}).abortSignal(signal)),
        unwrap(supabase.rest.rpc('get_market_controls', {}).abortSignal(signal)),
      ]);
      return { ...status, controls };
    },
  });
}
