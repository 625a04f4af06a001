/**
 * The price behind the order form's figures and texts. Invariant: while there are listeners, all of them use the same
 * sample, so a margin in a sentence equals the margin in the summary above it.
 */
import type { LiveSource } from '../../../shared/numbers/index.ts';
import type { PriceStream } from '../../market/index.ts';

const sampledEveryMs = 500;

/** The symbol's price, sampled twice a second; the latest one while nothing listens. */
export function samplePrice(stream: Pick<PriceStream, 'latest' | 'subscribe'>, symbol: string): LiveSource {
  const listeners = new Set<() => void>();
  const latest = () => stream.latest(symbol)?.price;
  let sampled = latest();
  let stop: (() => void) | undefined;
  const sample = () => {
    sampled = latest();
    for (const listener of listeners) listener();
  };
  return {
    get: () => (listeners.size === 0 ? latest() : sampled),
    subscribe: (changed) => {
      // A wrapper of its own, so that the same callback may listen twice.
      const listener = () => changed();
      if (listeners.size === 0) {
        sampled = latest();
        stop = stream.subscribe(symbol, sample, sampledEveryMs);
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop?.();
      };
    },
  };
}
