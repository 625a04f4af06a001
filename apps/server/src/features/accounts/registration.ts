/**
 * New accounts: registration by the person (AUTH-25), and accounts as the server or an admin makes them. Invariant: a
 * person who registers becomes a trader with the configured start balance, whatever they claim (AUTH-24, A49).
 */
import { randomBytes } from 'node:crypto';
import type { UserRole } from '@fulcrum/contract';
import {
  checkEmail,
  checkPhoneNumber,
  checkUsername,
  MAX_USERNAME_LENGTH,
  normaliseEmail,
  normaliseUsername,
} from '@fulcrum/domain';
import type { Database } from '../../platform/database/index.ts';
import { addressOf, limits } from './attempts.ts';
import { type Context, requireStrong } from './context.ts';
import { AccountError } from './errors.ts';
import { type Grant, grantOf } from './grants.ts';
import * as sessions from './sessions.ts';
import * as users from './users.ts';

export interface Registration {
  readonly email: string;
  readonly username: string;
  readonly phoneNumber: string;
  readonly password: string;
}

export interface NewAccount {
  readonly email: string;
  readonly username: string;
  readonly password: string;
  readonly role: UserRole;
  readonly phoneNumber?: string | null;
  readonly managerId?: string | null;
  /** In 1e-8 USDT; null makes no wallet. */
  readonly initialBalance: bigint | null;
}

export function createRegistration(context: Context) {
  const { db, config, passwords, now, attempt } = context;

  /**
   * Registers a trader, whatever role the client claims. `'without session'` is for staff who add somebody (A100): it
   * leaves their own session the only one, answers no grant, and asks for email and password only (CALL-65).
   * @throws AccountError `registration_invalid`, `password_weak`, `email_taken`, `username_taken`; TooManyAttempts
   */
  async function signUp(
    registration: Registration,
    device: sessions.Device,
    session: 'with session' | 'without session',
  ): Promise<{ readonly user: users.User; readonly grant: Grant | null }> {
    const { email, username, phoneNumber } =
      session === 'without session' ? withDefaults(registration) : registration;
    const objection =
      checkEmail(email) ??
      checkUsername(username) ??
      (phoneNumber === null ? null : checkPhoneNumber(phoneNumber));
    if (objection !== null) throw new AccountError('registration_invalid', objection);
    requireStrong(registration.password);
    const address = addressOf(device.address ?? '');
    const account = await attempt(limits.signUpFromAddress, address, () =>
      hashed(
        {
          email,
          username,
          password: registration.password,
          role: 'trader',
          phoneNumber,
          initialBalance: config.signupBalance,
        },
        address,
      ),
    );
    const at = now();
    return users.insertUser(db, account, at, {
      after: async (tx, created) => {
        if (session === 'without session') return { user: created, grant: null };
        const user = await users.recordLogin(tx, created.id, at);
        const { session: begun } = await sessions.insertSession(
          tx,
          context.refreshTokens,
          user.id,
          device,
          at,
        );
        return { user, grant: grantOf(context, user, begun, null) };
      },
    });
  }

  /** An account as the server makes it; the person has not signed in yet. The same errors as `signUp`. */
  async function createUser(database: Database, account: NewAccount): Promise<users.User> {
    const objection = checkEmail(account.email) ?? checkUsername(account.username);
    if (objection !== null) throw new AccountError('registration_invalid', objection);
    requireStrong(account.password);
    return users.insertUser(database, await hashed(account), now(), {
      after: async (_tx, user) => user,
    });
  }

  /** An account that has been checked, ready to be inserted; `asker` as in `Passwords`. @throws AppError `busy` */
  async function hashed({ password, ...account }: NewAccount, asker?: string): Promise<users.NewUser> {
    return {
      phoneNumber: null,
      managerId: null,
      ...account,
      email: normaliseEmail(account.email),
      username: normaliseUsername(account.username),
      passwordHash: await passwords.hash(password, asker),
    };
  }

  return { signUp, createUser, hashed };
}

type Details = Omit<Registration, 'phoneNumber'> & { readonly phoneNumber: string | null };

/** A name to begin with, from the email; the insert of `users` that follows the sign-up brings the real one (CALL-29). */
function withDefaults(registration: Registration): Details {
  const { email, username, phoneNumber } = registration;
  const suffix = `-${randomBytes(4).toString('hex')}`;
  const [mailbox = ''] = normaliseEmail(email).split('@', 1);
  const provisional = `${[...mailbox].slice(0, MAX_USERNAME_LENGTH - suffix.length).join('')}${suffix}`;
  return {
    ...registration,
    username: username === '' ? provisional : username,
    phoneNumber: phoneNumber === '' ? null : phoneNumber,
  };
}
