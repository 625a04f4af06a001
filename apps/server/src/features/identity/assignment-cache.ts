/**
 * Caches for a second whether a manager manages a user, a check that runs for every committed change of every trader; equal
 * checks share one query. Invariants: an answer is never older than a second; an assignment that this process changes
 * counts at once.
 */
import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { isAssigned } from './users.ts';

const cachedForMs = 1_000;
const entriesMax = 50_000;

interface CachedAssignment {
  readonly requestedAtMs: number;
  readonly assigned: Promise<boolean>;
}

export interface AssignmentCache {
  /** Whether the trader `userId` is assigned to the manager `managerId`. */
  isAssigned(managerId: string, userId: string): Promise<boolean>;
  /** To be called after the commit that changed an assignment or a role. */
  invalidate(): void;
}

export function createAssignmentCache({ db, clock }: { db: Database; clock: Clock }): AssignmentCache {
  const entries = new Map<string, CachedAssignment>();

  function ask(key: string, managerId: string, userId: string): Promise<boolean> {
    if (entries.size >= entriesMax) entries.clear();
    const entry = { requestedAtMs: clock.now(), assigned: isAssigned(db, managerId, userId) };
    entries.set(key, entry);
    // A failed query is repeated by the next check; its own callers receive the error.
    entry.assigned.catch(() => {
      if (entries.get(key) === entry) entries.delete(key);
    });
    return entry.assigned;
  }

  return {
    isAssigned(managerId, userId) {
      const key = `${managerId} ${userId}`;
      const cached = entries.get(key);
      const isFresh = cached !== undefined && Math.abs(clock.now() - cached.requestedAtMs) < cachedForMs;
      return isFresh ? cached.assigned : ask(key, managerId, userId);
    },
    invalidate: () => entries.clear(),
  };
}
