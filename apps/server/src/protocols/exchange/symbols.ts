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

export interface Symbols {
  listing(): Listing;
  /** @throws ExchangeError -1121 */
  contractOf(id: string): ListedContract;
  /** @throws ExchangeError -1121 */
  pairOf(id: string): TradingPair;
  has(id: string): boolean;
  /** Every listed pair. */
  pairs(): readonly TradingPair[];
  /** Also of a pair that is gone, as old rows name it. */
  idOf(symbol: string): string;
}

export function createSymbols(market: Pick<Market, 'pair' | 'pairs'>): Symbols {
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

  function contractOf(id: string): ListedContract {
    const contract = listing().byId.get(id);
    if (!contract) throw exchangeErrors.unknownSymbol();
    return contract;
  }

  return {
    listing,
    contractOf,
    pairOf: (id) => contractOf(id).pair,
    has: (id) => listing().byId.has(id),
    pairs: () => listing().all.map(({ pair }) => pair),
    idOf(symbol) {
      const pair = market.pair(symbol);
      if (pair) return exchangeNameOf(pair).id;
      return marketTypeOf(symbol) === 'crypto' ? symbol : `${normaliseSymbol(symbol)}${EXCHANGE_QUOTE}`;
    },
  };
}
