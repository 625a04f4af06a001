import { describe, expect, test } from 'vitest';
import { Bucket, defaultLimits, Quotas, quotaOfAddress } from './limits.ts';

describe('a bucket', () => {
  test('gives its burst at once and its rate in the long run', () => {
    const bucket = new Bucket(10, 3, 0);
    expect([1, 2, 3, 4].map(() => bucket.take(0))).toEqual([true, true, true, false]);
    expect(bucket.take(99)).toBe(false);
    expect(bucket.take(200)).toBe(true);
    expect(bucket.isFull(350)).toBe(false);
    expect(bucket.isFull(1_000)).toBe(true);
  });

  test('loses nothing when the clock is set back', () => {
    const bucket = new Bucket(10, 1, 1_000);
    expect(bucket.take(1_000)).toBe(true);
    expect(bucket.take(500)).toBe(false);
    expect(bucket.take(600)).toBe(true);
  });
});

describe('addresses', () => {
  test('are forgotten once they hold nothing and owe nothing, and not before', () => {
    const addresses = new Quotas({
      ...quotaOfAddress(defaultLimits),
      holders: 1,
      attemptsBurst: 2,
      attemptsPerSecond: 1,
    });
    expect(addresses.attempt('a', 0)).toBe(true);
    expect(addresses.open('a')).toBe(true);
    expect(addresses.attempt('b', 0)).toBe(false);
    addresses.sweep(5_000);
    expect(addresses.attempt('b', 5_000)).toBe(false);
    addresses.close('a');
    addresses.sweep(5_000);
    expect(addresses.attempt('b', 5_000)).toBe(true);
    addresses.sweep(5_500);
    expect(addresses.attempt('c', 5_500)).toBe(false);
  });

  test('an address that never attempted opens nothing', () => {
    expect(new Quotas(quotaOfAddress(defaultLimits)).open('a')).toBe(false);
  });
});
