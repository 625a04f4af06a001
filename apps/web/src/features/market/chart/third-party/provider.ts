/**
 * Which of the two charts is shown: what this browser chose last; before any choice what the server's rules say, which is
 * the third-party one under the stated rules wherever it can be reached (A35).
 */
import { create } from 'zustand';
import { useSupabase } from '../../../../shared/supabase/index.ts';
import type { ChartProvider } from '../settings/chart-settings.ts';
import { useChosenProvider } from '../settings/charts-store.ts';

/** Known for as long as the page lives: a choice asks again. */
const useReach = create<{ readonly isUnreachable: boolean }>(() => ({ isUnreachable: false }));

export function useProvider(): {
  readonly provider: ChartProvider;
  readonly onFailure: (() => void) | undefined;
} {
  const chosen = useChosenProvider();
  const { isUnreachable } = useReach();
  const { rules } = useSupabase().config;
  if (chosen !== null) return { provider: chosen, onFailure: undefined };
  const isStated = rules === 'as-specified' && !isUnreachable;
  return {
    provider: isStated ? 'third-party' : 'built-in',
    // Nobody asked for it by hand, so nobody is bothered when it is not there.
    onFailure: () => useReach.setState({ isUnreachable: true }),
  };
}
