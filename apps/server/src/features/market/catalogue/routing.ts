/**
 * Maps a symbol to its market and to the quote provider's ticker. The shipped catalogue decides first; the specified pattern
 * decides for symbols that the catalogue does not list (A27).
 */
import { texts } from '@fulcrum/contract';
import { forexAssets, marketTypeOf } from '@fulcrum/domain';
import { noPriceError, PriceError } from '../price-error.ts';
import { forexTicker } from './forex.ts';
import { catalogue } from './shipped.ts';

const shipped = new Map(catalogue.map((pair) => [pair.symbol, pair]));

/**
 * The quote provider's ticker of a symbol (FEED-22 to FEED-26). Commodities and indices have one only if the catalogue
 * states it; stocks are called the same; of a forex pair that is not listed the two sides make the ticker (FEED-24).
 * @throws PriceError of the stated text for a commodity, an index (FEED-64, FEED-65) or a market that the provider does not
 *   quote (FEED-66)
 */
export function tickerOf(symbol: string): string {
  const listed = shipped.get(symbol);
  const ticker = listed?.yahoo ?? null;
  switch (listed?.type ?? marketTypeOf(symbol)) {
    case 'stock':
      return ticker ?? symbol;
    case 'forex': {
      if (ticker !== null) return ticker;
      const assets = forexAssets(symbol);
      if (!assets) throw new PriceError(texts.unsupportedMarketType);
      return forexTicker(assets);
    }
    case 'commodity':
      if (ticker === null) throw new PriceError(texts.unsupportedCommodity(symbol));
      return ticker;
    case 'index':
      if (ticker === null) throw new PriceError(texts.unsupportedIndex(symbol));
      return ticker;
    default:
      throw new PriceError(texts.unsupportedMarketType);
  }
}

/** Why the quote provider has no price of a symbol: the specified text of `tickerOf`, or that no provider has one (FEED-69). */
export function unquotedError(symbol: string): PriceError {
  try {
    tickerOf(symbol);
    return noPriceError(symbol);
  } catch (error) {
    if (error instanceof PriceError) return error;
    throw error;
  }
}
