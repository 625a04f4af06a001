/**
 * Account commands of the machine's operator without a session (`npm run create-admin`): creates an administrator, or
 * resets the password of one. Invariants: no user is promoted, and no account but an administrator's is opened; each action
 * is in the audit log, without an actor.
 */
import { AppError } from '@fulcrum/contract';
import { checkEmail, checkUsername, normaliseEmail, normaliseUsername } from '@fulcrum/domain';
import { enqueueNotice } from '../../platform/mail/queue.ts';
import type { Services } from '../../platform/services.ts';
import { recordAuditEntry } from '../audit/index.ts';
import { requireStrong } from './context.ts';
import { IdentityError } from './errors.ts';
import { createPasswords } from './passwords.ts';
import * as sessions from './sessions.ts';
import { clearSignInAttempts } from './sign-in-attempts.ts';
import * as users from './users.ts';

const auditReason = 'by the operator (create-admin)';

export type OperatorCommands = ReturnType<typeof createOperatorCommands>;

export function createOperatorCommands({ db, clock, log }: Pick<Services, 'db' | 'clock' | 'log'>) {
  const passwords = createPasswords();
  const now = () => new Date(clock.now());

  return {
    /** @throws AccountError `registration_invalid`, `password_weak`, `email_taken`, `username_taken` */
    async createAdmin(admin: {
      readonly email: string;
      readonly username: string;
      readonly password: string;
    }): Promise<users.User> {
      const objection = checkEmail(admin.email) ?? checkUsername(admin.username);
      if (objection !== null) throw new IdentityError('registration_invalid', objection);
      requireStrong(admin.password);
      const at = now();
      const account: users.NewUser = {
        email: normaliseEmail(admin.email),
        username: normaliseUsername(admin.username),
        role: 'admin',
        phoneNumber: null,
        managerId: null,
        initialBalance: null,
        passwordHash: await passwords.hash(admin.password),
      };
      return users.insertUser(db, account, at, {
        after: async (tx, user) => {
          await recordAuditEntry(tx, {
            at,
            actorId: null,
            subjectId: user.id,
            action: 'user.create',
            reason: auditReason,
          });
          return user;
        },
      });
    },

    /**
     * Sets a new password and ends all sessions of the administrator. A running server refuses them within seconds
     * (`revocations.ts`).
     * @throws AccountError `password_weak`; AppError `not_found`, `not_allowed` for an account that is no administrator
     */
    async resetAdminPassword(admin: {
      readonly email: string;
      readonly password: string;
    }): Promise<{ readonly user: users.User; readonly sessionsEnded: number }> {
      requireStrong(admin.password);
      const email = normaliseEmail(admin.email);
      const known = await users.findCredentials(db, { email });
      if (!known) throw new AppError('not_found', `There is no account with the email ${email}.`);
      const passwordHash = await passwords.hash(admin.password);
      const at = now();
      const result = await db.transaction(async (tx) => {
        const user = await users.lockUser(tx, known.userId);
        if (!user) throw users.userNotFound();
        if (user.role !== 'admin') {
          throw new AppError(
            'not_allowed',
            `${email} is a ${user.role}; only an administrator is let in this way.`,
          );
        }
        await users.replacePassword(tx, user.id, passwordHash, at);
        await enqueueNotice(tx, { kind: 'password_changed', recipient: user.email, detail: {} }, { at, log });
        const ended = await sessions.revokeAll(tx, user.id, at);
        await recordAuditEntry(tx, {
          at,
          actorId: null,
          subjectId: user.id,
          action: 'user.set_password',
          reason: auditReason,
          detail: { sessions_ended: ended.length },
        });
        return { user, sessionsEnded: ended.length };
      });
      // Earlier failed guesses do not block the new password.
      await clearSignInAttempts(db, email);
      return result;
    },
  };
}
