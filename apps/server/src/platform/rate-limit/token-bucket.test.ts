import { describe, expect, test } from 'vitest';
import { TokenBucket } from './token-bucket.ts';

describe('a token bucket', () => {
  test('gives its burst at once and its rate in the long run', () => {
    const bucket = new TokenBucket({ perSecond: 10, burst: 3 }, 0);
    expect([1, 2, 3, 4].map(() => bucket.take(0))).toEqual([true, true, true, false]);
    expect(bucket.take(99)).toBe(false);
    expect(bucket.take(200)).toBe(true);
    expect(bucket.isFull(350)).toBe(false);
    expect(bucket.isFull(1_000)).toBe(true);
  });

  test('loses nothing when the clock is set back', () => {
    const bucket = new TokenBucket({ perSecond: 10, burst: 1 }, 1_000);
    expect(bucket.take(1_000)).toBe(true);
    expect(bucket.take(500)).toBe(false);
    expect(bucket.take(600)).toBe(true);
  });

  test('a clock that is set back and forward again gives one burst at most', () => {
    const bucket = new TokenBucket({ perSecond: 10, burst: 2 }, 1_000);
    expect([bucket.take(1_000), bucket.take(1_000), bucket.take(0)]).toEqual([true, true, false]);
    expect([1, 2, 3].map(() => bucket.take(1_000))).toEqual([true, true, false]);
  });

  test('a debt is paid before the next token, and the wait is stated', () => {
    const bucket = new TokenBucket({ perSecond: 2, burst: 4 }, 0);
    bucket.owe(0, 7);
    expect(bucket.waitS(0)).toBe(2);
    expect(bucket.waitS(1_000, 3)).toBe(2);
    expect(bucket.take(1_999)).toBe(false);
    expect(bucket.take(2_000)).toBe(true);
  });
});
