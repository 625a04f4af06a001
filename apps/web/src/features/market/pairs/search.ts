/**
 * Searches pairs: the tabs of the pair selector and of the market list, and their search over symbol, name, nickname
 * and asset. The best match comes first, so that Enter chooses it; equal matches keep the catalogue's order.
 */
import { type MarketType, normaliseSymbol } from '@fulcrum/domain';
import type { Pair } from './usePairs.ts';

/** The tabs of the pair selector, in their stated order (TRADE-04). */
export const pairTabs = ['crypto', 'stocks', 'forex', 'commodities', 'indices', 'favorites'] as const;
export type PairTab = (typeof pairTabs)[number];

/** A tab with its label. */
export interface NamedTab {
  readonly tab: PairTab;
  readonly name: string;
}
/** The selector and the market list each have their own order and capitalisation (A39). */
export const selectorTabs: readonly NamedTab[] = pairTabs.map((tab) => ({ tab, name: tab }));
/** The tabs of the market list, favorites first (TRADE-05). */
export const marketListTabs: readonly NamedTab[] = [
  { tab: 'favorites', name: 'Favorites' },
  { tab: 'crypto', name: 'Crypto' },
  { tab: 'stocks', name: 'Stocks' },
  { tab: 'forex', name: 'Forex' },
  { tab: 'commodities', name: 'Commodities' },
  { tab: 'indices', name: 'Indices' },
];
export const defaultTab: PairTab = 'crypto';

const tabOfType: Readonly<Record<MarketType, PairTab>> = {
  crypto: 'crypto',
  stock: 'stocks',
  forex: 'forex',
  commodity: 'commodities',
  index: 'indices',
};

const perTab = <Value>(make: (tab: PairTab) => Value): Record<PairTab, Value> => ({
  crypto: make('crypto'),
  stocks: make('stocks'),
  forex: make('forex'),
  commodities: make('commodities'),
  indices: make('indices'),
  favorites: make('favorites'),
});

type Searchable = Pick<Pair, 'symbol' | 'name' | 'nickname' | 'baseAsset' | 'quoteAsset' | 'type'>;

/** Ranks of a match, the best first. */
const matchRanks = { all: 0, symbolStart: 1, term: 2, termStart: 3, within: 4 } as const;
type MatchRank = (typeof matchRanks)[keyof typeof matchRanks];

const splitTerms = (text: string): string[] => text.split(/[^\p{L}\p{N}&]+/u);

/** How well symbol, name, nickname or asset match the text, ignoring case (TRADE-03); null if none does. */
export function rankMatch(pair: Searchable, query: string): MatchRank | null {
  const searchText = query.trim().toLowerCase();
  if (searchText === '') return matchRanks.all;
  const symbol = pair.symbol.toLowerCase();
  const nickname = pair.nickname?.toLowerCase() ?? '';
  const name = pair.name.toLowerCase();
  const base = pair.baseAsset.toLowerCase();
  // EURUSD finds EUR/USD.
  const normal = normaliseSymbol(pair.symbol);
  const normalSearchText = normaliseSymbol(searchText);
  if ([symbol, nickname, base].includes(searchText) || normal === normalSearchText) return matchRanks.all;
  if (symbol.startsWith(searchText) || (normalSearchText !== '' && normal.startsWith(normalSearchText))) {
    return matchRanks.symbolStart;
  }
  const terms = splitTerms(`${name} ${nickname}`);
  if (terms.includes(searchText)) return matchRanks.term;
  if (terms.some((term) => term.startsWith(searchText))) return matchRanks.termStart;
  const isWithin =
    [symbol, name, nickname, base, pair.quoteAsset.toLowerCase()].some((field) =>
      field.includes(searchText),
    ) ||
    (normalSearchText !== '' && normal.includes(normalSearchText));
  return isWithin ? matchRanks.within : null;
}

interface FoundPair<P> {
  readonly pair: P;
  readonly rank: MatchRank;
}

/** The matching pairs of each tab, the best first, and the rank of each tab's first match. */
export interface SearchResult<P> {
  readonly pairs: Readonly<Record<PairTab, readonly P[]>>;
  readonly best: Readonly<Record<PairTab, MatchRank | null>>;
}

export function pairsByTab<P extends Searchable>(
  pairs: readonly P[],
  query: string,
  isFavorite: (symbol: string) => boolean,
): SearchResult<P> {
  const found = perTab<FoundPair<P>[]>(() => []);
  for (const pair of pairs) {
    const rank = rankMatch(pair, query);
    if (rank === null) continue;
    found[tabOfType[pair.type]].push({ pair, rank });
    if (isFavorite(pair.symbol)) found.favorites.push({ pair, rank });
  }
  const sorted = perTab((tab) => found[tab].toSorted((a, b) => a.rank - b.rank));
  return {
    pairs: perTab((tab) => sorted[tab].map(({ pair }) => pair)),
    best: perTab((tab) => sorted[tab][0]?.rank ?? null),
  };
}

/**
 * The tab to show: the chosen one, unless another tab has the better match. That is the case when the chosen tab has
 * no match, or a partial one while another has an exact one.
 */
export function getShownTab(chosen: PairTab, query: string, { best }: SearchResult<unknown>): PairTab {
  if (query.trim() === '') return chosen;
  const own = best[chosen];
  const rankOfTab = (tab: PairTab) => best[tab] ?? Number.POSITIVE_INFINITY;
  const other = pairTabs.reduce((first, tab) => (rankOfTab(tab) < rankOfTab(first) ? tab : first));
  if (own === null) return rankOfTab(other) === Number.POSITIVE_INFINITY ? chosen : other;
  return own === matchRanks.within && best[other] === matchRanks.all ? other : chosen;
}
