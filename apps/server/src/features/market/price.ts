/** The last price of a symbol in the server's form and in the protocol's form. */
import type { PriceState, Tick } from '@fulcrum/contract';
import { asPrice, type Price, parseDecimal, toNumber, UNIT } from '@fulcrum/domain';
import type { Source } from './feed.ts';

/** Which prices of a cluster's market a process has seen: all frames up to `seq` of a term of the market's duty. */
export interface PriceNumber {
  readonly term: number;
  readonly seq: number;
}

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
  /** A newer price is held (A106), by the hub or by the source: nothing trades on this one. */
  readonly held: boolean;
  /** Over 24 hours of market time, in the units of `Tick`. */
  readonly priceChangePercent: number | null;
  readonly volume: number;
  readonly quoteVolume: number;
  readonly high24h: number | null;
  readonly low24h: number | null;
}

/** The newest price that is held back as absurd (A106), of the same source as the last one. Times in ms since the epoch. */
export interface HeldJump {
  readonly price: Price;
  readonly pricedAt: number;
  readonly marketTime: number;
  /** Since when prices are held back. */
  readonly since: number;
}

/** A last price as it is stored, with what speaks against it: a restart does not end a hold (A110). */
export interface StoredPrice extends MarketPrice {
  readonly heldBack?: HeldJump | null;
}

/**
 * The largest plausible price; anything above is a fault. A short position is liquidated below twice its entry, and its
 * trigger price has to be exact in 53 bits of 1e-8 (trading's trigger index).
 */
export const priceMax = 40_000_000;
export const priceUnitsMax = BigInt(priceMax) * UNIT;

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

/** FEED-07: a polled price older than this is fetched before a trade uses it. */
const freshMs = 2_000;
/**
 * Whether a trade may use a polled price as it is: a young one, or the last one of a market that is closed. One from the future, by a
 * clock that was set back or is another machine's, is as old as it is ahead.
 */
export const isFreshPolled = ({ state, pricedAt }: MarketPrice, now: number): boolean =>
  state === 'closed' || Math.abs(now - pricedAt) < freshMs;

export function tickOf(price: MarketPrice): Tick {
  const { pricedAt, marketTime } = price;
  const pricedAtText = new Date(pricedAt).toISOString();
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
    priced_at: pricedAtText,
    market_time: marketTime === pricedAt ? pricedAtText : new Date(marketTime).toISOString(),
    market_open: price.marketOpen,
    ...(price.held && { held: true as const }),
  };
}
