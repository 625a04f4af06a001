/**
 * Whose manager somebody is, for questions that come with every committed change of every trader: an answer is kept for a
 * second and shared by all who ask the same. Invariants: an answer is never older than that, whoever changed the
 * assignment; one that this process changed counts at once.
 */
import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { isAssigned } from './users.ts';

const keptMs = 1_000;
const answersMax = 50_000;

interface Answer {
  readonly askedAtMs: number;
  readonly assigned: Promise<boolean>;
}

export interface Assignments {
  /** Whether the trader `userId` is assigned to the manager `managerId`. */
  isAssigned(managerId: string, userId: string): Promise<boolean>;
  /** To be called after the commit that changed an assignment or a role. */
  forget(): void;
}

export function createAssignments({ db, clock }: { db: Database; clock: Clock }): Assignments {
  const answers = new Map<string, Answer>();

  function ask(key: string, managerId: string, userId: string): Promise<boolean> {
    if (answers.size >= answersMax) answers.clear();
    const answer = { askedAtMs: clock.now(), assigned: isAssigned(db, managerId, userId) };
    answers.set(key, answer);
    // A question that failed is asked anew; whoever waits for it hears of the failure.
    answer.assigned.catch(() => {
      if (answers.get(key) === answer) answers.delete(key);
    });
    return answer.assigned;
  }

  return {
    isAssigned(managerId, userId) {
      const key = `${managerId} ${userId}`;
      const known = answers.get(key);
      const isFresh = known !== undefined && Math.abs(clock.now() - known.askedAtMs) < keptMs;
      return isFresh ? known.assigned : ask(key, managerId, userId);
    },
    forget: () => answers.clear(),
  };
}
