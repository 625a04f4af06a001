/** Symbols of the app and their names at `/fapi`, both ways; one instance serves the whole door. */
import {
  EXCHANGE_QUOTE,
  exchangeNameOf,
  marketTypeOf,
  normaliseSymbol,
  pairsByExchangeId,
  type TradingPair,
} from '@fulcrum/domain';
import type { Market } from '../../features/market/index.ts';
import { exchangeErrors } from './errors.ts';

export interface ListedContract {
  readonly id: string;
  readonly baseAsset: string;
  readonly pair: TradingPair;
}

/** The same object until the market lists other pairs. */
export interface Listing {
  readonly all: readonly ListedContract[];
  readonly byId: ReadonlyMap<string, ListedContract>;
}

export type Symbols = ReturnType<typeof createSymbols>;

export function createSymbols(market: Pick<Market, 'pair' | 'pairs'>) {
  let pairs: readonly TradingPair[] = [];
  let known: Listing = { all: [], byId: new Map() };

  function listing(): Listing {
    const current = market.pairs();
    if (current === pairs) return known;
    const byId = new Map(
      [...pairsByExchangeId(current)].map(([id, pair]) => [
        id,
        { id, baseAsset: exchangeNameOf(pair).baseAsset, pair },
      ]),
    );
    pairs = current;
    known = { all: [...byId.values()], byId };
    return known;
  }

  /** @throws ExchangeError -1121 */
  function contractOf(id: string): ListedContract {
    const contract = listing().byId.get(id);
    if (!contract) throw exchangeErrors.unknownSymbol();
    return contract;
  }

  return {
    listing,
    contractOf,
    /** @throws ExchangeError -1121 */
    pairOf: (id: string): TradingPair => contractOf(id).pair,
    has: (id: string): boolean => listing().byId.has(id),
    /** Every listed pair. */
    pairs: (): readonly TradingPair[] => listing().all.map(({ pair }) => pair),
    /** Also of a pair that is gone, as old rows name it. */
    idOf(symbol: string): string {
      const pair = market.pair(symbol);
      if (pair) return exchangeNameOf(pair).id;
      return marketTypeOf(symbol) === 'crypto' ? symbol : `${normaliseSymbol(symbol)}${EXCHANGE_QUOTE}`;
    },
  };
}
