/**
 * Facts on the provider's tickers besides their names, which the catalogue has: the unit of a quote, and the symbols that an
 * answer may have. Prices stay in the provider's unit, as the catalogue lists them. A quote in another unit would be wrong by
 * a factor of a hundred, or inverted (`EUR=X` is dollars in euros).
 * Known limitation: points of an index are taken as they are, in whatever currency the index is counted.
 */
import type { MarketType, TradingPair } from '@fulcrum/domain';
import type { ListedPair } from '../../catalogue/index.ts';

/** A pair with the provider's ticker, if it has one. */
export type QuotedPair = TradingPair & Pick<ListedPair, 'yahoo'>;

/** What an answer must be about for its price to be accepted. */
export interface ExpectedTicker {
  readonly symbol: string;
  readonly ticker: string;
  /** Other names of the same ticker. */
  readonly aliases: readonly string[];
  /** As the provider writes it: USD, JPY; USX is US cents, GBp pence. null: any. */
  readonly currency: string | null;
}

/** Grains and softs are quoted in US cents, and so they are in the catalogue. */
const inUsCents: ReadonlySet<string> = new Set(['ZC=F', 'ZW=F', 'ZS=F', 'SB=F', 'KC=F', 'CT=F']);

export function toExpectedTicker(pair: TradingPair, ticker: string): ExpectedTicker {
  const { symbol, type, baseAsset, quoteAsset } = pair;
  const currency = type === 'index' ? null : inUsCents.has(ticker) ? 'USX' : quoteAsset;
  // USD/JPY is requested as JPY=X and may answer to its long name.
  const aliases = type === 'forex' ? [`${baseAsset}${quoteAsset}=X`] : [];
  return { symbol, ticker, aliases, currency };
}

/** A symbol of each market that the provider certainly has. */
export const probeSymbols = {
  stock: 'AAPL',
  forex: 'EUR/USD',
  commodity: 'XAUUSD',
  index: 'SPX',
} as const satisfies Record<Exclude<MarketType, 'crypto'>, string>;
