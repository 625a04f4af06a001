/**
 * Which symbols are followed: those in use, those shown on a stream, and those whose price a trade requested a moment ago.
 * The others are polled and stored less often. Invariant: a symbol is followed from the call on that makes it so.
 */
import type { Clock } from '../../platform/clock/index.ts';
import { UseCounter } from '../../platform/rate-limit/use-counter.ts';
import type { IsFollowed } from './feed.ts';

/** A trade is decided within this time after it requested a price; if it succeeds, the symbol is in use. */
const requestedForMs = 10_000;

export interface FollowedSymbols {
  /** Follows this symbol until the returned function is called. */
  follow(symbol: string): () => void;
  /** Follows all symbols until the returned function is called. */
  followAll(): () => void;
  /** Marks a price as requested for a trade. */
  markRequested(symbol: string): void;
  /** Symbols that a stream shows by name. */
  shown(): ReadonlySet<string>;
  /** The symbols followed at this moment; do not cache the result. */
  followed(): IsFollowed;
  /** Whether any client is connected, whatever it displays. */
  hasViewers(): boolean;
}

interface FollowedSymbolsOptions {
  readonly clock: Clock;
  /** Symbols that money hangs on. */
  readonly inUse: () => ReadonlySet<string>;
}

export function createFollowedSymbols({ clock, inUse }: FollowedSymbolsOptions): FollowedSymbols {
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
    follow: (symbol) => streams.begin(symbol),
    followAll: () => streamsOfAll.begin('all'),
    markRequested(symbol) {
      requestedAt.delete(symbol);
      requestedAt.set(symbol, clock.now());
    },
    shown: () => new Set(streams.keys()),
    followed() {
      if (streamsOfAll.total > 0) return () => true;
      forgetOld();
      const used = inUse();
      return (symbol) => streams.of(symbol) > 0 || requestedAt.has(symbol) || used.has(symbol);
    },
    hasViewers() {
      forgetOld();
      return streamsOfAll.total > 0 || streams.total > 0 || requestedAt.size > 0;
    },
  };
}
