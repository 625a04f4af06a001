/**
 * What the hub needs of a source of prices. A feed knows its own source and nothing of staleness, sessions, storage or
 * clients: it emits what it sees, and the hub decides what becomes a price. `emit` may be called from `start` on and
 * never after `stop` has resolved.
 */
import type { Candle, Tick, Timeframe } from '@fulcrum/contract';

export type Source = Tick['source'];

/** Figures of the last 24 hours of market time, in units of the quote (prices) and of the base (volume). */
export interface DayFigures {
  readonly priceChangePercent: number | null;
  readonly volume: number;
  readonly quoteVolume: number;
  readonly high: number | null;
  readonly low: number | null;
}

export interface FeedTick {
  readonly symbol: string;
  /** As the source has it: a number, or the whole of a decimal string (A36). */
  readonly price: number | string;
  /** The market's own time, ms since the epoch. */
  readonly marketTime: number;
  /** False when the source itself says that the market is shut; left out, the market is open. */
  readonly marketOpen?: boolean;
  readonly day?: DayFigures;
  /**
   * The source vouches for a break with what came before (a recording that starts over, a recorded shock): neither the
   * order of times nor the size of the jump speaks against this tick.
   */
  readonly breaks?: boolean;
}

export interface CandleQuery {
  /** At most this many bars, the newest ones. */
  readonly limit: number;
  /** Only bars that opened before this instant, ms since the epoch; null is no bound. */
  readonly before: number | null;
}

export interface Feed {
  readonly source: Source;
  /** Resolves when the feed runs, having emitted every price it knows; rejects when it cannot run at all. */
  start(emit: (tick: FeedTick) => void): Promise<void>;
  stop(): Promise<void>;
  /** Bars of a listed symbol, oldest first, the last one unfinished; empty when the source has none. */
  candles(symbol: string, timeframe: Timeframe, query: CandleQuery): Promise<Candle[]>;
}
