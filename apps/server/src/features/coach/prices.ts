/**
 * What prices did while a trade was open and after it, from the market's bars. Invariants: only bars that lie wholly within count, so
 * no price from before or after is taken for one of the trade; what is final is stored, so a review stays the same when bars are
 * deleted.
 */
import {
  asPrice,
  dayMs,
  followMsOf,
  intradayMs,
  minuteMs,
  type Price,
  type PriceRange,
  type PricesAround,
  parseDecimal,
  type ReviewableTrade,
  toDecimalString,
} from '@fulcrum/domain';
import type { Database } from '../../platform/database/index.ts';
import type { Market } from '../market/index.ts';

type Lengths = Pick<ReviewableTrade, 'openedAt' | 'closedAt'>;

/** Bars of one read, at most. */
const barsMax = 500;
/** The finest first; longer trades are read in days. */
const steps = (['1m', '5m', '15m', '1h', '4h'] as const).map((timeframe) => ({
  timeframe,
  lengthMs: intradayMs[timeframe],
}));

export interface ReadPrices extends PricesAround {
  /** Whether the time after the trade is over. */
  readonly isFinal: boolean;
}

export interface TradePrices {
  /** What is final is stored. */
  read(trade: ReviewableTrade): Promise<ReadPrices>;
}

export function createTradePrices({
  db,
  market,
  now,
}: {
  readonly db: Database;
  readonly market: Pick<Market, 'candles'>;
  readonly now: () => number;
}): TradePrices {
  /** Null where no bar lies within. */
  async function rangeOf(symbol: string, from: number, to: number): Promise<PriceRange | null> {
    const step = steps.find(({ lengthMs }) => to - from <= barsMax * lengthMs);
    const { timeframe, lengthMs } = step ?? { timeframe: '1d' as const, lengthMs: dayMs };
    // A trading day may begin hours before the day it is named after.
    const margin = timeframe === '1d' ? dayMs : 0;
    const limit = Math.min(Math.ceil((to - from) / lengthMs) + 1, 1_000);
    const bars = await market.candles(symbol, timeframe, { limit, before: to }, 'stored');
    const within = bars.filter((bar) => {
      const opened = Date.parse(bar.open_time);
      return opened - margin >= from && opened + lengthMs <= to;
    });
    if (within.length === 0) return null;
    return {
      high: asPrice(parseDecimal(Math.max(...within.map(({ high }) => high)))),
      low: asPrice(parseDecimal(Math.min(...within.map(({ low }) => low)))),
    };
  }

  async function store(trade: ReviewableTrade, { during, after }: PricesAround): Promise<void> {
    const text = (price: Price | undefined) => (price === undefined ? null : toDecimalString(price));
    await db.query(
      `insert into app.trade_prices (position_id, opened_at, closed_at, high_during, low_during, high_after, low_after)
       select p.id, p.created_at, p.closed_at, $2, $3, $4, $5 from app.positions p where p.id = $1 and p.status = 'closed'
         and round(extract(epoch from p.created_at) * 1000) = $6 and round(extract(epoch from p.closed_at) * 1000) = $7
       on conflict (position_id) do update set
         opened_at = excluded.opened_at, closed_at = excluded.closed_at, high_during = excluded.high_during,
         low_during = excluded.low_during, high_after = excluded.high_after, low_after = excluded.low_after`,
      [
        trade.id,
        ...[text(during?.high), text(during?.low), text(after?.high), text(after?.low)],
        ...[trade.openedAt, trade.closedAt],
      ],
      'store_trade_prices',
    );
  }

  return {
    async read(trade) {
      const { symbol, openedAt, closedAt } = trade;
      const until = afterEndsAt(trade);
      // The last bar is complete a moment after its end.
      const isFinal = now() >= until + completeMs;
      const bars = await rangeOf(symbol, openedAt, closedAt);
      const after = isFinal ? await rangeOf(symbol, closedAt, until) : null;
      const prices = { during: withOwnPrices(bars, trade), after };
      if (isFinal) await store(trade, prices);
      return { ...prices, isFinal };
    },
  };
}

const completeMs = minuteMs;
const afterEndsAt = (trade: Lengths): number => trade.closedAt + followMsOf(trade);

/** Entry and close are prices of the trade whatever the bars say. */
function withOwnPrices(bars: PriceRange | null, { entryPrice, closePrice }: ReviewableTrade): PriceRange {
  const prices = [entryPrice, closePrice, ...(bars ? [bars.high, bars.low] : [])];
  return {
    high: prices.reduce((one, other) => (one > other ? one : other)),
    low: prices.reduce((one, other) => (one < other ? one : other)),
  };
}
