/** What a source says, read: a tick that can be a price is checked, on the pair's grid and dated; its figures of the day are sane. */
import { asPrice, type Price, roundToTick, type TradingPair } from '@fulcrum/domain';
import type { DayFigures, FeedTick, Source } from './feed.ts';
import { type MarketPrice, readPrice } from './price.ts';
import { isProvider } from './price-state.ts';

/** What a timestamp may be in JavaScript and PostgreSQL alike: from 1970 to the year 9999. */
const marketTimeMax = 253_402_300_799_000;
/** Absurd figures of the day are none; larger ones would not fit their columns. */
const figureMax = 1e18;

/** A tick that may become a price. Times in ms since the epoch. */
export interface Heard {
  readonly price: Price;
  readonly source: Source;
  readonly pricedAt: number;
  readonly marketTime: number;
  readonly isOpenBySource: boolean;
  readonly day: DayFigures | null;
}

/** Null when it can be no price (FEED-35, A36). */
export function hear(tick: FeedTick, { tickSize }: TradingPair, now: number): Heard | null {
  const received = readPrice(tick.price);
  const price = received && roundToTick(received, tickSize, 'half-away-from-zero');
  const { source, marketTime, receivedAt = now, marketOpen = true, day = null } = tick;
  if (price === null || price <= 0n) return null;
  if (!(marketTime >= 0 && marketTime <= marketTimeMax) || !(receivedAt >= 0)) return null;
  return {
    price: asPrice(price),
    source,
    // Nobody has heard anything from the future, and a provider whose clock is ahead would silence itself for a while.
    pricedAt: Math.min(receivedAt, now),
    marketTime: isProvider(source) ? Math.min(marketTime, now) : marketTime,
    isOpenBySource: marketOpen,
    day,
  };
}

type Figures = Pick<MarketPrice, 'priceChangePercent' | 'volume' | 'quoteVolume' | 'high24h' | 'low24h'>;
export const noFigures: Figures = {
  priceChangePercent: null,
  volume: 0,
  quoteVolume: 0,
  high24h: null,
  low24h: null,
};
export const readFigures = (day: DayFigures): Figures => ({
  priceChangePercent: figure(day.priceChangePercent),
  volume: figure(day.volume) ?? 0,
  quoteVolume: figure(day.quoteVolume) ?? 0,
  high24h: figure(day.high),
  low24h: figure(day.low),
});
const figure = (value: number | null): number | null =>
  value !== null && Math.abs(value) < figureMax ? value : null;
