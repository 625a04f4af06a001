/**
 * The interface between the hub and a source of prices. A feed knows only its own source, nothing of staleness, trading
 * hours, storage or clients: it emits what it receives, and the hub decides what becomes a price. A feed may call `emit`
 * from `start` on, and never after `stop` has resolved.
 */
import type { Candle, Source, Timeframe } from '@fulcrum/contract';
import type { BarPrices, MarketTrade, StreamedBook } from '@fulcrum/domain';

export type { Source } from '@fulcrum/contract';

/** A bar as a source states it; `candles/` determines whether bars are missing before it. */
export type Bar = Omit<Candle, 'gap'>;

type BarFigures = BarPrices & { readonly volume: number; readonly quoteVolume: number };
export const toBar = (start: number, { open, high, low, close, volume, quoteVolume }: BarFigures): Bar => ({
  ...{ open_time: new Date(start).toISOString(), open, high, low, close, volume },
  quote_volume: quoteVolume,
});

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
  /** Wall time of the source's statement, ms since the epoch; left out: now. A cached price keeps its age. */
  readonly receivedAt?: number;
  /** False when the source states that the market is closed; left out, the market is open. */
  readonly marketOpen?: boolean;
  /** The source withholds a newer price (a recording that is paused at a jump): nothing is settled at this one (A110). */
  readonly held?: boolean;
  readonly day?: DayFigures;
  /**
   * The source confirms a break with earlier ticks (a recording that starts over, a recorded shock): the hub accepts this
   * tick whatever its time order and the size of its jump.
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
   * Bars of a listed symbol as the source states them, oldest first, the last one unfinished. Empty only when the source has
   * none that old, never because a closure is longer than the range that was searched.
   * @throws PriceError when a provider cannot be reached
   */
  candles(symbol: string, timeframe: Timeframe, query: CandleQuery): Promise<Bar[]>;
  /**
   * Fetches one price at once, within the provider's budget; concurrent calls share one request. Absent where the feed
   * pushes prices. @throws PriceError
   */
  fetch?(symbol: string): Promise<void>;
  /**
   * Emits the present price of a symbol, which ticks once a second while it is not followed. Absent where prices come from
   * another source; for a symbol of another feed it does nothing.
   */
  emitCurrent?(symbol: string): void;
  /** The book that the exchange has streamed in the last seconds before `now`, ms since the epoch; absent where none is streamed. */
  book?(symbol: string, now: number): StreamedBook | undefined;
  /** The last trades that the exchange has streamed, the newest first; absent where none are. */
  trades?(symbol: string): readonly MarketTrade[];
  /** The providers behind it, for the health page; absent: there is none. */
  providers?(): readonly ProviderState[];
}

/** State of a provider, for operators. */
export interface ProviderState {
  readonly source: Source;
  readonly ok: boolean;
  /** What is wrong, in one line; null while all is well. */
  readonly fault: string | null;
  /** Time of its last answer, ms since the epoch; null: never. */
  readonly receivedAt: number | null;
  /** Symbols that it serves. */
  readonly symbols: number;
}

/** Whether the next price of a symbol has a consumer: it is in use, shown on a stream, or was requested a moment ago. */
export type IsFollowed = (symbol: string) => boolean;

/** Which prices are needed most: a feed with a budget fetches those first. */
export interface Interest {
  /** Symbols of open positions and waiting orders. */
  inUse(): ReadonlySet<string>;
  /** Symbols that a client displays. */
  shown(): ReadonlySet<string>;
  /** Symbols whose depth and trades are of use, those of net positions and their orders first. */
  booked(): ReadonlySet<string>;
}
