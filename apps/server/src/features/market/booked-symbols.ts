/**
 * Whose levels and trades an exchange is to stream (A114): symbols of net positions and their orders, then those whose book was read
 * lately. One read is enough for a minute, so that a screen that comes and goes costs no message to the exchange.
 */
import type { Clock } from '../../platform/clock/index.ts';

const lingerMs = 60_000;

interface BookedSymbols {
  /** Marks that somebody looked at the book of a symbol, or traded on it. */
  markRead(symbol: string): void;
  /** In order of need: of several that were read, the last one first. */
  booked(): ReadonlySet<string>;
}

export function createBookedSymbols(clock: Clock, inUse: () => ReadonlySet<string>): BookedSymbols {
  /** The time of the last read, by symbol, the oldest first. */
  const readAt = new Map<string, number>();
  return {
    markRead(symbol) {
      readAt.delete(symbol);
      readAt.set(symbol, clock.now());
    },
    booked() {
      // A clock that was set back ends it too.
      for (const [symbol, at] of readAt) if (Math.abs(clock.now() - at) >= lingerMs) readAt.delete(symbol);
      return new Set([...inUse(), ...[...readAt.keys()].reverse()]);
    },
  };
}
