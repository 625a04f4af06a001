/**
 * The pairs as a running server lists them: the shipped ones, of which the crypto part gives way to the exchange's own.
 * Invariants: a pair that somebody's money hangs on stays listed; a shipped pair of another market never leaves; a market
 * of fifty pairs does not become an empty one because an answer was.
 */
import { type MarketType, marketTypeOf, type TradingPair } from '@fulcrum/domain';
import type { Clock } from '../../../platform/clock/index.ts';
import { type ListedPair, numbered } from './listing.ts';

/** FEED-06. */
const typeKeptMs = 3_600_000;
/** Symbols in no catalogue that are remembered at most; the oldest leaves first. */
const keptTypesMax = 1_000;

export interface Catalogue {
  /** All listed pairs, in order: crypto, stocks, forex, commodities, indices. A new list after each replacement. */
  pairs(this: void): readonly ListedPair[];
  pair(this: void, symbol: string): ListedPair | undefined;
  /** Kept for what is open on it alone: the exchange lists it no more, or not among its largest. */
  isFormer(this: void, symbol: string): boolean;
  /** The catalogue's word, else that of the pattern, which is kept for an hour (FEED-01 to FEED-06, A27). */
  marketTypeOf(this: void, symbol: string): MarketType;
  /**
   * Lists `pairs` as the crypto market. Crypto pairs listed before that are not among them stay, after them, if they are
   * in `keep` (symbols of open positions and waiting orders). An empty list replaces nothing.
   */
  replaceCrypto(this: void, pairs: readonly ListedPair[], keep: ReadonlySet<string>): void;
  /**
   * Lists crypto pairs of an earlier run too, unless they are listed: without it a position in a pair that is neither
   * shipped nor among the exchange's fifty largest any more could not be priced. Pairs of other markets are left out.
   */
  listFormer(this: void, pairs: readonly TradingPair[]): void;
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
  let former: ReadonlySet<string> = new Set();
  const types = new Map<string, { readonly type: MarketType; readonly until: number }>();

  function list(crypto: readonly ListedPair[]): void {
    listed = numbered([...crypto, ...others]);
    bySymbol = new Map(listed.map((pair) => [pair.symbol, pair]));
  }
  list(shipped.filter(({ type }) => type === 'crypto'));

  const listedCrypto = (): ListedPair[] => listed.filter(({ type }) => type === 'crypto');

  return {
    pairs: () => listed,
    pair: (symbol) => bySymbol.get(symbol),
    isFormer: (symbol) => former.has(symbol),
    marketTypeOf(symbol) {
      const pair = bySymbol.get(symbol);
      if (pair) return pair.type;
      const now = clock.now();
      const known = types.get(symbol);
      if (known && now < known.until) return known.type;
      const type = route(symbol);
      types.delete(symbol);
      const oldest = types.size >= keptTypesMax ? types.keys().next() : undefined;
      if (oldest && !oldest.done) types.delete(oldest.value);
      types.set(symbol, { type, until: now + typeKeptMs });
      return type;
    },
    replaceCrypto(pairs, keep) {
      if (pairs.length === 0) return;
      const replacing = new Set(pairs.map(({ symbol }) => symbol));
      const kept = listedCrypto().filter(({ symbol }) => keep.has(symbol) && !replacing.has(symbol));
      former = new Set(kept.map(({ symbol }) => symbol));
      list([...pairs, ...kept]);
    },
    listFormer(pairs) {
      const missing = pairs.filter(({ type, symbol }) => type === 'crypto' && !bySymbol.has(symbol));
      former = new Set([...former, ...missing.map(({ symbol }) => symbol)]);
      list([...listedCrypto(), ...missing.map((pair) => ({ ...pair, typical: null, yahoo: null }))]);
    },
  };
}
