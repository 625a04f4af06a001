/** The figures of the first screen (ADMIN-12): read every 30 s while they are looked at, unless somebody stopped that. */
import type { getAdminOverview, getMarketControls, getPlatform } from '@fulcrum/contract';
import type { z } from 'zod';
import { useSignedIn } from '../../../shared/session/index.ts';
import { rowsOf } from '../../../shared/supabase/index.ts';
import { useWidget, type WidgetReading } from '../../../shared/widget/index.ts';

export type AdminOverview = z.output<typeof getAdminOverview.result>;
export type Platform = z.output<typeof getPlatform.result>;
export type Controls = z.output<typeof getMarketControls.result>;
/** What the platform panel shows, of one reading. */
export interface PlatformNow extends Platform {
  readonly controls: Controls;
}

export const refreshSeconds = 30;
const everyMs = (isPaused: boolean): number => (isPaused ? Number.POSITIVE_INFINITY : refreshSeconds * 1_000);

export function useOverview(isPaused: boolean): WidgetReading<AdminOverview> {
  const { supabase } = useSignedIn();
  return useWidget<AdminOverview>({
    queryKey: ['staff', 'overview'],
    what: 'The overview',
    everyMs: everyMs(isPaused),
    read: (signal) => rowsOf(supabase.rest.rpc('get_admin_overview', {}).abortSignal(signal)),
  });
}

export function usePlatform(isPaused: boolean): WidgetReading<PlatformNow> {
  const { supabase } = useSignedIn();
  return useWidget<PlatformNow>({
    queryKey: ['staff', 'platform'],
    what: 'The state of the platform',
    everyMs: everyMs(isPaused),
    read: async (signal) => {
      const [platform, controls] = await Promise.all([
        rowsOf(supabase.rest.rpc('get_platform', {}).abortSignal(signal)),
        rowsOf(supabase.rest.rpc('get_market_controls', {}).abortSignal(signal)),
      ]);
      return { ...platform, controls };
    },
  });
}
