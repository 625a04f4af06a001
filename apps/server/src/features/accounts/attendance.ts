/**
 * Who is here: people whose live session made a request within the last minutes, whoever they act as. In memory, because each
 * request would otherwise be a write; so it counts anew after a restart.
 */
import type { createRevocations } from './revocations.ts';

type Revocations = Pick<ReturnType<typeof createRevocations>, 'isRevoked'>;

const hereForMs = 5 * 60_000;
/** Sessions; who is beyond them is not counted. */
const sessionsMax = 100_000;

export interface Attendance {
  /** `now` in ms since the epoch. */
  note(sessionId: string, userId: string, now: number): void;
  /** How many different people. */
  count(now: number): number;
}

export function createAttendance({ isRevoked }: Revocations): Attendance {
  /** In the order of their last request. */
  const sessions = new Map<string, { readonly userId: string; readonly at: number }>();

  function forgetGone(now: number): void {
    for (const [sessionId, { at }] of sessions) {
      if (now - at <= hereForMs) return;
      sessions.delete(sessionId);
    }
  }

  return {
    note(sessionId, userId, now) {
      forgetGone(now);
      sessions.delete(sessionId);
      if (sessions.size < sessionsMax) sessions.set(sessionId, { userId, at: now });
    },
    count(now) {
      forgetGone(now);
      const people = new Set<string>();
      for (const [sessionId, { userId }] of sessions) if (!isRevoked(sessionId)) people.add(userId);
      return people.size;
    },
  };
}
