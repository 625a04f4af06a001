/**
 * Sessions and impersonations that ended within one lifetime of an access token, in memory, so that their tokens are
 * refused at once and without a database read. Invariants: an end in the database stays in memory for as long as one of its
 * access tokens could be valid; until both sets are loaded every caller is refused. An ended impersonation refuses its own
 * tokens only: the session goes on.
 */
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { accessLifetimeS } from './token-lifetimes.ts';

/** Tokens are issued in whole seconds and clocks of several servers differ a little. */
const retentionMs = (accessLifetimeS + 60) * 1000;
/** How soon is refused what ended without being announced: by another process, or by a commit whose answer was lost. */
const pollEveryMs = 2_000;
/** Longer than the database may be away without this process giving up. */
const lookbackMs = 120_000;

export interface RevokedSession {
  readonly sessionId: string;
  readonly userId: string;
}

export interface EndedImpersonation {
  /** The impersonation. */
  readonly impersonationId: string;
  /** The staff member's. */
  readonly sessionId: string;
}

export type Revocations = ReturnType<typeof createRevocations>;

export function createRevocations(deps: { db: Database; bus: Bus; clock: Clock; log: Log }) {
  const { db, bus, clock, log } = deps;
  const sessions = createRecentlyEnded(clock);
  const impersonations = createRecentlyEnded(clock);
  const unsubscribe: (() => void)[] = [];
  let loaded = false;
  let pollTimer: NodeJS.Timeout | undefined;

  /** Called after the commit of a revocation: refuses the sessions' tokens and publishes the end on the bus. */
  function announce(revoked: readonly RevokedSession[]): void {
    for (const session of revoked) {
      sessions.add(session.sessionId, clock.now());
      bus.publish('session.revoked', session);
    }
  }

  /** The same for impersonations. */
  function announceEndedImpersonations(ended: readonly EndedImpersonation[]): void {
    for (const impersonation of ended) {
      impersonations.add(impersonation.impersonationId, clock.now());
      bus.publish('impersonation.ended', impersonation);
    }
  }

  /** Loads ends that were not announced. Ends that this process commits are announced at once. */
  async function pollUnannounced(): Promise<void> {
    try {
      const since = new Date(clock.now() - lookbackMs);
      const { rows } = await db.query<RevokedSession>(
        `select id as "sessionId", user_id as "userId" from app.sessions where revoked_at > $1
         union all select id, user_id from app.deleted_sessions where ended_at > $1`,
        [since],
        'recently_revoked',
      );
      announce(rows.filter(({ sessionId }) => !sessions.has(sessionId)));
      const { rows: ended } = await db.query<EndedImpersonation>(
        `select id as "impersonationId", session_id as "sessionId" from app.impersonations where ended_at > $1`,
        [since],
        'recently_ended_impersonations',
      );
      announceEndedImpersonations(
        ended.filter(({ impersonationId }) => !impersonations.has(impersonationId)),
      );
    } catch (error) {
      // The next look is a moment away and reaches back far enough.
      log.debug({ err: error }, 'looking for what ended unannounced failed');
    }
  }

  return {
    isRevoked: (sessionId: string): boolean => !loaded || sessions.has(sessionId),
    hasImpersonationEnded: (impersonationId: string): boolean =>
      !loaded || impersonations.has(impersonationId),
    announce,
    announceEndedImpersonations,
    async start(): Promise<void> {
      // Listening comes first: what ends while the sets are being read must not fall in between.
      unsubscribe.push(
        bus.subscribe('session.revoked', ({ sessionId }) => sessions.add(sessionId, clock.now())),
        bus.subscribe('impersonation.ended', ({ impersonationId }) =>
          impersonations.add(impersonationId, clock.now()),
        ),
      );
      const since = new Date(clock.now() - retentionMs);
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
      pollTimer = setInterval(() => void pollUnannounced(), pollEveryMs).unref();
    },
    stop(): void {
      clearInterval(pollTimer);
      for (const end of unsubscribe.splice(0)) end();
    },
  };
}

/** Ids and when they ended, forgotten once no token of theirs can be valid any more. */
function createRecentlyEnded(clock: Clock) {
  // In order of their end, so the ones to forget are always in front.
  const endedAtMs = new Map<string, number>();
  return {
    has: (id: string) => endedAtMs.has(id),
    add(id: string, atMs: number) {
      for (const [oldest, at] of endedAtMs) {
        if (at > clock.now() - retentionMs) break;
        endedAtMs.delete(oldest);
      }
      if (!endedAtMs.has(id)) endedAtMs.set(id, atMs);
    },
  };
}
