/**
 * New accounts: by registration (AUTH-25), by the server or by an admin. Invariant: a registering user becomes a trader
 * with the start balance of the terms (`features/enrolment`), whatever they claim (AUTH-24, A49).
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
import type { Database, Queryable } from '../../platform/database/index.ts';
import { rateLimitAddress } from '../../platform/rate-limit/address.ts';
import { type Context, requireStrong } from './context.ts';
import { IdentityError } from './errors.ts';
import { issueSessionTokens, type SessionTokens } from './session-tokens.ts';
import * as sessions from './sessions.ts';
import * as users from './users.ts';

export interface Registration {
  readonly email: string;
  readonly username: string;
  readonly phoneNumber: string;
  readonly password: string;
}

/** What a registering user begins with (A117). */
export interface RegistrationTerms {
  /** In 1e-8 USDT. */
  readonly initialBalance: bigint;
  /** Part of the transaction that creates the user. @throws AppError when the invitation is used up meanwhile */
  readonly enrol: (tx: Queryable, user: users.User, at: Date) => Promise<void>;
}

export interface UserDraft {
  readonly email: string;
  readonly username: string;
  readonly password: string;
  readonly role: UserRole;
  readonly phoneNumber?: string | null;
  readonly managerId?: string | null;
  /** In 1e-8 USDT; null makes no wallet. */
  readonly initialBalance: bigint | null;
  /** Of a demo account with a past; left out, now. */
  readonly createdAt?: Date;
}

export function createRegistration(context: Context) {
  const { db, limits, passwords, now, attempt, withAddressSlot } = context;

  /**
   * Registers a trader, whatever role the client claims. `'without session'` is for staff who add a user (A100): it leaves
   * their own session unchanged, returns no grant, and needs email and password only (CALL-65).
   * @throws AccountError `registration_invalid`, `password_weak`, `email_taken`, `username_taken`; TooManyAttempts; what
   * `readTerms` throws for who may not register
   */
  async function signUp(
    registration: Registration,
    device: sessions.Device,
    session: 'with session' | 'without session',
    readTerms: () => Promise<RegistrationTerms>,
  ): Promise<{ readonly user: users.User; readonly grant: SessionTokens | null }> {
    const { email, username, phoneNumber } =
      session === 'without session' ? withDefaults(registration) : registration;
    const objection =
      checkEmail(email) ??
      checkUsername(username) ??
      (phoneNumber === null ? null : checkPhoneNumber(phoneNumber));
    if (objection !== null) throw new IdentityError('registration_invalid', objection);
    requireStrong(registration.password);
    const address = rateLimitAddress(device.address ?? '');
    const draft = {
      email,
      username,
      password: registration.password,
      role: 'trader',
      phoneNumber,
    } as const;
    // A refusal of a taken name or email stays counted: it discloses that the name exists. So does that of a code.
    const { account, enrol } = await withAddressSlot(address, normaliseEmail(email), () =>
      attempt(limits.signUpFromAddress, address, async () => {
        const { initialBalance, enrol } = await readTerms();
        return { account: await hashed({ ...draft, initialBalance }, address), enrol };
      }),
    );
    const at = now();
    return users.insertUser(db, account, at, {
      after: async (tx, created) => {
        await enrol(tx, created, at);
        if (session === 'without session') return { user: created, grant: null };
        const user = await users.recordLogin(tx, created.id, at);
        const { session: begun } = await sessions.insertSession(
          tx,
          context.refreshTokens,
          user.id,
          device,
          at,
        );
        return { user, grant: issueSessionTokens(context, user, begun, null) };
      },
    });
  }

  /** Creates an account that has not signed in yet. The same errors as `signUp`. */
  async function createUser(database: Database, account: UserDraft): Promise<users.User> {
    const objection = checkEmail(account.email) ?? checkUsername(account.username);
    if (objection !== null) throw new IdentityError('registration_invalid', objection);
    requireStrong(account.password);
    const { createdAt, ...rest } = account;
    const user = { ...(await hashed(rest)), ...(createdAt && { walletOpenedAt: createdAt }) };
    return users.insertUser(database, user, createdAt ?? now(), {
      after: async (_tx, user) => user,
    });
  }

  /** An account that has been checked, ready to be inserted; `asker` as in `Passwords`. @throws AppError `busy` */
  async function hashed({ password, ...account }: UserDraft, caller?: string): Promise<users.NewUser> {
    return {
      phoneNumber: null,
      managerId: null,
      ...account,
      email: normaliseEmail(account.email),
      username: normaliseUsername(account.username),
      passwordHash: await passwords.hash(password, caller),
    };
  }

  return { signUp, createUser, hashed };
}

type RegistrationDetails = Omit<Registration, 'phoneNumber'> & { readonly phoneNumber: string | null };

/** A name to begin with, from the email; the insert of `users` that follows the sign-up brings the real one (CALL-29). */
function withDefaults(registration: Registration): RegistrationDetails {
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
