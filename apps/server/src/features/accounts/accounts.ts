/**
 * Accounts: who somebody is, which of their sessions still live, and as whom staff act. This file puts the parts together;
 * each one states its own invariants: `registration.ts`, `sign-in.ts`, `callers.ts`, `password-changes.ts`, `profiles.ts`,
 * `staff-commands.ts`, `acting.ts`, `own-manager.ts`, `own-sessions.ts`, `literal-writes.ts`, `deletions.ts`.
 */
import { createActing, createActingNow, refusedWhileActing } from './acting.ts';
import { pruneAttempts } from './attempts.ts';
import { createCallers } from './callers.ts';
import { type AccountsDependencies, createContext } from './context.ts';
import { createDeletions } from './deletions.ts';
import { endDemoSessions } from './demo.ts';
import { createIdentityProofs } from './identity-proof.ts';
import { endOverdueImpersonations } from './impersonations.ts';
import { createLiteralWrites } from './literal-writes.ts';
import { createOwnManager } from './own-manager.ts';
import { createOwnSessions } from './own-sessions.ts';
import { createPasswordChanges } from './password-changes.ts';
import { createProfiles } from './profiles.ts';
import { createRegistration } from './registration.ts';
import { pruneSessions } from './sessions.ts';
import { createSignIn } from './sign-in.ts';
import { createStaffCommands } from './staff-commands.ts';

export type { AccountsDependencies } from './context.ts';
export type { Grant } from './grants.ts';
export type { PasswordChange } from './password-changes.ts';
export type { NewAccount, Registration } from './registration.ts';

export type Accounts = ReturnType<typeof createAccounts>;

const pruneEveryMs = 60 * 60_000;

export function createAccounts(dependencies: AccountsDependencies) {
  const context = createContext(dependencies);
  const { db, config, log, revocations, now } = context;
  const { signUp, createUser, hashed } = createRegistration(context);
  const { signIn, beginSession, refresh, userOf, signOut, sessionOf } = createSignIn(context);
  const { callerOf, holderOf } = createCallers(context);
  const proofs = createIdentityProofs(context);
  const { changePassword, changeByAdmin } = createPasswordChanges(context, proofs);
  const { changeProfile } = createProfiles(context, proofs);
  const { createByAdmin, assign } = createStaffCommands(context, { hashed, changeProfile, proofs });
  const { impersonate, end } = createActing(context);
  const ownSessions = createOwnSessions(context);
  let pruning: NodeJS.Timeout | undefined;

  async function prune(): Promise<void> {
    try {
      await pruneSessions(db, now());
      await endOverdueImpersonations(db, now());
      await pruneAttempts(db, now());
    } catch (error) {
      // Old rows refuse nobody anything; the next hour tries again.
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
    signOut,
    sessionOf,
    /** Whether a session ended within the lifetime of an access token; also what was made in its name is then void. */
    isRevoked: (sessionId: string) => revocations.isRevoked(sessionId),
    isAssigned: context.assignments.isAssigned,
    /** People whose session made a request within the last five minutes. */
    signedInNow: () => context.attendance.count(context.clock.now()),
    /** What the engine's deletion of an account means for its sessions. */
    deletions: createDeletions(context),
    /** A handler for every procedure that the contract declares for accounts. */
    procedures: refusedWhileActing({
      safe_update_user_profile: changeProfile,
      admin_update_user_password: changeByAdmin,
      admin_create_user: createByAdmin,
      assign_user_to_manager: assign,
      get_my_manager: createOwnManager(context),
      list_sessions: ownSessions.list,
      revoke_session: ownSessions.revoke,
      impersonate_user: impersonate,
      end_impersonation: end,
      get_acting: createActingNow(context),
    }),
    /** What becomes of the documents' own writes to `users` and `wallets` (A100). */
    writes: createLiteralWrites(context, changeProfile),
    /**
     * Loads the sessions and impersonations that ended lately, those of a demo that is over among them. Until then every
     * access token is refused.
     */
    async start(): Promise<void> {
      if (!config.demo) await endDemoSessions(context);
      await revocations.start();
      await prune();
      pruning = setInterval(() => void prune(), pruneEveryMs).unref();
    },
    async stop(): Promise<void> {
      clearInterval(pruning);
      revocations.stop();
    },
  };
}
