/** A price feed that says what a test tells it to, and nothing else. */
import type { Bar, Feed, FeedTick } from '../../src/features/market/index.ts';

export interface ManualFeed extends Feed {
  /**
   * Emits one price, a decimal string or number in the quote. Before the start it is kept and emitted then. A jump is
   * taken as genuine unless the test says otherwise.
   */
  setPrice(symbol: string, price: string | number, more?: Partial<Omit<FeedTick, 'symbol' | 'price'>>): void;
  /** What `candles` answers for the symbol, in every timeframe. */
  setCandles(symbol: string, candles: readonly Bar[]): void;
}

export function createManualFeed(now: () => number = Date.now): ManualFeed {
  let emit: ((tick: FeedTick) => void) | null = null;
  const kept = new Map<string, FeedTick>();
  const bars = new Map<string, readonly Bar[]>();
  return {
    sourceOf: () => 'simulated',
    async start(target) {
      emit = target;
      for (const tick of kept.values()) emit({ ...tick, marketTime: now() });
    },
    async stop() {
      emit = null;
    },
    async candles(symbol, _timeframe, { limit, before }) {
      const older = (bars.get(symbol) ?? []).filter(
        (bar) => before === null || Date.parse(bar.open_time) < before,
      );
      return older.slice(-limit);
    },
    setPrice(symbol, price, more = {}) {
      const tick: FeedTick = { symbol, source: 'simulated', price, marketTime: now(), breaks: true, ...more };
      kept.set(symbol, tick);
      emit?.(tick);
    },
    setCandles(symbol, candles) {
      bars.set(symbol, candles);
    },
  };
}
