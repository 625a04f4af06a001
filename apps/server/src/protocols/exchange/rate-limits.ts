/** The limits of keys as this door states them: what its buckets refill in the interval, or hold at once. */
import type { Limits } from '../../platform/limits/index.ts';

/** For as long as the burst of a bucket is meant, s. */
const orderWindowS = 10;

/** Of orders. */
export const orderRateLimits = ({ ordersOfKey }: Pick<Limits, 'ordersOfKey'>) => [
  {
    rateLimitType: 'ORDERS' as const,
    interval: 'SECOND' as const,
    intervalNum: orderWindowS,
    limit: ordersOfKey.burst,
  },
  {
    rateLimitType: 'ORDERS' as const,
    interval: 'MINUTE' as const,
    intervalNum: 1,
    limit: ordersOfKey.perSecond * 60,
  },
];

/** Of weight and orders. */
export const rateLimits = (limits: Pick<Limits, 'weightOfKey' | 'ordersOfKey'>) => [
  {
    rateLimitType: 'REQUEST_WEIGHT' as const,
    interval: 'MINUTE' as const,
    intervalNum: 1,
    limit: limits.weightOfKey.perSecond * 60,
  },
  ...orderRateLimits(limits),
];
