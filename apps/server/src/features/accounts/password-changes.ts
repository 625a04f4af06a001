/**
 * New passwords: one's own (CALL-07), and anybody's by an admin (CALL-51). Invariant: a change ends the person's
 * sessions, except the one that asks for it when it is their own; the person is told by mail.
 */
import type { adminUpdateUserPassword, SignedIn } from '@fulcrum/contract';
import type { z } from 'zod';
import { requireNotActing } from './acting.ts';
import { clearSignInAttempts, countAttempt, limits } from './attempts.ts';
import { recordAct } from './audit.ts';
import { type Context, requireStrong } from './context.ts';
import { AccountError } from './errors.ts';
import type { IdentityProofs } from './identity-proof.ts';
import { enqueueMail } from './mails.ts';
import { requireReason } from './reasons.ts';
import * as sessions from './sessions.ts';
import { takeStaffTurn } from './staff-acts.ts';
import * as users from './users.ts';

export interface PasswordChange {
  readonly password: string;
  readonly currentPassword?: string | undefined;
}

export function createPasswordChanges(
  { db, passwords, revocations, log, now }: Context,
  proofs: IdentityProofs,
) {
  /**
   * Sets a new password and ends the person's other sessions. The caller proves to be that person with the current
   * password or by a recent sign-in.
   * @throws AccountError `password_weak`, `current_password_wrong`, `reauthentication_needed`, `session_ended`;
   * TooManyAttempts; AppError `not_allowed` while acting as somebody else (A45)
   */
  async function changePassword(caller: SignedIn, change: PasswordChange): Promise<users.User> {
    requireNotActing(caller);
    requireStrong(change.password);
    const { proof, passwordHash } = await proofs.whenProved(caller, change.currentPassword, async (proof) => {
      await countAttempt(db, limits.passwordSet, caller.userId, now());
      return { proof, passwordHash: await passwords.hash(change.password, caller.userId) };
    });

    const at = now();
    const { user, ended } = await db.transaction(async (tx) => {
      const locked = await users.lockUser(tx, caller.userId);
      if (!locked) throw new AccountError('session_ended');
      await proofs.requireStillProved(tx, caller, proof);
      await users.replacePassword(tx, caller.userId, passwordHash, at);
      await enqueueMail(tx, { kind: 'password_changed', recipient: locked.email, detail: {} }, { at, log });
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
    args: z.output<typeof adminUpdateUserPassword.args>,
  ): Promise<z.input<typeof adminUpdateUserPassword.result>> {
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
      await takeStaffTurn(tx, caller);
      const user = await users.lockUser(tx, userId);
      if (!user) throw users.userNotFound();
      if (proof) await proofs.requireStillProved(tx, caller, proof);
      // Somebody made them an admin in between.
      else if (user.role === 'admin') throw new AccountError('reauthentication_needed');
      await users.replacePassword(tx, userId, passwordHash, at);
      await enqueueMail(tx, { kind: 'password_changed', recipient: user.email, detail: {} }, { at, log });
      const revoked = isOwn
        ? await sessions.revokeScope(tx, caller, 'others', at)
        : await sessions.revokeAll(tx, userId, at);
      await recordAct(tx, {
        at,
        actorId: caller.userId,
        subjectId: userId,
        action: 'password_set',
        reason,
        detail: { sessions_ended: revoked.length },
      });
      return { email: user.email, ended: revoked };
    });
    revocations.announce(ended);
    if (proof) await proofs.accept(caller);
    // Whoever could not remember the old one begins anew with the new one.
    await clearSignInAttempts(db, email);
    return { user_id: userId, sessions_ended: ended.length };
  }

  return { changePassword, changeByAdmin };
}
