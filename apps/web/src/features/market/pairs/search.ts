/**
 * Finding pairs: the tabs of the pair selector and of the market list, and their search over symbol, name, nickname and asset. What
 * fits best comes first, so that Enter takes what was meant; pairs that fit alike stay in the catalogue's order.
 */
import { type MarketType, normaliseSymbol } from '@fulcrum/domain';
import type { Pair } from './usePairs.ts';

/** TRADE-04. */
export const pairTabs = ['crypto', 'stocks', 'forex', 'commodities', 'indices', 'favorites'] as const;
export type PairTab = (typeof pairTabs)[number];

/** A tab as a component names it. */
export interface NamedTab {
  readonly tab: PairTab;
  readonly name: string;
}
/** A39: the selector and the market list have each their own order and capitals. */
export const selectorTabs: readonly NamedTab[] = pairTabs.map((tab) => ({ tab, name: tab }));
/** TRADE-05. */
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

/** How well a pair answers a search, the best first. */
const fits = { all: 0, symbolStart: 1, word: 2, wordStart: 3, within: 4 } as const;
type Fit = (typeof fits)[keyof typeof fits];

const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}&]+/u);

/** TRADE-03: how well symbol, name, nickname or asset hold the text, without regard to case; null when none does. */
export function fitOf(pair: Searchable, query: string): Fit | null {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return fits.all;
  const symbol = pair.symbol.toLowerCase();
  const nickname = pair.nickname?.toLowerCase() ?? '';
  const name = pair.name.toLowerCase();
  const base = pair.baseAsset.toLowerCase();
  // EURUSD finds EUR/USD.
  const normal = normaliseSymbol(pair.symbol);
  const wantedNormal = normaliseSymbol(wanted);
  if ([symbol, nickname, base].includes(wanted) || normal === wantedNormal) return fits.all;
  if (symbol.startsWith(wanted) || (wantedNormal !== '' && normal.startsWith(wantedNormal))) {
    return fits.symbolStart;
  }
  const words = wordsOf(`${name} ${nickname}`);
  if (words.includes(wanted)) return fits.word;
  if (words.some((word) => word.startsWith(wanted))) return fits.wordStart;
  const isWithin =
    [symbol, name, nickname, base, pair.quoteAsset.toLowerCase()].some((field) => field.includes(wanted)) ||
    (wantedNormal !== '' && normal.includes(wantedNormal));
  return isWithin ? fits.within : null;
}

interface FoundPair<P> {
  readonly pair: P;
  readonly fit: Fit;
}

/** The pairs of each tab that match, the best ones first, and how well the first of each does. */
export interface Found<P> {
  readonly pairs: Readonly<Record<PairTab, readonly P[]>>;
  readonly best: Readonly<Record<PairTab, Fit | null>>;
}

export function pairsByTab<P extends Searchable>(
  pairs: readonly P[],
  query: string,
  isFavorite: (symbol: string) => boolean,
): Found<P> {
  const found = perTab<FoundPair<P>[]>(() => []);
  for (const pair of pairs) {
    const fit = fitOf(pair, query);
    if (fit === null) continue;
    found[tabOfType[pair.type]].push({ pair, fit });
    if (isFavorite(pair.symbol)) found.favorites.push({ pair, fit });
  }
  const sorted = perTab((tab) => found[tab].toSorted((a, b) => a.fit - b.fit));
  return {
    pairs: perTab((tab) => sorted[tab].map(({ pair }) => pair)),
    best: perTab((tab) => sorted[tab][0]?.fit ?? null),
  };
}

/**
 * The tab to show: the chosen one, unless it has nothing of what is searched, or only as a part of a word while another
 * has it to the letter. The one that answers best is shown then.
 */
export function shownTab(chosen: PairTab, query: string, { best }: Found<unknown>): PairTab {
  if (query.trim() === '') return chosen;
  const own = best[chosen];
  const fitOfTab = (tab: PairTab) => best[tab] ?? Number.POSITIVE_INFINITY;
  const other = pairTabs.reduce((first, tab) => (fitOfTab(tab) < fitOfTab(first) ? tab : first));
  if (own === null) return fitOfTab(other) === Number.POSITIVE_INFINITY ? chosen : other;
  return own === fits.within && best[other] === fits.all ? other : chosen;
}
