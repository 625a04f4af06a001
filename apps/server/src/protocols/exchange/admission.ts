/**
 * Weights and order counts of `/fapi`: per user, whose keys share them, and per address for calls without a key. Answers carry what is used up, as clients
 * pace themselves by these headers. Token buckets stand behind them: a burst is the stated number, and it refills evenly.
 */
import { lookupLimits } from '../../features/api-keys/index.ts';
import { createFairQueue } from '../../platform/fair-queue.ts';
import { defaultLimits } from '../../platform/limits/index.ts';
import { rateLimitAddress } from '../../platform/rate-limit/address.ts';
import { createRateLimiter } from '../../platform/rate-limit/rate-limiter.ts';
import type { SharedRates } from '../../platform/rate-limit/shared-rates.ts';
import type { Rate } from '../../platform/rate-limit/token-bucket.ts';
import { TooManyAttempts } from '../../platform/rate-limit/too-many-attempts.ts';
import { ExchangeError, exchangeErrors } from './errors.ts';

/** What a refused key costs its address. */
const refusedWeight = 10;

type DoorLimits = { readonly [L in 'weightOfKeys' | 'weightOfAddress' | 'ordersOfKeys']: Rate };

/** Look-ups of listen keys: a small part of the database's connections, fair to addresses. */
const listenKeyLookups = { runningMax: 6, runningOfOneMax: 3, waitingMax: 600, waitingOfOneMax: 200 };

/** A refusal with its `Retry-After`. */
export class DoorLimitReached extends ExchangeError {
  readonly retryAfterS: number;
  constructor(retryAfterS: number, { status, code, message }: ExchangeError) {
    super(status, code, message);
    this.name = 'DoorLimitReached';
    this.retryAfterS = retryAfterS;
  }
}

export function createDoorAdmission(limits: DoorLimits = defaultLimits, shared?: SharedRates) {
  const users = createRateLimiter(limits.weightOfKeys, shared?.rate('weightOfKeys'));
  const addresses = createRateLimiter(limits.weightOfAddress, shared?.rate('weightOfAddress'));
  const orders = createRateLimiter(limits.ordersOfKeys, shared?.rate('ordersOfKeys'));
  const slots = { key: createFairQueue(lookupLimits), listenKey: createFairQueue(listenKeyLookups) };

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
    /**
     * Runs the look-up of a key or a listen key. An address that has used up its weight looks nothing up, and what is refused
     * (or null, not found) costs it weight. @throws DoorLimitReached; AppError `busy` when too many wait; what `find` throws
     */
    async lookUp<T>(ip: string, what: keyof typeof slots, find: () => Promise<T>): Promise<T> {
      const address = rateLimitAddress(ip);
      take('requests', () => addresses.require(address));
      try {
        const found = await slots[what](address, find);
        if (found === null) addresses.owe(address, refusedWeight);
        return found;
      } catch (error) {
        addresses.owe(address, refusedWeight);
        throw error;
      }
    },
    /** Charges a call and returns the headers of its answer. `userId`: null for a call without a key. @throws DoorLimitReached */
    admit(
      { weight }: { readonly weight: number },
      ip: string,
      userId: string | null,
    ): Readonly<Record<string, string>> {
      const [limiter, subject] =
        userId === null ? ([addresses, rateLimitAddress(ip)] as const) : ([users, userId] as const);
      take('requests', () => limiter.take(subject, weight));
      return { 'x-mbx-used-weight-1m': String(limiter.used(subject)) };
    },
    /** Charges `count` orders of a user and returns the headers of the answer. @throws DoorLimitReached */
    admitOrders(userId: string, count: number): Readonly<Record<string, string>> {
      take('orders', () => orders.take(userId, count));
      const used = String(orders.used(userId));
      return { 'x-mbx-order-count-10s': used, 'x-mbx-order-count-1m': used };
    },
  };
}
export type DoorAdmission = ReturnType<typeof createDoorAdmission>;
