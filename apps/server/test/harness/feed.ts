/** A price feed that a test controls. */
import type { Source } from '@fulcrum/contract';
import type { Bar, Feed, FeedTick, InjectedFeed } from '../../src/features/market/index.ts';

/** Its controls, as of a recording and of a simulation, change nothing but what they say of themselves. */
export interface ManualFeed extends Feed, Required<Pick<InjectedFeed, 'replay' | 'shock'>> {
  /**
   * Emits one price, a decimal string or number in the quote. Before the start it is kept and emitted then. A jump is
   * taken as genuine unless the test says otherwise.
   */
  setPrice(symbol: string, price: string | number, more?: Partial<Omit<FeedTick, 'symbol' | 'price'>>): void;
  /** From now on this is where its prices come from; what was set before is forgotten, as by another start. */
  changeSource(next: Source): void;
  /** What `candles` answers for the symbol, in every timeframe. */
  setCandles(symbol: string, candles: readonly Bar[]): void;
}

export function createManualFeed(now: () => number = Date.now): ManualFeed {
  let emit: ((tick: FeedTick) => void) | null = null;
  const stored = new Map<string, FeedTick>();
  const bars = new Map<string, readonly Bar[]>();
  let source: Source = 'simulated';
  let controls = {
    ...{ paused: false, speed: 1, actual_speed: 1, loop: false },
    ...{ position_s: 0, begin_s: 0, end_s: 86_400, jump: null },
  };
  return {
    sourceOf: () => source,
    async start(target) {
      emit = target;
      for (const tick of stored.values()) emit({ ...tick, marketTime: now() });
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
    replay: {
      controls: () => controls,
      set: (change) => {
        controls = { ...controls, ...change };
        return controls;
      },
    },
    shock: () => {},
    setPrice(symbol, price, more = {}) {
      const tick: FeedTick = { symbol, source, price, marketTime: now(), breaks: true, ...more };
      stored.set(symbol, tick);
      emit?.(tick);
    },
    changeSource(next) {
      source = next;
      stored.clear();
    },
    setCandles(symbol, candles) {
      bars.set(symbol, candles);
    },
  };
}
