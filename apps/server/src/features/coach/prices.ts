/**
 * What prices did while a trade was open and after it, from the market's bars. Invariants: only bars that lie wholly within count, so
 * no price from before or after is taken for one of the trade; what is final is stored, so a review stays the same when bars are
 * deleted.
 */
import { AppError } from '@fulcrum/contract';
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
import type { Log } from '../../platform/log/index.ts';
import type { Market } from '../market/index.ts';

type Lengths = Pick<ReviewableTrade, 'openedAt' | 'closedAt'>;

/** Bars of one read, at most. */
const barsMax = 500;
/** The finest first; longer trades are read in days. */
const steps = (['1m', '5m', '15m', '1h', '4h'] as const).map((timeframe) => ({
  timeframe,
  lengthMs: intradayMs[timeframe],
}));

/** Null without a bar. `hasGap`: bars within the market's hours are missing. */
interface BarRange {
  readonly range: PriceRange | null;
  readonly hasGap: boolean;
}

interface ReadPrices extends PricesAround {
  /** Whether the time after the trade is over. */
  readonly isFinal: boolean;
  /** Whether the market did not answer: another read may find more. */
  readonly hasFailed: boolean;
}

interface TradePrices {
  /** What is final is stored. */
  read(trade: ReviewableTrade): Promise<ReadPrices>;
}

export function createTradePrices({
  db,
  market,
  now,
  log,
}: {
  readonly db: Database;
  readonly market: Pick<Market, 'candles'>;
  readonly now: () => number;
  readonly log: Log;
}): TradePrices {
  async function rangeOf(symbol: string, from: number, to: number): Promise<BarRange> {
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
    const hasGap = within.some(({ gap }) => gap);
    if (within.length === 0) return { range: null, hasGap };
    const range = {
      high: asPrice(parseDecimal(Math.max(...within.map(({ high }) => high)))),
      low: asPrice(parseDecimal(Math.min(...within.map(({ low }) => low)))),
    };
    return { range, hasGap };
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
      const isOver = now() >= until + completeMs;
      try {
        const during = await rangeOf(symbol, openedAt, closedAt);
        const after = isOver ? await rangeOf(symbol, closedAt, until) : noBars;
        const prices = { during: during.range ?? ownPricesOf(trade), after: after.range };
        // A source that sent nothing for a while may still send it.
        const isFinal = isOver && !during.hasGap && !after.hasGap;
        if (isFinal) await store(trade, prices);
        return { ...prices, isFinal, hasFailed: false };
      } catch (error) {
        // One market without bars must not cost the review of the others.
        log.debug({ err: error, symbol }, 'the prices around a trade could not be read');
        const isUnlisted = error instanceof AppError && error.code === 'unknown_symbol';
        return {
          ...{ during: ownPricesOf(trade), after: null },
          ...{ isFinal: isOver && isUnlisted, hasFailed: !isUnlisted },
        };
      }
    },
  };
}

const noBars: BarRange = { range: null, hasGap: false };
const completeMs = minuteMs;
const afterEndsAt = (trade: Lengths): number => trade.closedAt + followMsOf(trade);

/** Where no bar lies within: the two prices that it did have. */
const ownPricesOf = ({ entryPrice, closePrice }: ReviewableTrade): PriceRange =>
  entryPrice > closePrice ? { high: entryPrice, low: closePrice } : { high: closePrice, low: entryPrice };
