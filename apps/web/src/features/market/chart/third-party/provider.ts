/**
 * Selects which of the two charts is shown: the browser's last choice, else the one the server's rules name. Under
 * the stated rules that is the third-party chart wherever it is reachable (A35).
 */
import { create } from 'zustand';
import { useSupabase } from '../../../../shared/supabase/index.ts';
import type { ChartProvider } from '../settings/chart-settings.ts';
import { useChosenProvider } from '../settings/charts-store.ts';

/** Known for the life of the page; a new choice checks again. */
const useReachability = create<{ readonly isUnreachable: boolean }>(() => ({ isUnreachable: false }));

export function useProvider(): {
  readonly provider: ChartProvider;
  readonly onFailure: (() => void) | undefined;
} {
  const chosen = useChosenProvider();
  const { isUnreachable } = useReachability();
  const { rules } = useSupabase().config;
  if (chosen !== null) return { provider: chosen, onFailure: undefined };
  const isStated = rules === 'as-specified' && !isUnreachable;
  return {
    provider: isStated ? 'third-party' : 'built-in',
    // The user did not choose this chart, so its failure shows no notice.
    onFailure: () => useReachability.setState({ isUnreachable: true }),
  };
}
