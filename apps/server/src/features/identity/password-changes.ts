/**
 * Changes of passwords: the caller's own (CALL-07), and any user's by an admin (CALL-51). Invariants: a change ends the
 * user's sessions, except the caller's own; a mail notifies the user.
 */
import type { ArgsOf, ResultOf, SignedIn } from '@fulcrum/contract';
import { enqueueNotice } from '../../platform/mail/queue.ts';
import { countAttempt } from '../../platform/rate-limit/window-counter.ts';
import { recordAuditEntry, requireReason } from '../audit/index.ts';
import { type Context, requireStrong } from './context.ts';
import { IdentityError } from './errors.ts';
import type { IdentityProofs } from './identity-proof.ts';
import { refuseWhileImpersonating } from './impersonation.ts';
import * as sessions from './sessions.ts';
import { clearSignInAttempts } from './sign-in-attempts.ts';
import { lockStaffChanges } from './staff-lock.ts';
import * as users from './users.ts';

export interface PasswordChange {
  readonly password: string;
  readonly currentPassword?: string | undefined;
}

export function createPasswordChanges(
  { db, limits, passwords, revocations, log, now }: Context,
  proofs: IdentityProofs,
) {
  /**
   * Sets a new password and ends the user's other sessions. The caller proves their identity with the current password or
   * by a recent sign-in.
   * @throws AccountError `password_weak`, `current_password_wrong`, `reauthentication_needed`, `session_ended`;
   * TooManyAttempts; AppError `not_allowed` during an impersonation (A45)
   */
  async function changePassword(caller: SignedIn, change: PasswordChange): Promise<users.User> {
    refuseWhileImpersonating(caller);
    requireStrong(change.password);
    const { proof, passwordHash } = await proofs.whenProved(caller, change.currentPassword, async (proof) => {
      await countAttempt(db, limits.passwordSet, caller.userId, now());
      return { proof, passwordHash: await passwords.hash(change.password, caller.userId) };
    });

    const at = now();
    const { user, ended } = await db.transaction(async (tx) => {
      const locked = await users.lockUser(tx, caller.userId);
      if (!locked) throw new IdentityError('session_ended');
      await proofs.requireStillProved(tx, caller, proof);
      await users.replacePassword(tx, caller.userId, passwordHash, at);
      await enqueueNotice(tx, { kind: 'password_changed', recipient: locked.email, detail: {} }, { at, log });
      return { user: locked, ended: await sessions.revokeScope(tx, caller, 'others', at) };
    });
    revocations.announce(ended);
    await proofs.accept(caller);
    return user;
  }

  /**
   * For an admin's account, one's own or another's, the token alone does not do: the caller proves to be there.
   * @throws AccountError `password_weak`, `current_password_wrong`, `reauthentication_needed`, `session_ended`;
   * TooManyAttempts; AppError `not_found`, `busy`
   */
  async function changeByAdmin(
    caller: SignedIn,
    args: ArgsOf<'admin_update_user_password'>,
  ): Promise<ResultOf<'admin_update_user_password'>> {
    const { p_user_id: userId, p_new_password: password } = args;
    const reason = args.p_reason == null ? null : requireReason(args.p_reason);
    requireStrong(password);
    const isOwn = userId === caller.userId;
    const known = await users.findUser(db, userId);
    if (!known) throw users.userNotFound();
    const currentPassword = args.p_current_password ?? undefined;
    const proof =
      known.role === 'admin'
        ? await proofs.whenProved(caller, currentPassword, async (proved) => proved)
        : null;
    const passwordHash = await passwords.hash(password);

    const at = now();
    const { email, ended } = await db.transaction(async (tx) => {
      await lockStaffChanges(tx, caller);
      const user = await users.lockUser(tx, userId);
      if (!user) throw users.userNotFound();
      if (proof) await proofs.requireStillProved(tx, caller, proof);
      // The user became an admin in between.
      else if (user.role === 'admin') throw new IdentityError('reauthentication_needed');
      await users.replacePassword(tx, userId, passwordHash, at);
      await enqueueNotice(tx, { kind: 'password_changed', recipient: user.email, detail: {} }, { at, log });
      const revoked = isOwn
        ? await sessions.revokeScope(tx, caller, 'others', at)
        : await sessions.revokeAll(tx, userId, at);
      await recordAuditEntry(tx, {
        at,
        actorId: caller.userId,
        subjectId: userId,
        action: 'user.set_password',
        reason,
        detail: { sessions_ended: revoked.length },
      });
      return { email: user.email, ended: revoked };
    });
    revocations.announce(ended);
    if (proof) await proofs.accept(caller);
    // Earlier failed guesses do not block the new password.
    await clearSignInAttempts(db, email);
    return { user_id: userId, sessions_ended: ended.length };
  }

  return { changePassword, changeByAdmin };
}
