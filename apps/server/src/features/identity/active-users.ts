/**
 * Active users: those whose live session made a request within the last minutes, counted by actor.
 *
 * Known limitation: in memory, because each request would otherwise be a write; a restart begins at zero.
 */
import type { createRevocations } from './revocations.ts';

type Revocations = Pick<ReturnType<typeof createRevocations>, 'isRevoked'>;

const activeForMs = 5 * 60_000;
/** Sessions; who is beyond them is not counted. */
const sessionsMax = 100_000;

export interface ActiveUsers {
  /** `now` in ms since the epoch. */
  record(sessionId: string, userId: string, now: number): void;
  /** The number of distinct users. */
  count(now: number): number;
}

export function createActiveUsers({ isRevoked }: Revocations): ActiveUsers {
  /** In the order of their last request. */
  const sessions = new Map<string, { readonly userId: string; readonly at: number }>();

  function dropInactive(now: number): void {
    for (const [sessionId, { at }] of sessions) {
      if (now - at <= activeForMs) return;
      sessions.delete(sessionId);
    }
  }

  return {
    record(sessionId, userId, now) {
      dropInactive(now);
      sessions.delete(sessionId);
      if (sessions.size < sessionsMax) sessions.set(sessionId, { userId, at: now });
    },
    count(now) {
      dropInactive(now);
      const userIds = new Set<string>();
      for (const [sessionId, { userId }] of sessions) if (!isRevoked(sessionId)) userIds.add(userId);
      return userIds.size;
    },
  };
}
