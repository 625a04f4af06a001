/**
 * Sessions and impersonations that ended within one lifetime of an access token, in memory, so that a token of theirs is
 * refused at once and without a database read. Invariant: what ended in the database is in here for as long as one of
 * its access tokens could still be valid; until both sets have been loaded nobody counts as signed in. An ended
 * impersonation refuses its own tokens only: the session goes on.
 */
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { accessLifetimeS } from './access-tokens.ts';

/** Tokens are issued in whole seconds and clocks of several servers differ a little. */
const keepMs = (accessLifetimeS + 60) * 1000;
/** How soon is refused what ended without being announced: by another process, or by a commit whose answer was lost. */
const hearEveryMs = 2_000;
/** Longer than the database may be away without this process giving up. */
const lookBackMs = 120_000;

export interface RevokedSession {
  readonly sessionId: string;
  readonly userId: string;
}

export interface EndedActing {
  /** The impersonation. */
  readonly actingId: string;
  /** The staff member's. */
  readonly sessionId: string;
}

export interface Revocations {
  isRevoked(sessionId: string): boolean;
  hasActingEnded(actingId: string): boolean;
  /** To be called after the commit that revoked them: refuses their tokens and tells everyone else on the bus. */
  announce(sessions: readonly RevokedSession[]): void;
  /** The same for impersonations. */
  announceEndedActing(ended: readonly EndedActing[]): void;
  start(): Promise<void>;
  stop(): void;
}

export function createRevocations(deps: { db: Database; bus: Bus; clock: Clock; log: Log }): Revocations {
  const { db, bus, clock, log } = deps;
  const sessions = createRecent(clock);
  const impersonations = createRecent(clock);
  const unsubscribe: (() => void)[] = [];
  let loaded = false;
  let watching: NodeJS.Timeout | undefined;

  function announce(revoked: readonly RevokedSession[]): void {
    for (const session of revoked) {
      sessions.add(session.sessionId, clock.now());
      bus.publish('session.revoked', session);
    }
  }

  function announceEndedActing(ended: readonly EndedActing[]): void {
    for (const acting of ended) {
      impersonations.add(acting.actingId, clock.now());
      bus.publish('acting.ended', acting);
    }
  }

  /** What nobody announced. Everything that this process ends and knows to be committed is announced at once. */
  async function hearUnannounced(): Promise<void> {
    try {
      const since = new Date(clock.now() - lookBackMs);
      const { rows } = await db.query<RevokedSession>(
        `select id as "sessionId", user_id as "userId" from app.sessions where revoked_at > $1
         union all select id, user_id from app.deleted_sessions where ended_at > $1`,
        [since],
        'recently_revoked',
      );
      announce(rows.filter(({ sessionId }) => !sessions.has(sessionId)));
      const { rows: ended } = await db.query<EndedActing>(
        `select id as "actingId", session_id as "sessionId" from app.impersonations where ended_at > $1`,
        [since],
        'recently_ended_acting',
      );
      announceEndedActing(ended.filter(({ actingId }) => !impersonations.has(actingId)));
    } catch (error) {
      // The next look is a moment away and reaches back far enough.
      log.debug({ err: error }, 'looking for what ended unannounced failed');
    }
  }

  return {
    isRevoked: (sessionId) => !loaded || sessions.has(sessionId),
    hasActingEnded: (actingId) => !loaded || impersonations.has(actingId),
    announce,
    announceEndedActing,
    async start() {
      // Listening comes first: what ends while the sets are being read must not fall in between.
      unsubscribe.push(
        bus.subscribe('session.revoked', ({ sessionId }) => sessions.add(sessionId, clock.now())),
        bus.subscribe('acting.ended', ({ actingId }) => impersonations.add(actingId, clock.now())),
      );
      const since = new Date(clock.now() - keepMs);
      const { rows: revoked } = await db.query<{ id: string; at: Date }>(
        `select id, revoked_at as at from app.sessions where revoked_at > $1
         union all select id, ended_at from app.deleted_sessions where ended_at > $1 order by at`,
        [since],
      );
      for (const { id, at } of revoked) sessions.add(id, at.getTime());
      const { rows: ended } = await db.query<{ id: string; at: Date }>(
        `select id, ended_at as at from app.impersonations where ended_at > $1 order by ended_at`,
        [since],
      );
      for (const { id, at } of ended) impersonations.add(id, at.getTime());
      loaded = true;
      watching = setInterval(() => void hearUnannounced(), hearEveryMs).unref();
    },
    stop() {
      clearInterval(watching);
      for (const end of unsubscribe.splice(0)) end();
    },
  };
}

/** Ids and when they ended, forgotten once no token of theirs can be valid any more. */
function createRecent(clock: Clock) {
  // In order of their end, so the ones to forget are always in front.
  const endedAtMs = new Map<string, number>();
  return {
    has: (id: string) => endedAtMs.has(id),
    add(id: string, atMs: number) {
      for (const [oldest, at] of endedAtMs) {
        if (at > clock.now() - keepMs) break;
        endedAtMs.delete(oldest);
      }
      if (!endedAtMs.has(id)) endedAtMs.set(id, atMs);
    },
  };
}
