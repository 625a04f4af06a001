/** The pairs by their names at this door, and how their figures are printed. */
import {
  exchangeNameOf,
  formatFixed,
  type Price,
  pairsByExchangeId,
  priceDecimals,
  sizeDecimals,
  type TradingPair,
} from '@fulcrum/domain';
import type { Market } from '../../../features/market/index.ts';
import { exchangeErrors } from '../errors.ts';

export interface ListedContract {
  readonly id: string;
  readonly baseAsset: string;
  readonly pair: TradingPair;
}

export interface Listing {
  readonly all: readonly ListedContract[];
  readonly byId: ReadonlyMap<string, ListedContract>;
}

/** Returns the listing, which is built again when the list of pairs changes. */
export function createListing(market: Pick<Market, 'pairs'>): () => Listing {
  let pairs: readonly TradingPair[] = [];
  let listing: Listing = { all: [], byId: new Map() };
  return () => {
    const current = market.pairs();
    if (current === pairs) return listing;
    const byId = new Map(
      [...pairsByExchangeId(current)].map(([id, pair]) => [
        id,
        { id, baseAsset: exchangeNameOf(pair).baseAsset, pair },
      ]),
    );
    pairs = current;
    listing = { all: [...byId.values()], byId };
    return listing;
  };
}

/** @throws ExchangeError -1121 */
export function requireContract({ byId }: Listing, id: string): ListedContract {
  const contract = byId.get(id);
  if (!contract) throw exchangeErrors.unknownSymbol();
  return contract;
}

export const priceText = (price: Price, pair: TradingPair): string => formatFixed(price, priceDecimals(pair));
/** Of figures that the market states as numbers: prices, amounts in base units, and values in USDT. */
export const priceTextOf = (price: number, pair: TradingPair): string => price.toFixed(priceDecimals(pair));
export const volumeText = (volume: number, pair: TradingPair): string => volume.toFixed(sizeDecimals(pair));
export const valueText = (value: number): string => value.toFixed(8);
