/**
 * Accounts: users, their live sessions, and impersonation by staff. This file assembles the parts; each states its own
 * invariants: `registration.ts`, `sign-in.ts`, `callers.ts`, `password-changes.ts`, `profiles.ts`,
 * `impersonation.ts`, `own-manager.ts`, `own-sessions.ts`, `legacy-table-writes.ts`, `deletions.ts`.
 */

import { hourMs } from '@fulcrum/domain';
import { pruneAttempts } from '../../platform/rate-limit/window-counter.ts';
import { createAccountTokens } from './account-tokens.ts';
import { shareActiveUsers } from './active-users.ts';
import { createCallers } from './callers.ts';
import { createContext, type IdentityDependencies } from './context.ts';
import { createDeletions } from './deletions.ts';
import { endDemoSessions, findDemoUser } from './demo.ts';
import { createIdentityProofs } from './identity-proof.ts';
import { createGetImpersonation, createImpersonation, guardFromImpersonation } from './impersonation.ts';
import { endExpiredImpersonations } from './impersonation-store.ts';
import { createLegacyTableWrites } from './legacy-table-writes.ts';
import { createOwnManager } from './own-manager.ts';
import { createOwnSessions } from './own-sessions.ts';
import { createPasswordChanges } from './password-changes.ts';
import { createProfiles } from './profiles.ts';
import { createRegistration } from './registration.ts';
import { pruneSessions } from './sessions.ts';
import { createSignIn } from './sign-in.ts';

export type Identity = ReturnType<typeof createIdentity>;

const pruneEveryMs = hourMs;

export function createIdentity(dependencies: IdentityDependencies) {
  const context = createContext(dependencies);
  const { db, config, log, clock, revocations, activeUsers, now } = context;
  const { link, timers } = dependencies;
  const { signUp, createUser, hashed } = createRegistration(context);
  const { signIn, beginSession, refresh, userOf, signOut, sessionOf } = createSignIn(context);
  const { callerOf, holderOf } = createCallers(context);
  const proofs = createIdentityProofs(context);
  const { changePassword, changeByAdmin } = createPasswordChanges(context, proofs);
  const { changeProfile } = createProfiles(context, proofs);
  const deletions = createDeletions(context);
  const { impersonate, end } = createImpersonation(context, deletions);
  const ownSessions = createOwnSessions(context);
  let pruning: NodeJS.Timeout | undefined;
  let endSharing = (): void => {};

  async function prune(): Promise<void> {
    try {
      await pruneSessions(db, now());
      await endExpiredImpersonations(db, now());
      await pruneAttempts(db, now());
    } catch (error) {
      // Old rows are harmless; the next hour tries again.
      log.warn({ err: error }, 'deleting ended sessions failed');
    }
  }

  return {
    signUp,
    createUser,
    signIn,
    beginSession,
    refresh,
    callerOf,
    holderOf,
    userOf,
    changePassword,
    changeProfile,
    findDemoUser: (email: string) => findDemoUser(context, email),
    /** What staff's actions on accounts are made of (`features/staff/actions`). */
    staff: { changePassword: changeByAdmin, hashed, proofs },
    signOut,
    sessionOf,
    /** Whether a session ended within the lifetime of an access token; also what was made in its name is then void. */
    isRevoked: (sessionId: string) => revocations.isRevoked(sessionId),
    isAssigned: context.assignments.isAssigned,
    /** Users whose session made a request within the last five minutes, at any process of a cluster. */
    signedInNow: () => activeUsers.count(clock.now()),
    /** What the engine's deletion of an account means for its sessions. */
    deletions,
    /** The handlers of the users' own procedures, and of impersonation. */
    procedures: guardFromImpersonation({
      safe_update_user_profile: changeProfile,
      get_my_manager: createOwnManager(context),
      list_sessions: ownSessions.list,
      revoke_session: ownSessions.revoke,
      impersonate_user: impersonate,
      end_impersonation: end,
      get_acting: createGetImpersonation(context),
      account_token: createAccountTokens(context),
    }),
    /** What becomes of the documents' own writes to `users` and `wallets` (A100). */
    writes: createLegacyTableWrites(context, changeProfile),
    /**
     * Loads the sessions and impersonations that ended lately, those of a demo that is over among them. Until then every
     * access token is refused.
     */
    async start(): Promise<void> {
      if (!config.demo) await endDemoSessions(context);
      await revocations.start();
      if (link) endSharing = shareActiveUsers({ link, timers, activeUsers });
      await prune();
      pruning = setInterval(() => void prune(), pruneEveryMs).unref();
    },
    async stop(): Promise<void> {
      clearInterval(pruning);
      endSharing();
      revocations.stop();
    },
  };
}
