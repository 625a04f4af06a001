/**
 * A token bucket per key: a user, or an address. Known limitation: in memory, so a restart fills all buckets; beyond
 * `bucketsMax` the oldest are dropped.
 */
import { BoundedMap } from '../cache/bounded-map.ts';
import type { ShareRate } from './shared-rates.ts';
import { type Rate, TokenBucket } from './token-bucket.ts';
import { TooManyAttempts } from './too-many-attempts.ts';

const bucketsMax = 20_000;

/**
 * `share`: the bucket of a key is one over all gateways; left out, this process is alone. `now` is any clock in ms that does not jump.
 */
export function createRateLimiter(
  rate: Rate,
  share?: ShareRate,
  now: () => number = () => performance.now(),
) {
  const buckets = new BoundedMap<string, TokenBucket>(bucketsMax);

  function bucketOf(key: string, nowMs: number): TokenBucket {
    const bucket = buckets.get(key) ?? new TokenBucket(rate, nowMs);
    buckets.set(key, bucket);
    return bucket;
  }

  const owe = (key: string, tokens: number): void => {
    const nowMs = now();
    bucketOf(key, nowMs).owe(nowMs, tokens);
  };
  const announce = share?.(owe);

  return {
    /** Takes `tokens` (at most the burst) or none. @throws TooManyAttempts when there are not that many. */
    take(key: string, tokens = 1): void {
      const nowMs = now();
      const bucket = bucketOf(key, nowMs);
      if (!bucket.take(nowMs, tokens)) throw new TooManyAttempts(bucket.waitS(nowMs, tokens));
      announce?.(key, tokens);
    },
    /** Takes nothing. @throws TooManyAttempts when there is no token. */
    require(key: string): void {
      const nowMs = now();
      const waitS = buckets.get(key)?.waitS(nowMs) ?? 0;
      if (waitS > 0) throw new TooManyAttempts(waitS);
    },
    /** Takes any number of `tokens` for finished work; missing ones become a debt that is paid before the next request. */
    owe(key: string, tokens: number): void {
      owe(key, tokens);
      announce?.(key, tokens);
    },
    /** How much of the burst `key` has used up, in whole tokens. */
    used: (key: string): number => buckets.get(key)?.used(now()) ?? 0,
    /** Number of stored keys. */
    size: () => buckets.size,
  };
}
