/**
 * Sessions that ended within one lifetime of an access token, in memory, so that a token of such a session is refused
 * at once and without a database read. Invariant: a session revoked in the database is in here for as long as one of
 * its access tokens could still be valid; until the set has been loaded nobody counts as signed in.
 */
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { accessLifetimeS } from './access-tokens.ts';

/** Tokens are issued in whole seconds and clocks of several servers differ a little. */
const keepMs = (accessLifetimeS + 60) * 1000;

export interface RevokedSession {
  readonly sessionId: string;
  readonly userId: string;
}

export interface Revocations {
  isRevoked(sessionId: string): boolean;
  /** To be called after the commit that revoked them: refuses their tokens and tells everyone else on the bus. */
  announce(sessions: readonly RevokedSession[]): void;
  start(): Promise<void>;
  stop(): void;
}

export function createRevocations(deps: { db: Database; bus: Bus; clock: Clock }): Revocations {
  const { db, bus, clock } = deps;
  // In order of revocation, so the ones to forget are always in front.
  const revokedAtMs = new Map<string, number>();
  let loaded = false;
  let unsubscribe: (() => void) | undefined;

  const remember = (sessionId: string, atMs: number) => {
    for (const [oldest, at] of revokedAtMs) {
      if (at > clock.now() - keepMs) break;
      revokedAtMs.delete(oldest);
    }
    if (!revokedAtMs.has(sessionId)) revokedAtMs.set(sessionId, atMs);
  };

  return {
    isRevoked: (sessionId) => !loaded || revokedAtMs.has(sessionId),
    announce(sessions) {
      for (const session of sessions) {
        remember(session.sessionId, clock.now());
        bus.publish('session.revoked', session);
      }
    },
    async start() {
      // Listening comes first: what ends while the set is being read must not fall in between.
      unsubscribe = bus.subscribe('session.revoked', ({ sessionId }) => remember(sessionId, clock.now()));
      const { rows } = await db.query<{ id: string; revoked_at: Date }>(
        `select id, revoked_at from app.sessions where revoked_at > $1 order by revoked_at`,
        [new Date(clock.now() - keepMs)],
      );
      for (const row of rows) remember(row.id, row.revoked_at.getTime());
      loaded = true;
    },
    stop() {
      unsubscribe?.();
    },
  };
}
