/** The steps of prices and sizes by symbol; a pair that left the catalogue shows all decimals. */
import { useMemo } from 'react';
import { type Pair, usePairs } from './usePairs.ts';

export type PairSteps = Pick<Pair, 'tickSize' | 'stepSize'>;
const finest: PairSteps = { tickSize: 1e-8, stepSize: 1e-8 };

export function usePairSteps(): (symbol: string) => PairSteps {
  const { data: pairs } = usePairs();
  return useMemo(() => {
    const known = new Map(pairs?.map((pair) => [pair.symbol, pair]));
    return (symbol) => known.get(symbol) ?? finest;
  }, [pairs]);
}
