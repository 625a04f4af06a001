/**
 * Steps, limits and hours of the pairs of positions and orders; a pair that left the catalogue shows all its
 * decimals.
 */
import { ALWAYS_OPEN, asPrice, asSize, type PairLimits } from '@fulcrum/domain';
import type { Pair, PricedMarket } from '../../market/index.ts';

export interface Steps {
  readonly tickSize: number;
  readonly stepSize: number;
  readonly baseAsset: string;
  readonly limits: PairLimits;
  readonly type: PricedMarket['type'];
  readonly tradingHours: string;
}

export type StepsOf = (symbol: string) => Steps;

const finest = 1n;
const largest = 10n ** 18n;
/** The server checks the pair's own limits. */
const anyLimits: PairLimits = {
  minPrice: asPrice(finest),
  maxPrice: asPrice(largest),
  tickSize: asPrice(finest),
  minQty: asSize(finest),
  maxQty: asSize(largest),
  stepSize: asSize(finest),
};
const unknownPair: Steps = {
  tickSize: 1e-8,
  stepSize: 1e-8,
  baseAsset: '',
  limits: anyLimits,
  type: 'crypto',
  tradingHours: ALWAYS_OPEN,
};

export function createStepsOf(pairs: readonly Pair[]): StepsOf {
  const known = new Map<string, Steps>(pairs.map((pair) => [pair.symbol, pair]));
  return (symbol) => known.get(symbol) ?? unknownPair;
}
