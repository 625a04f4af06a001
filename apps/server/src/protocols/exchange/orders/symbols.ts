/** Symbols of the app and their ids at `/fapi`, both ways. */
import {
  EXCHANGE_QUOTE,
  exchangeNameOf,
  marketTypeOf,
  normaliseSymbol,
  pairsByExchangeId,
  type TradingPair,
} from '@fulcrum/domain';
import type { Market } from '../../../features/market/index.ts';
import { exchangeErrors } from '../errors.ts';

export interface Symbols {
  /** @throws ExchangeError -1121 */
  pairOf(id: string): TradingPair;
  has(id: string): boolean;
  /** Of every pair. */
  pairs(): readonly TradingPair[];
  /** Also of a pair that is gone, as old rows name it. */
  idOf(symbol: string): string;
}

export function createSymbols(market: Pick<Market, 'pair' | 'pairs'>): Symbols {
  let known = { of: [] as readonly TradingPair[], byId: new Map() as ReadonlyMap<string, TradingPair> };

  /** Again when the market lists other pairs. */
  function byId(): ReadonlyMap<string, TradingPair> {
    const pairs = market.pairs();
    if (pairs !== known.of) known = { of: pairs, byId: pairsByExchangeId(pairs) };
    return known.byId;
  }

  return {
    pairOf(id) {
      const pair = byId().get(id);
      if (!pair) throw exchangeErrors.unknownSymbol();
      return pair;
    },
    has: (id) => byId().has(id),
    pairs: () => [...byId().values()],
    idOf(symbol) {
      const pair = market.pair(symbol);
      if (pair) return exchangeNameOf(pair).id;
      return marketTypeOf(symbol) === 'crypto' ? symbol : `${normaliseSymbol(symbol)}${EXCHANGE_QUOTE}`;
    },
  };
}
