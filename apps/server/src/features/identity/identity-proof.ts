/**
 * Proves that the holder of an access token is the account's user: by the current password or a recent sign-in. Actions
 * that take over an account, or create an admin, require it, so a stolen access token does not suffice. Invariants: the
 * proof is checked again in the transaction of the action; guesses are counted together for all actions.
 */
import type { SignedIn } from '@fulcrum/contract';
import type { Queryable } from '../../platform/database/index.ts';
import { clearAttempts } from '../../platform/rate-limit/window-counter.ts';
import type { Context } from './context.ts';
import { IdentityError } from './errors.ts';
import * as sessions from './sessions.ts';
import * as users from './users.ts';

/** How fresh a sign-in must be to stand for the current password. */
const recentSignInMs = 10 * 60_000;

export interface IdentityProof {
  /** The hash of the password that was current at the moment of the proof. */
  readonly passwordHash: string;
}

export function createIdentityProofs({ db, clock, limits, passwords, attempt }: Context) {
  /**
   * Runs `work` after the caller's proof; both together are one counted attempt.
   * @throws AccountError `current_password_wrong`, `reauthentication_needed`, `session_ended`; TooManyAttempts; AppError
   * `busy`; what `work` throws
   */
  async function whenProved<T>(
    caller: SignedIn,
    currentPassword: string | undefined,
    work: (proof: IdentityProof) => Promise<T>,
  ): Promise<T> {
    return attempt(limits.passwordChange, caller.userId, async () =>
      work(await prove(caller, currentPassword)),
    );
  }

  async function prove(caller: SignedIn, currentPassword: string | undefined): Promise<IdentityProof> {
    const known = await users.findCredentials(db, { userId: caller.userId });
    if (!known) throw new IdentityError('session_ended');
    if (currentPassword !== undefined) {
      if (await passwords.verify(known.passwordHash, currentPassword, caller.userId)) return known;
      throw new IdentityError('current_password_wrong');
    }
    const authTime = await sessions.authTimeOf(db, caller.sessionId);
    if (!authTime) throw new IdentityError('session_ended');
    if (clock.now() - authTime.getTime() > recentSignInMs) throw new IdentityError('reauthentication_needed');
    return known;
  }

  /**
   * Checks the proof again, with the account locked.
   * @throws AccountError `session_ended`, `current_password_wrong` when a concurrent change won
   */
  async function requireStillProved(tx: Queryable, caller: SignedIn, proof: IdentityProof): Promise<void> {
    const current = await users.findCredentials(tx, { userId: caller.userId });
    const authTime = await sessions.authTimeOf(tx, caller.sessionId);
    if (!current || !authTime) throw new IdentityError('session_ended');
    if (current.passwordHash !== proof.passwordHash) throw new IdentityError('current_password_wrong');
  }

  /** After the change that the proof was for: right ones do not count. */
  const accept = (caller: SignedIn) => clearAttempts(db, limits.passwordChange, caller.userId);

  return { whenProved, requireStillProved, accept };
}
export type IdentityProofs = ReturnType<typeof createIdentityProofs>;
