/**
 * Which symbols are followed: those in use, those shown on a stream, and those whose price a trade requested a moment ago.
 * The others are polled and stored less often. Invariant: a symbol is followed from the call on that makes it so.
 */
import type { Clock } from '../../platform/clock/index.ts';
import type { IsFollowed } from './feed.ts';

/** A trade is decided within this time after it requested a price; if it succeeds, the symbol is in use. */
const requestedForMs = 10_000;

export interface FollowedSymbols {
  /** Follows this symbol until the returned function is called. */
  watch(symbol: string): () => void;
  /** Follows all symbols until the returned function is called. */
  watchAll(): () => void;
  /** Marks a price as requested for a trade. */
  markRequested(symbol: string): void;
  /** Symbols that are looked at by name. */
  watched(): ReadonlySet<string>;
  /** The symbols followed at this moment; do not cache the result. */
  followed(): IsFollowed;
  /** Whether any client is connected, whatever it displays. */
  hasViewers(): boolean;
}

export interface FollowedSymbolsOptions {
  readonly clock: Clock;
  /** Symbols that money hangs on. */
  readonly inUse: () => ReadonlySet<string>;
}

export function createFollowedSymbols({ clock, inUse }: FollowedSymbolsOptions): FollowedSymbols {
  const watchers = new Map<string, number>();
  let watchersOfAll = 0;
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
    watch(symbol) {
      watchers.set(symbol, (watchers.get(symbol) ?? 0) + 1);
      return runOnce(() => {
        const left = (watchers.get(symbol) ?? 1) - 1;
        if (left > 0) watchers.set(symbol, left);
        else watchers.delete(symbol);
      });
    },
    watchAll() {
      watchersOfAll += 1;
      return runOnce(() => {
        watchersOfAll -= 1;
      });
    },
    markRequested(symbol) {
      requestedAt.delete(symbol);
      requestedAt.set(symbol, clock.now());
    },
    watched: () => new Set(watchers.keys()),
    followed() {
      if (watchersOfAll > 0) return () => true;
      forgetOld();
      const used = inUse();
      return (symbol) => watchers.has(symbol) || requestedAt.has(symbol) || used.has(symbol);
    },
    hasViewers() {
      forgetOld();
      return watchersOfAll > 0 || watchers.size > 0 || requestedAt.size > 0;
    },
  };
}

function runOnce(run: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    run();
  };
}
