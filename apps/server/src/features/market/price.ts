/** The last price of a symbol as the server holds it, and its form on the wire. */
import type { PriceState, Tick } from '@fulcrum/contract';
import { asPrice, type Price, parseDecimal, toNumber } from '@fulcrum/domain';
import type { Source } from './feed.ts';

export interface MarketPrice {
  readonly symbol: string;
  readonly price: Price;
  readonly source: Source;
  readonly state: PriceState;
  /** Wall time at which the price was received, ms since the epoch: staleness is measured from it. */
  readonly pricedAt: number;
  /** The market's own time, ms since the epoch. */
  readonly marketTime: number;
  readonly marketOpen: boolean;
  /** Over 24 hours of market time, in the units of `Tick`. */
  readonly priceChangePercent: number | null;
  readonly volume: number;
  readonly quoteVolume: number;
  readonly high24h: number | null;
  readonly low24h: number | null;
}

/**
 * Above what any market costs lies nothing but a fault. A short position is liquidated below twice its entry, and what it
 * waits for has to be exact in 53 bits of 1e-8 (trading's trigger index).
 */
export const priceMax = 40_000_000;

const plainDecimal = /^\d{1,20}(\.\d{1,20})?$/;

/**
 * A price as a source sends it, exactly as a decimal of eight places; null unless it is a number above zero that a
 * market can cost. A string counts as the number it spells, but only as a whole (A36).
 */
export function readPrice(value: number | string): Price | null {
  const number = typeof value === 'string' && plainDecimal.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !(number > 0 && number <= priceMax)) return null;
  const price = parseDecimal(number.toFixed(8));
  return price > 0n ? asPrice(price) : null;
}

export function tickOf(price: MarketPrice): Tick {
  return {
    symbol: price.symbol,
    price: toNumber(price.price),
    price_change_percent: price.priceChangePercent,
    volume: price.volume,
    quote_volume: price.quoteVolume,
    high_24h: price.high24h,
    low_24h: price.low24h,
    source: price.source,
    state: price.state,
    priced_at: new Date(price.pricedAt).toISOString(),
    market_time: new Date(price.marketTime).toISOString(),
    market_open: price.marketOpen,
  };
}
