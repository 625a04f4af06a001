/**
 * Caches for a second whether a manager manages a user, a check that runs for every committed change of every trader; equal
 * checks share one query. Invariants: an answer is never older than a second; an assignment that this process changes
 * counts at once.
 */
import { createTtlCache } from '../../platform/cache/ttl-cache.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { isAssigned } from './users.ts';

interface AssignmentCache {
  /** Whether the trader `userId` is assigned to the manager `managerId`. */
  isAssigned(managerId: string, userId: string): Promise<boolean>;
  /** To be called after the commit that changed an assignment or a role. */
  invalidate(): void;
}

export function createAssignmentCache({ db, clock }: { db: Database; clock: Clock }): AssignmentCache {
  const cache = createTtlCache<boolean>(clock, { ttlMs: 1_000, max: 50_000 });
  return {
    isAssigned: (managerId, userId) =>
      cache.get(`${managerId} ${userId}`, () => isAssigned(db, managerId, userId)),
    invalidate: cache.clear,
  };
}
