/** The limits of keys as this door states them: what its buckets refill in the interval, or hold at once. */
import type { Limits } from '../../platform/limits/index.ts';

/** For as long as the burst of a bucket is meant, s. */
const orderWindowS = 10;

/** The limits on orders, as `exchangeInfo` states them. */
export const orderRateLimits = ({ ordersOfKeys }: Pick<Limits, 'ordersOfKeys'>) => [
  {
    rateLimitType: 'ORDERS' as const,
    interval: 'SECOND' as const,
    intervalNum: orderWindowS,
    limit: ordersOfKeys.burst,
  },
  {
    rateLimitType: 'ORDERS' as const,
    interval: 'MINUTE' as const,
    intervalNum: 1,
    limit: ordersOfKeys.perSecond * 60,
  },
];

/** The limits on weight and orders, as `exchangeInfo` states them. */
export const rateLimits = (limits: Pick<Limits, 'weightOfKeys' | 'ordersOfKeys'>) => [
  {
    rateLimitType: 'REQUEST_WEIGHT' as const,
    interval: 'MINUTE' as const,
    intervalNum: 1,
    limit: limits.weightOfKeys.perSecond * 60,
  },
  ...orderRateLimits(limits),
];
