/**
 * Rate limits of the protocols that share the database: a token bucket per signed-in user, and per address (`rateLimitAddress`)
 * for callers without a session. A request costs one token; a command write costs one per row, because each row is a
 * command in the shared queue. The buckets are large: no page comes near them, a runaway script does. Requests without a
 * session also pass a fair queue by address, so one address cannot take all places in front of the database (SEC-F6).
 */
import type { Caller, SignedIn } from '@fulcrum/contract';
import { lookupLimits } from '../features/api-keys/index.ts';
import { createFairQueue } from '../platform/fair-queue.ts';
import { defaultLimits, type Limits } from '../platform/limits/index.ts';
import { rateLimitAddress } from '../platform/rate-limit/address.ts';
import { createRateLimiter } from '../platform/rate-limit/rate-limiter.ts';
import type { SharedRates } from '../platform/rate-limit/shared-rates.ts';
import type { Rate } from '../platform/rate-limit/token-bucket.ts';

export type RateLimits = { readonly [L in 'requestsOfUser' | 'requestsOfAddress']: Rate };

/** A small part of the pool's connections and queue: most of both serve signed-in users. */
const anonymousLimits = { runningMax: 6, runningOfOneMax: 3, waitingMax: 600, waitingOfOneMax: 500 };

export type Admission = ReturnType<typeof createAdmission>;

/** One instance serves all protocols of a server. `shared`: the buckets are those of all gateways. */
export function createAdmission(limits: RateLimits | Limits = defaultLimits, shared?: SharedRates) {
  const users = createRateLimiter(limits.requestsOfUser, shared?.rate('requestsOfUser'));
  const addresses = createRateLimiter(limits.requestsOfAddress, shared?.rate('requestsOfAddress'));
  const withAnonymousSlot = createFairQueue(anonymousLimits);
  const withLookupSlot = createFairQueue(lookupLimits);

  return {
    /**
     * Returns the caller that `identify` finds; refused credentials count for the address.
     * @throws TooManyAttempts; what `identify` throws
     */
    admit<C extends Caller>(ip: string, identify: () => C): C {
      let caller: C;
      try {
        caller = identify();
      } catch (error) {
        addresses.take(rateLimitAddress(ip));
        throw error;
      }
      if (caller.role === 'anon') addresses.take(rateLimitAddress(ip));
      // Counts for the actor, not for the impersonated user.
      else users.take(caller.actorId);
      return caller;
    },

    /**
     * Returns the caller whose credential `identify` has to look up; refused ones count for the address, and look-ups pass a fair queue
     * by address.
     * @throws TooManyAttempts; AppError `busy` when too many wait; what `identify` throws
     */
    async admitHolder<C extends SignedIn>(ip: string, identify: () => Promise<C>): Promise<C> {
      const address = rateLimitAddress(ip);
      let caller: C;
      try {
        caller = await withLookupSlot(address, identify);
      } catch (error) {
        addresses.take(address);
        throw error;
      }
      users.take(caller.actorId);
      return caller;
    },

    /**
     * Runs `work` of a request without a session, in the fair queue of its address.
     * @throws TooManyAttempts; AppError `busy` when too many wait; what `work` throws
     */
    async admitStranger<T>(ip: string, work: () => Promise<T>): Promise<T> {
      const address = rateLimitAddress(ip);
      addresses.take(address);
      return withAnonymousSlot(address, work);
    },

    /** Charges a user for further `commands` of a request. @throws TooManyAttempts */
    charge: (userId: string, commands: number): void => users.take(userId, commands),
    /** Charges a user for the further cost of a finished request; missing tokens become a debt. */
    owe: (userId: string, tokens: number): void => users.owe(userId, tokens),
  };
}
