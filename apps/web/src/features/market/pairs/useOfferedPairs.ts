/** The pairs that this server's selectors offer. */
import { useMemo } from 'react';
import { useSupabase } from '../../../shared/supabase/index.ts';
import { getOfferedPairs } from './offered-pairs.ts';
import type { Pair } from './usePairs.ts';

export function useOfferedPairs(pairs: readonly Pair[]): readonly Pair[] {
  const { rules, feed } = useSupabase().config;
  return useMemo(() => getOfferedPairs(pairs, rules, feed.recorded), [pairs, rules, feed.recorded]);
}
