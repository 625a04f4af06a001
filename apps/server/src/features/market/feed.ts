/**
 * What the hub needs of a source of prices. A feed knows its own source and nothing of staleness, sessions, storage or
 * clients: it emits what it sees, and the hub decides what becomes a price. `emit` may be called from `start` on and
 * never after `stop` has resolved.
 */
import type { Candle, Source, Timeframe } from '@fulcrum/contract';

export type { Source } from '@fulcrum/contract';

/** A bar as a source has it; whether bars are missing before it is for `candles/` to say. */
export type Bar = Omit<Candle, 'gap'>;

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
  readonly source: Source;
  /** As the source has it: a number, or the whole of a decimal string (A36). */
  readonly price: number | string;
  /** The market's own time, ms since the epoch. */
  readonly marketTime: number;
  /** Wall time at which the source said so, ms since the epoch; left out: now. A price from a cache keeps its age. */
  readonly receivedAt?: number;
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
  /**
   * Where the symbol's prices come from: set by the time `start` resolves, or, where the source is still being looked for,
   * null until it is known. Never changes from one source to another while the process runs.
   */
  sourceOf(symbol: string): Source | null;
  /** Resolves when the feed runs, having emitted every price it knows; rejects when it cannot run at all. */
  start(emit: (tick: FeedTick) => void): Promise<void>;
  stop(): Promise<void>;
  /**
   * Bars of a listed symbol as the source itself has them, oldest first, the last one unfinished; empty only when it has
   * none so old, not because a closure is longer than what was looked at.
   * @throws PriceError when a provider cannot be asked
   */
  candles(symbol: string, timeframe: Timeframe, query: CandleQuery): Promise<Bar[]>;
  /**
   * Asks for one price at once, within the provider's budget; calls that arrive together share one request. Absent where
   * prices come by themselves. @throws PriceError
   */
  fetch?(symbol: string): Promise<void>;
  /** The providers behind it, for the health page; absent: there is none. */
  providers?(): readonly ProviderState[];
}

/** How a provider does, as an operator wants to know it. */
export interface ProviderState {
  readonly source: Source;
  readonly ok: boolean;
  /** What is wrong, in one line; null while all is well. */
  readonly fault: string | null;
  /** When it last said something, ms since the epoch; null: never. */
  readonly heardAt: number | null;
  /** Symbols that it serves. */
  readonly symbols: number;
}

/** Which prices are needed most: a feed with a budget asks for those first. */
export interface Interest {
  /** Symbols of open positions and waiting orders. */
  inUse(): ReadonlySet<string>;
  /** Symbols that somebody looks at. */
  watched(): ReadonlySet<string>;
}
