/** The feed of a measured server: prices that the measurement states. */
import type { Feed, FeedTick } from '../apps/server/src/features/market/index.ts';

/** By symbol. */
type Prices = Readonly<Record<string, FeedTick['price']>>;

/** Emits `pricesNow` at the start, every `everyMs`, and on `emit`. It vouches for jumps, which the hub would hold. */
export function createBenchFeed(everyMs: number, pricesNow: () => Prices): Feed & { emit(): void } {
  let timer: NodeJS.Timeout | undefined;
  let send: ((tick: FeedTick) => void) | undefined;
  const emit = (): void => {
    for (const [symbol, price] of Object.entries(pricesNow())) {
      send?.({ symbol, source: 'simulated', price, marketTime: Date.now(), breaks: true });
    }
  };
  return {
    sourceOf: () => 'simulated',
    async start(emitTick) {
      send = emitTick;
      emit();
      timer = setInterval(emit, everyMs);
    },
    async stop() {
      clearInterval(timer);
    },
    candles: async () => [],
    emit,
  };
}
