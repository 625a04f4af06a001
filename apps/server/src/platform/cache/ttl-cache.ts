/**
 * Caches promises by key: calls within `ttlMs` of the request share it, also while it is under way. Invariants: a value is
 * never older than `ttlMs`, counted from its request or its
 * last renewal; at most `max` keys are stored, the oldest leaves first; a failure
 * rejects the waiting calls and is not cached.
 */
import type { Clock } from '../clock/index.ts';
import { BoundedMap } from './bounded-map.ts';

interface TtlCache<Value> {
  get(key: string, request: () => Promise<Value>): Promise<Value>;
  /** The stored values of these keys are known to have been right at `atMs`, so they last as if requested then. */
  renew(keys: Iterable<string>, atMs: number): void;
  clear(): void;
}

export function createTtlCache<Value>(
  clock: Pick<Clock, 'now'>,
  { ttlMs, max }: { readonly ttlMs: number; readonly max: number },
): TtlCache<Value> {
  const entries = new BoundedMap<string, { readonly atMs: number; readonly value: Promise<Value> }>(max);
  return {
    get(key, request) {
      const atMs = clock.now();
      const cached = entries.get(key);
      // A clock that was set back must not make it last longer.
      if (cached && Math.abs(atMs - cached.atMs) < ttlMs) return cached.value;
      const entry = { atMs, value: request() };
      entries.setNewest(key, entry);
      entry.value.catch(() => {
        if (entries.get(key)?.value === entry.value) entries.delete(key);
      });
      return entry.value;
    },
    renew(keys, atMs) {
      for (const key of keys) {
        const cached = entries.get(key);
        if (cached) entries.setNewest(key, { ...cached, atMs });
      }
    },
    clear: () => entries.clear(),
  };
}
