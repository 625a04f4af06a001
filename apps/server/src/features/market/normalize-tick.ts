/** Normalizes a source's tick: checks it, rounds it to the pair's grid, dates it, and drops implausible figures of the day. */
import { asPrice, type Price, roundToTick, type TradingPair } from '@fulcrum/domain';
import type { DayFigures, FeedTick, Source } from './feed.ts';
import { type MarketPrice, readPrice } from './price.ts';
import { isProvider } from './price-state.ts';

/** What a timestamp may be in JavaScript and PostgreSQL alike: from 1970 to the year 9999. */
const marketTimeMax = 253_402_300_799_000;
/** How far a provider's clock may be ahead of ours. What it dates further ahead counts as of its arrival. */
export const clockLeadMsMax = 5_000;
/** Absurd figures of the day are none; larger ones would not fit their columns. */
const figureMax = 1e18;

/** A tick that may become a price. Times in ms since the epoch. */
export interface NormalizedTick {
  readonly price: Price;
  readonly source: Source;
  readonly pricedAt: number;
  readonly marketTime: number;
  /** The source dated it so far ahead that `marketTime` is ours, and later ticks are not older than it. */
  readonly isAhead: boolean;
  readonly isOpenBySource: boolean;
  readonly isHeldBySource: boolean;
  readonly day: DayFigures | null;
}

/** Null when it can be no price (FEED-35, A36). */
export function normalizeTick(tick: FeedTick, { tickSize }: TradingPair, now: number): NormalizedTick | null {
  const received = readPrice(tick.price);
  const price = received && roundToTick(received, tickSize, 'half-away-from-zero');
  const { source, marketTime, receivedAt = now, marketOpen = true, held = false, day = null } = tick;
  if (price === null || price <= 0n) return null;
  if (!(marketTime >= 0 && marketTime <= marketTimeMax) || !(receivedAt >= 0)) return null;
  return {
    price: asPrice(price),
    source,
    // A time in the future is not accepted: a provider whose clock is ahead would block its own later ticks.
    pricedAt: Math.min(receivedAt, now),
    marketTime: isProvider(source) ? Math.min(marketTime, now) : marketTime,
    isAhead: isProvider(source) && marketTime > now + clockLeadMsMax,
    isOpenBySource: marketOpen,
    isHeldBySource: held,
    day,
  };
}

type PriceDayFigures = Pick<
  MarketPrice,
  'priceChangePercent' | 'volume' | 'quoteVolume' | 'high24h' | 'low24h'
>;
export const emptyDayFigures: PriceDayFigures = {
  priceChangePercent: null,
  volume: 0,
  quoteVolume: 0,
  high24h: null,
  low24h: null,
};
export const normalizeDayFigures = (day: DayFigures): PriceDayFigures => ({
  priceChangePercent: normalizeFigure(day.priceChangePercent),
  volume: normalizeFigure(day.volume) ?? 0,
  quoteVolume: normalizeFigure(day.quoteVolume) ?? 0,
  high24h: normalizeFigure(day.high),
  low24h: normalizeFigure(day.low),
});
const normalizeFigure = (value: number | null): number | null =>
  value !== null && Math.abs(value) < figureMax ? value : null;
