/** Tick and step of the pairs that positions are in; a pair that left the catalogue shows all its decimals. */
import type { Pair } from '../../market/index.ts';

export interface Steps {
  readonly tickSize: number;
  readonly stepSize: number;
  readonly baseAsset: string;
}

export type StepsOf = (symbol: string) => Steps;

export function stepsBySymbol(pairs: readonly Pair[]): StepsOf {
  const known = new Map<string, Steps>(pairs.map((pair) => [pair.symbol, pair]));
  return (symbol) => known.get(symbol) ?? { tickSize: 1e-8, stepSize: 1e-8, baseAsset: '' };
}
