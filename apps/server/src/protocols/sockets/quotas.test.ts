import { describe, expect, test } from 'vitest';
import { Quotas } from './quotas.ts';

describe('addresses', () => {
  test('are forgotten once they hold nothing and owe nothing, and not before', () => {
    const addresses = new Quotas({
      sockets: 1,
      holders: 1,
      attempts: { burst: 2, perSecond: 1 },
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
    expect(new Quotas({ sockets: 1, holders: 1, attempts: { burst: 2, perSecond: 1 } }).open('a')).toBe(
      false,
    );
  });
});
