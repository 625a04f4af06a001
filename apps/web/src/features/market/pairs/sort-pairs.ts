/**
 * The order of the market list. It uses the figures of the catalogue, which is read once a minute, so that rows do not jump with
 * each tick. A pair without a figure comes last, whichever the direction; equal pairs keep the catalogue's order.
 */
import type { MarketSort } from '../../../shared/preferences/index.ts';
import type { Pair } from './usePairs.ts';

type Sortable = Pick<Pair, 'symbol' | 'price' | 'priceChangePercent' | 'quoteVolume'>;

const figures = {
  price: ({ price }: Sortable) => price,
  change: ({ priceChangePercent }: Sortable) => priceChangePercent,
  volume: ({ quoteVolume }: Sortable) => quoteVolume,
} as const;

export function sortPairs<P extends Sortable>(pairs: readonly P[], sort: MarketSort | null): readonly P[] {
  if (sort === null) return pairs;
  const sign = sort.descending ? -1 : 1;
  if (sort.by === 'symbol') return pairs.toSorted((a, b) => sign * a.symbol.localeCompare(b.symbol, 'en'));
  const figure = figures[sort.by];
  return pairs.toSorted((a, b) => {
    const [left, right] = [figure(a), figure(b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return sign * (left - right);
  });
}

/** The next order when a header is pressed: the column's own first, then the other direction, then the catalogue's. */
export function nextSort(sort: MarketSort | null, by: MarketSort['by']): MarketSort | null {
  const isFirstDescending = by !== 'symbol';
  if (sort?.by !== by) return { by, descending: isFirstDescending };
  return sort.descending === isFirstDescending ? { by, descending: !isFirstDescending } : null;
}
