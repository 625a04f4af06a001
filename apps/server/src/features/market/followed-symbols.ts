/**
 * Which symbols are followed: those in use, those shown on a stream, and those whose price a trade requested a moment ago.
 * The others are polled and stored less often. Invariant: a symbol is followed from the call on that makes it so.
 */
import type { Clock } from '../../platform/clock/index.ts';
import { UseCounter } from '../../platform/rate-limit/use-counter.ts';
import type { IsFollowed } from './feed.ts';

/** A trade is decided within this time after it requested a price; if it succeeds, the symbol is in use. */
const requestedForMs = 10_000;

interface FollowedSymbolsOptions {
  readonly clock: Clock;
  /** Symbols that money hangs on. */
  readonly inUse: () => ReadonlySet<string>;
}

export type FollowedSymbols = ReturnType<typeof createFollowedSymbols>;

export function createFollowedSymbols({ clock, inUse }: FollowedSymbolsOptions) {
  const streams = new UseCounter();
  const streamsOfAll = new UseCounter();
  /** Time of the last request, by symbol, oldest first. */
  const requestedAt = new Map<string, number>();

  /** A clock that was set back ends it too. */
  const isRecent = (at: number): boolean => Math.abs(clock.now() - at) < requestedForMs;

  function forgetOld(): void {
    for (const [symbol, at] of requestedAt) {
      if (isRecent(at)) return;
      requestedAt.delete(symbol);
    }
  }

  return {
    /** Follows this symbol until the returned function is called. */
    follow: (symbol: string): (() => void) => streams.begin(symbol),
    /** Follows all symbols until the returned function is called. */
    followAll: (): (() => void) => streamsOfAll.begin('all'),
    /** Marks a price as requested for a trade. */
    markRequested(symbol: string): void {
      requestedAt.delete(symbol);
      requestedAt.set(symbol, clock.now());
    },
    /** Symbols that a stream shows by name. */
    shown: (): ReadonlySet<string> => new Set(streams.keys()),
    /** The symbols followed at this moment; do not cache the result. */
    followed(): IsFollowed {
      if (streamsOfAll.total > 0) return () => true;
      forgetOld();
      const used = inUse();
      return (symbol) => streams.of(symbol) > 0 || requestedAt.has(symbol) || used.has(symbol);
    },
    /** Whether any client is connected, whatever it displays. */
    hasViewers(): boolean {
      forgetOld();
      return streamsOfAll.total > 0 || streams.total > 0 || requestedAt.size > 0;
    },
  };
}
