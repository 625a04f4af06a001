/** One quote of the provider: its price with its time, and the figures of its day. */
import { texts } from '@fulcrum/contract';
import { dayMs, hourMs, type MarketType, type Span, toNumber } from '@fulcrum/domain';
import type { DayFigures, FeedTick } from '../../feed.ts';
import { readPrice } from '../../price.ts';
import type { Chart, ChartMeta } from './chart.ts';
import { ChartError } from './chart-error.ts';

export interface Quote {
  readonly symbol: string;
  /** In the provider's unit, above zero. */
  readonly price: number;
  /** Time of the price, and receive time; ms since the epoch. */
  readonly marketTime: number;
  readonly receivedAt: number;
  /** The session that the provider calls the present one; null where it cannot be trusted. */
  readonly session: Span | null;
  readonly day: DayFigures;
}

/**
 * The session of a day as the provider states it, holidays and early closes included. It does so for exchanges; for forex
 * and futures it states that they trade round the clock.
 */
const marketsWithSessions: ReadonlySet<MarketType> = new Set(['stock', 'index']);
/** The present session of an old answer does not apply to a later day. */
const sessionTrustedMs = hourMs;
const rawLengthMax = 64;

/**
 * Reads the price strictly from `regularMarketPrice` (FEED-21), which is the running price also while bars are missing.
 * @param now ms since the epoch
 * @throws ChartError FEED-36, FEED-68, FEED-69
 */
export function readQuote(
  { meta }: Chart,
  { symbol, type }: { symbol: string; type: MarketType },
  now: number,
): Quote {
  const raw = meta.regularMarketPrice;
  if (raw === undefined || raw === null) throw new ChartError('faulty', texts.noPriceData(symbol));
  // A numeric string counts as its number; only a price above zero is accepted (FEED-34, FEED-35, A36).
  const read = typeof raw === 'number' || typeof raw === 'string' ? readPrice(raw) : null;
  if (read === null) {
    const shown = typeof raw === 'string' ? raw : JSON.stringify(raw);
    throw new ChartError('faulty', texts.invalidPrice(symbol, shown.slice(0, rawLengthMax)));
  }
  const price = toNumber(read);
  const seconds = meta.regularMarketTime;
  if (seconds === null || seconds <= 0 || seconds * 1000 > now + dayMs)
    throw new ChartError('faulty', texts.invalidResponse, new Error(`a price of the time ${seconds}`));
  return {
    symbol,
    price,
    // Two clocks always differ a little; a price from the future would block later ones.
    marketTime: Math.min(seconds * 1000, now),
    receivedAt: now,
    session: marketsWithSessions.has(type) ? sessionOf(meta) : null,
    day: dayFigures(meta, price),
  };
}

function sessionOf({ currentTradingPeriod }: ChartMeta): Span | null {
  if (!currentTradingPeriod) return null;
  const { start, end } = currentTradingPeriod.regular;
  const lengthMs = (end - start) * 1000;
  return lengthMs > 0 && lengthMs < dayMs ? { from: start * 1000, to: end * 1000 } : null;
}

const positive = (value: number | null): number | null => (value !== null && value > 0 ? value : null);

function dayFigures(meta: ChartMeta, price: number): DayFigures {
  // `chartPreviousClose` is the close before the requested range, which is the day before only for one day.
  const close =
    positive(meta.previousClose) ?? (meta.range === '1d' ? positive(meta.chartPreviousClose) : null);
  const high = positive(meta.regularMarketDayHigh);
  const low = positive(meta.regularMarketDayLow);
  const volume = positive(meta.regularMarketVolume) ?? 0;
  return {
    // A34: never a number without a close to compare with.
    priceChangePercent: close === null ? null : ((price - close) / close) * 100,
    volume,
    quoteVolume: volume * ((price + (high ?? price) + (low ?? price)) / 3),
    high,
    low,
  };
}

/** Whether the provider states that the market is closed at `now`; its statement counts for an hour. */
export const isShutByProvider = ({ session, receivedAt }: Quote, now: number): boolean =>
  session !== null && now - receivedAt < sessionTrustedMs && (now < session.from || now >= session.to);

/** A quote as a tick at `now`; a cached one keeps its age. */
export const tickOfQuote = (quote: Quote, now: number): FeedTick => ({
  symbol: quote.symbol,
  source: 'yahoo',
  price: quote.price,
  marketTime: quote.marketTime,
  receivedAt: quote.receivedAt,
  ...(isShutByProvider(quote, now) && { marketOpen: false }),
  day: quote.day,
});
