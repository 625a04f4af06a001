/**
 * How often a caller may ask: a token bucket per signed-in user, and per address for callers without a session (by
 * `addressOf`). A request costs a token, and a write that commands carry out one for every further row of it: a hundred
 * orders are a hundred commands in the queue that everybody shares. Generous: no page comes near it, a runaway script does.
 * Known limitation: the buckets are in memory, so a restart fills them; beyond `bucketsMax` the oldest are forgotten.
 */
import { TooManyAttempts } from '../../features/accounts/index.ts';

export interface RateLimit {
  /** Requests at once. */
  readonly burst: number;
  /** Requests per second in the long run. */
  readonly perSecond: number;
}
export interface RateLimits {
  readonly perUser: RateLimit;
  readonly perAddress: RateLimit;
}
export const rateLimits: RateLimits = {
  perUser: { burst: 1000, perSecond: 100 },
  // A class of thirty behind one address reads prices here before it signs in.
  perAddress: { burst: 1500, perSecond: 150 },
};

const bucketsMax = 20_000;

interface Bucket {
  tokens: number;
  /** When `tokens` was true, ms. */
  at: number;
}

/** `now` is any clock in ms that does not jump. */
export function createRateLimiter(limit: RateLimit, now: () => number = () => performance.now()) {
  const buckets = new Map<string, Bucket>();
  return {
    /** Takes `tokens`, at most the burst, or none. @throws TooManyAttempts when there are not that many. */
    take(key: string, tokens = 1): void {
      const at = now();
      let bucket = buckets.get(key);
      if (!bucket) {
        if (buckets.size >= bucketsMax) {
          const [oldest] = buckets.keys();
          if (oldest !== undefined) buckets.delete(oldest);
        }
        bucket = { tokens: limit.burst, at };
        buckets.set(key, bucket);
      }
      const refilled = bucket.tokens + ((at - bucket.at) / 1000) * limit.perSecond;
      bucket.tokens = Math.min(limit.burst, refilled);
      bucket.at = at;
      if (bucket.tokens < tokens) {
        throw new TooManyAttempts(Math.max(1, Math.ceil((tokens - bucket.tokens) / limit.perSecond)));
      }
      bucket.tokens -= tokens;
    },
    /** Keys that are remembered. */
    size: () => buckets.size,
  };
}
