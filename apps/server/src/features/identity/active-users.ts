/**
 * Active users: those whose live session made a request within the last minutes, counted by actor. In a cluster every process sends the
 * sessions of its requests to the others, so each counts the distinct users of all.
 *
 * Known limitations: in memory, because each request would otherwise be a write; a restart begins at zero. What another process has
 * received counts up to ten seconds later, twenty with 100,000 sessions; a lost message counts when the session makes its next request.
 */
import { z } from 'zod';
import type { Timers } from '../../platform/clock/index.ts';
import type { ClusterLink } from '../../platform/cluster/link.ts';
import type { createRevocations } from './revocations.ts';

type Revocations = Pick<ReturnType<typeof createRevocations>, 'isRevoked'>;

const activeForMs = 5 * 60_000;
/** Sessions; who is beyond them is not counted. */
const sessionsMax = 100_000;
const sendEveryMs = 10_000;
/** Sessions of one message: all of them at once would hold up each process for a fifth of a second. */
const pageMax = 1_000;
/** Between two messages of many sessions. */
const pageEveryMs = 100;
const subject = 'gateway.active';
const activeMessage = z.object({ sessions: z.array(z.tuple([z.string(), z.string()])).max(pageMax) });
type SessionOfUser = readonly [sessionId: string, userId: string];

interface ActiveUsers {
  /** `now` in ms since the epoch. */
  record(sessionId: string, userId: string, now: number): void;
  /** The same for a request to another process. */
  takeOver(sessionId: string, userId: string, now: number): void;
  /** At most so many of the sessions that were recorded here and not taken since; the longest silent first. */
  takeRecorded(max: number): readonly SessionOfUser[];
  /** The number of distinct users. */
  count(now: number): number;
}

export function createActiveUsers({ isRevoked }: Revocations): ActiveUsers {
  /** In the order of their last request. */
  const sessions = new Map<string, { readonly userId: string; readonly at: number; isUnsent: boolean }>();

  function dropInactive(now: number): void {
    for (const [sessionId, { at }] of sessions) {
      if (now - at <= activeForMs) return;
      sessions.delete(sessionId);
    }
  }

  function put(sessionId: string, userId: string, at: number, isUnsent: boolean): void {
    dropInactive(at);
    sessions.delete(sessionId);
    if (sessions.size < sessionsMax) sessions.set(sessionId, { userId, at, isUnsent });
  }

  return {
    record: (sessionId, userId, now) => put(sessionId, userId, now, true),
    takeOver: (sessionId, userId, now) => put(sessionId, userId, now, false),
    takeRecorded(max) {
      const recorded: SessionOfUser[] = [];
      for (const [sessionId, session] of sessions) {
        if (!session.isUnsent) continue;
        session.isUnsent = false;
        recorded.push([sessionId, session.userId]);
        if (recorded.length === max) break;
      }
      return recorded;
    },
    count(now) {
      dropInactive(now);
      const userIds = new Set<string>();
      for (const [sessionId, { userId }] of sessions) if (!isRevoked(sessionId)) userIds.add(userId);
      return userIds.size;
    },
  };
}

interface SharedActiveUsersDependencies {
  readonly link: Pick<ClusterLink, 'publish' | 'subscribe'>;
  readonly timers: Timers;
  readonly activeUsers: ActiveUsers;
}

/** Between the processes of a cluster, until the returned function is called. */
export function shareActiveUsers({ link, timers, activeUsers }: SharedActiveUsersDependencies): () => void {
  let cancelSend = timers.after(sendEveryMs, send);

  function send(): void {
    const sessions = activeUsers.takeRecorded(pageMax);
    cancelSend = timers.after(sessions.length < pageMax ? sendEveryMs : pageEveryMs, send);
    if (sessions.length > 0) link.publish(subject, { sessions });
  }

  const unsubscribe = link.subscribe(subject, (payload) => {
    const read = activeMessage.safeParse(payload);
    if (!read.success) return;
    for (const [sessionId, userId] of read.data.sessions)
      activeUsers.takeOver(sessionId, userId, timers.now());
  });
  return () => {
    cancelSend();
    unsubscribe();
  };
}
