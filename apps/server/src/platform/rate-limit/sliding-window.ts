/**
 * Counts attempts per key in a sliding window, in memory. Exact for concurrent attempts: an attempt takes its slot before its
 * work and releases it when it does not count.
 *
 * Known limitation: a restart resets it; beyond `keysMax` the keys without an attempt for the longest time are dropped.
 */
import { BoundedMap } from '../cache/bounded-map.ts';
import type { WindowLimit } from '../limits/index.ts';
import { TooManyAttempts } from './too-many-attempts.ts';

const keysMax = 20_000;

/** What an attempt may take before its work: a slot, released when it does not count, or none for now. */
export type WindowSlot =
  | { readonly kind: 'taken'; readonly release: () => void }
  | { readonly kind: 'refused'; readonly refusal: TooManyAttempts };

export interface SlidingWindow {
  take(key: string): WindowSlot;
}

export function createSlidingWindow(
  { attemptsMax, windowMs }: Pick<WindowLimit, 'attemptsMax' | 'windowMs'>,
  now: () => number,
): SlidingWindow {
  /** When each attempt of the window was made; the key of the last attempt comes last. */
  const attemptsByKey = new BoundedMap<string, readonly number[]>(keysMax);
  return {
    take(key) {
      const at = now();
      const recent = (attemptsByKey.get(key) ?? []).filter((taken) => taken > at - windowMs && taken <= at);
      const [oldest] = recent;
      if (oldest !== undefined && recent.length >= attemptsMax) {
        return { kind: 'refused', refusal: new TooManyAttempts((oldest + windowMs - at) / 1000) };
      }
      attemptsByKey.setNewest(key, [...recent, at]);
      const release = () => {
        const taken = attemptsByKey.get(key) ?? [];
        const index = taken.lastIndexOf(at);
        if (index >= 0) attemptsByKey.set(key, taken.toSpliced(index, 1));
      };
      return { kind: 'taken', release };
    },
  };
}
