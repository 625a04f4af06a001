/**
 * Weights and order counts of `/fapi`: per key, and per address for calls without one. Answers carry what is used up, as clients
 * pace themselves by these headers. Token buckets stand behind them: a burst is the stated number, and it refills evenly.
 */
import { defaultLimits, type Limits } from '../../platform/limits/index.ts';
import { rateLimitAddress } from '../../platform/rate-limit/address.ts';
import { createRateLimiter } from '../../platform/rate-limit/rate-limiter.ts';
import { TooManyAttempts } from '../../platform/rate-limit/too-many-attempts.ts';
import { exchangeErrors } from './errors.ts';

type DoorLimits = Pick<Limits, 'weightOfKey' | 'weightOfAddress' | 'ordersOfKey'>;

/** A refusal with its `Retry-After`. */
export class DoorLimitReached extends Error {
  readonly retryAfterS: number;
  readonly answer: ReturnType<typeof exchangeErrors.tooManyRequests>;
  constructor(retryAfterS: number, answer: ReturnType<typeof exchangeErrors.tooManyRequests>) {
    super(answer.message);
    this.name = 'DoorLimitReached';
    this.retryAfterS = retryAfterS;
    this.answer = answer;
  }
}

export function createDoorAdmission(limits: DoorLimits = defaultLimits) {
  const keys = createRateLimiter(limits.weightOfKey);
  const addresses = createRateLimiter(limits.weightOfAddress);
  const orders = createRateLimiter(limits.ordersOfKey);

  function take(what: 'requests' | 'orders', charge: () => void): void {
    try {
      charge();
    } catch (error) {
      if (!(error instanceof TooManyAttempts)) throw error;
      const refused = what === 'orders' ? exchangeErrors.tooManyOrders : exchangeErrors.tooManyRequests;
      throw new DoorLimitReached(error.retryAfterS, refused());
    }
  }

  return {
    /** Charges a call and returns the headers of its answer. `keyId`: null for a call without a key. @throws DoorLimitReached */
    admit(
      { weight }: { readonly weight: number },
      ip: string,
      keyId: string | null,
    ): Readonly<Record<string, string>> {
      const [limiter, subject] =
        keyId === null ? ([addresses, rateLimitAddress(ip)] as const) : ([keys, keyId] as const);
      take('requests', () => limiter.take(subject, weight));
      return { 'x-mbx-used-weight-1m': String(limiter.used(subject)) };
    },
    /** Charges `count` orders of a key and returns the headers of the answer. @throws DoorLimitReached */
    admitOrders(keyId: string, count: number): Readonly<Record<string, string>> {
      take('orders', () => orders.take(keyId, count));
      const used = String(orders.used(keyId));
      return { 'x-mbx-order-count-10s': used, 'x-mbx-order-count-1m': used };
    },
    /** What a key has used of its order limit. */
    ordersUsed: (keyId: string): number => orders.used(keyId),
  };
}
export type DoorAdmission = ReturnType<typeof createDoorAdmission>;
