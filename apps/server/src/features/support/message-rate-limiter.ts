/**
 * Limits messages of one user in a sliding window, over all of their conversations and devices. Exact for concurrent
 * messages: a message takes its place before it is stored and returns it on failure.
 *
 * Known limitation: in memory, so a restart resets it; beyond `usersMax` the oldest users are dropped.
 */
import { TooManyAttempts } from '../identity/index.ts';

const usersMax = 20_000;

export interface MessageRateLimit {
  readonly messages: number;
  readonly withinMs: number;
}

/** What a message may take before it is stored: a place, given back when it was none, or none for now. */
export type RateSlot =
  | { readonly kind: 'taken'; readonly release: () => void }
  | { readonly kind: 'refused'; readonly refusal: TooManyAttempts };

export interface MessageRateLimiter {
  take(userId: string): RateSlot;
}

export function createMessageRateLimiter(
  { messages, withinMs }: MessageRateLimit,
  now: () => number,
): MessageRateLimiter {
  /** When each of the last messages was written; who wrote last comes last. */
  const sentAtByUser = new Map<string, readonly number[]>();
  return {
    take(userId) {
      const at = now();
      const recent = (sentAtByUser.get(userId) ?? []).filter((taken) => taken > at - withinMs && taken <= at);
      const [oldest] = recent;
      if (oldest !== undefined && recent.length >= messages) {
        const retryAfterS = Math.max(1, Math.ceil((oldest + withinMs - at) / 1000));
        return { kind: 'refused', refusal: new TooManyAttempts(retryAfterS) };
      }
      sentAtByUser.delete(userId);
      if (sentAtByUser.size >= usersMax) {
        const [longest] = sentAtByUser.keys();
        if (longest !== undefined) sentAtByUser.delete(longest);
      }
      sentAtByUser.set(userId, [...recent, at]);
      const release = () => {
        const taken = sentAtByUser.get(userId) ?? [];
        const place = taken.lastIndexOf(at);
        if (place >= 0) sentAtByUser.set(userId, taken.toSpliced(place, 1));
      };
      return { kind: 'taken', release };
    },
  };
}
