/**
 * The pairs that a running server lists: the shipped ones, with the crypto part replaced by the exchange's pairs.
 * Invariants: a pair with an open position or a waiting order stays listed; a shipped pair of another market is never
 * removed; an empty answer never empties a market.
 */
import { hourMs, type MarketType, marketTypeOf, type TradingPair } from '@fulcrum/domain';
import { BoundedMap } from '../../../platform/cache/bounded-map.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { type ListedPair, withSortOrder } from './listing.ts';

/** The type of a symbol is cached for one hour (FEED-06). */
const typeTtlMs = hourMs;
/** Symbols in no catalogue that are remembered at most; the oldest leaves first. */
const cachedTypesMax = 1_000;

export interface Catalogue {
  /** All listed pairs, in order: crypto, stocks, forex, commodities, indices. A new list after each replacement. */
  pairs(this: void): readonly ListedPair[];
  pair(this: void, symbol: string): ListedPair | undefined;
  /** Listed only because something is open on it: the exchange no longer lists it, or not among its largest. */
  isDelisted(this: void, symbol: string): boolean;
  /** The market in the catalogue, else that of the pattern, which is cached for an hour (FEED-01 to FEED-06, A27). */
  marketTypeOf(this: void, symbol: string): MarketType;
  /**
   * Lists `pairs` as the crypto market. Earlier crypto pairs that are not among them stay listed after them if `keep` has
   * them (symbols of open positions and waiting orders). An empty list replaces nothing.
   */
  replaceCrypto(this: void, pairs: readonly ListedPair[], keep: ReadonlySet<string>): void;
  /**
   * Lists crypto pairs of an earlier run that are not listed yet. Without it, a position in a pair that is neither shipped
   * nor among the exchange's fifty largest could not be priced. Pairs of other markets are skipped.
   */
  addDelisted(this: void, pairs: readonly TradingPair[]): void;
}

/** `route` answers for symbols that are not listed. */
export function createCatalogue(
  shipped: readonly ListedPair[],
  clock: Clock,
  route: (symbol: string) => MarketType = marketTypeOf,
): Catalogue {
  const others = shipped.filter(({ type }) => type !== 'crypto');
  let listed: readonly ListedPair[] = [];
  let bySymbol: ReadonlyMap<string, ListedPair> = new Map();
  let delisted: ReadonlySet<string> = new Set();
  const types = new BoundedMap<string, { readonly type: MarketType; readonly until: number }>(cachedTypesMax);

  function list(crypto: readonly ListedPair[]): void {
    listed = withSortOrder([...crypto, ...others]);
    bySymbol = new Map(listed.map((pair) => [pair.symbol, pair]));
  }
  list(shipped.filter(({ type }) => type === 'crypto'));

  const listedCrypto = (): ListedPair[] => listed.filter(({ type }) => type === 'crypto');

  return {
    pairs: () => listed,
    pair: (symbol) => bySymbol.get(symbol),
    isDelisted: (symbol) => delisted.has(symbol),
    marketTypeOf(symbol) {
      const pair = bySymbol.get(symbol);
      if (pair) return pair.type;
      const now = clock.now();
      const known = types.get(symbol);
      if (known && now < known.until) return known.type;
      const type = route(symbol);
      types.setNewest(symbol, { type, until: now + typeTtlMs });
      return type;
    },
    replaceCrypto(pairs, keep) {
      if (pairs.length === 0) return;
      const replacing = new Set(pairs.map(({ symbol }) => symbol));
      const retained = listedCrypto().filter(({ symbol }) => keep.has(symbol) && !replacing.has(symbol));
      delisted = new Set(retained.map(({ symbol }) => symbol));
      list([...pairs, ...retained]);
    },
    addDelisted(pairs) {
      const missing = pairs.filter(({ type, symbol }) => type === 'crypto' && !bySymbol.has(symbol));
      delisted = new Set([...delisted, ...missing.map(({ symbol }) => symbol)]);
      list([...listedCrypto(), ...missing.map((pair) => ({ ...pair, typical: null, yahoo: null }))]);
    },
  };
}
