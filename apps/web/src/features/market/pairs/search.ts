/** Finding pairs: the selector's tabs in their stated order (A39) and its search over symbol, name and asset. */
import { type MarketType, normaliseSymbol } from '@fulcrum/domain';
import type { Pair } from './usePairs.ts';

/** TRADE-04. */
export const pairTabs = ['crypto', 'stocks', 'forex', 'commodities', 'indices', 'favorites'] as const;
export type PairTab = (typeof pairTabs)[number];
export const defaultTab: PairTab = 'crypto';

const tabOfType: Readonly<Record<MarketType, PairTab>> = {
  crypto: 'crypto',
  stock: 'stocks',
  forex: 'forex',
  commodity: 'commodities',
  index: 'indices',
};

type Searchable = Pick<Pair, 'symbol' | 'name' | 'nickname' | 'baseAsset' | 'quoteAsset' | 'type'>;

/** TRADE-03: whether symbol, name or asset holds the text, without regard to case; EURUSD finds EUR/USD. */
export function matches(pair: Searchable, query: string): boolean {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return true;
  const fields = [pair.symbol, pair.name, pair.nickname ?? '', pair.baseAsset, pair.quoteAsset];
  if (fields.some((field) => field.toLowerCase().includes(wanted))) return true;
  const symbol = normaliseSymbol(wanted);
  return symbol !== '' && normaliseSymbol(pair.symbol).includes(symbol);
}

/** The pairs of each tab that match, in the catalogue's order: nothing re-sorts while prices move. */
export function pairsByTab<P extends Searchable>(
  pairs: readonly P[],
  query: string,
  isFavorite: (symbol: string) => boolean,
): Readonly<Record<PairTab, readonly P[]>> {
  const found: Record<PairTab, P[]> = {
    crypto: [],
    stocks: [],
    forex: [],
    commodities: [],
    indices: [],
    favorites: [],
  };
  for (const pair of pairs) {
    if (!matches(pair, query)) continue;
    found[tabOfType[pair.type]].push(pair);
    if (isFavorite(pair.symbol)) found.favorites.push(pair);
  }
  return found;
}

/** A search that finds nothing in the chosen tab shows the first one in which it does. */
export function shownTab(
  chosen: PairTab,
  query: string,
  found: Readonly<Record<PairTab, readonly unknown[]>>,
): PairTab {
  if (query.trim() === '' || found[chosen].length > 0) return chosen;
  return pairTabs.find((tab) => found[tab].length > 0) ?? chosen;
}
