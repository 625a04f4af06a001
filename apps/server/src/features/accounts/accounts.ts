/**
 * Accounts: who somebody is, and which of their sessions still live. Invariants: the role and the user of a request come
 * from a signed token and nothing else; a session that has ended is refused at once, on every door; an unknown email
 * and a wrong password cost the same work and get the same answer (A48).
 */
import type { Caller, SignedIn, UserRole } from '@fulcrum/contract';
import { AppError } from '@fulcrum/contract';
import {
  checkEmail,
  checkNewPassword,
  checkPhoneNumber,
  checkUsername,
  normaliseEmail,
  normaliseUsername,
} from '@fulcrum/domain';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Secrets } from '../../platform/config/secrets.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { accessLifetimeS, createAccessTokens } from './access-tokens.ts';
import {
  type AttemptLimit,
  addressOf,
  clearAttempts,
  countAttempt,
  forgiveAttempt,
  limits,
  pruneAttempts,
} from './attempts.ts';
import { areDemoCredentials } from './demo.ts';
import { AccountError } from './errors.ts';
import { createPasswords } from './passwords.ts';
import { createRevocations } from './revocations.ts';
import * as sessions from './sessions.ts';
import { createTurns } from './turns.ts';
import * as users from './users.ts';

export interface AccountsDependencies {
  readonly db: Database;
  readonly config: Pick<Config, 'signupBalance' | 'demo'>;
  readonly secrets: Pick<Secrets, 'jwtSecret' | 'anonKey'>;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly log: Log;
}

/** What a sign-in or a refresh hands out. */
export interface Grant {
  readonly user: users.User;
  readonly accessToken: string;
  readonly accessLifetimeS: number;
  /** Seconds since the epoch. */
  readonly accessExpiresAtS: number;
  readonly refreshToken: string;
  readonly refreshExpiresAt: Date;
}

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

export interface PasswordChange {
  readonly password: string;
  readonly currentPassword?: string | undefined;
}

export type Accounts = ReturnType<typeof createAccounts>;

/** How fresh a sign-in must be to change the password without giving the current one. */
const recentSignInMs = 10 * 60_000;
const pruneEveryMs = 60 * 60_000;

export function createAccounts({ db, config, secrets, clock, bus, log }: AccountsDependencies) {
  const passwords = createPasswords();
  const inTurn = createTurns();
  const accessTokens = createAccessTokens(secrets.jwtSecret, clock);
  const revocations = createRevocations({ db, bus, clock });
  let pruning: NodeJS.Timeout | undefined;

  const now = () => new Date(clock.now());

  function grantOf(user: users.User, session: sessions.NewSession): Grant {
    const access = accessTokens.issue({
      userId: user.id,
      sessionId: session.sessionId,
      role: user.role,
      authTime: session.authTime,
    });
    return {
      user,
      accessToken: access.token,
      accessLifetimeS,
      accessExpiresAtS: access.expiresAtS,
      refreshToken: session.refreshToken,
      refreshExpiresAt: session.refreshExpiresAt,
    };
  }

  /**
   * Registers a trader, whatever role the client claims (AUTH-24, A49). `'without session'` leaves the caller's own
   * session the only one (A100) and answers no grant.
   * @throws AccountError `registration_invalid`, `password_weak`, `email_taken`, `username_taken`; TooManyAttempts
   */
  async function signUp(
    registration: Registration,
    device: sessions.Device,
    session: 'with session' | 'without session',
  ): Promise<{ readonly user: users.User; readonly grant: Grant | null }> {
    const { email, username, phoneNumber, password } = registration;
    const objection = checkEmail(email) ?? checkUsername(username) ?? checkPhoneNumber(phoneNumber);
    if (objection !== null) throw new AccountError('registration_invalid', objection);
    requireStrong(password);
    const account = await attempt(limits.signUpFromAddress, addressOf(device.address ?? ''), () =>
      hashed({
        email,
        username,
        password,
        role: 'trader',
        phoneNumber,
        initialBalance: config.signupBalance,
      }),
    );
    const at = now();
    return users.insertUser(db, account, at, async (tx, created) => {
      if (session === 'without session') return { user: created, grant: null };
      const user = await users.recordLogin(tx, created.id, at);
      const { session: begun } = await sessions.insertSession(tx, user.id, device, at);
      return { user, grant: grantOf(user, begun) };
    });
  }

  /** An account as the server or an admin makes it; the person has not signed in yet. The same errors as `signUp`. */
  async function createUser(database: Database, account: NewAccount): Promise<users.User> {
    const objection = checkEmail(account.email) ?? checkUsername(account.username);
    if (objection !== null) throw new AccountError('registration_invalid', objection);
    requireStrong(account.password);
    return users.insertUser(database, await hashed(account), now(), async (_tx, user) => user);
  }

  async function hashed({ password, ...account }: NewAccount): Promise<users.NewUser> {
    return {
      phoneNumber: null,
      managerId: null,
      ...account,
      email: normaliseEmail(account.email),
      username: normaliseUsername(account.username),
      passwordHash: await passwords.hash(password),
    };
  }

  /**
   * Runs `work` as one attempt of `subject`. One that the server was too busy to look at is given back: nothing was
   * guessed, and the person will try again.
   */
  async function attempt<T>(limit: AttemptLimit, subject: string, work: () => Promise<T>): Promise<T> {
    await countAttempt(db, limit, subject, now());
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError && error.code === 'busy') await forgiveAttempt(db, limit, subject);
      throw error;
    }
  }

  /** @throws AccountError `credentials_invalid`; TooManyAttempts; AppError `busy` */
  async function signIn(email: string, password: string, device: sessions.Device): Promise<Grant> {
    const account = normaliseEmail(email);
    const address = addressOf(device.address ?? '');
    const grant = await attempt(limits.signInFromAddress, address, () =>
      inTurn(account, async () => {
        const verified = await attempt(limits.signInOfAccount, account, () =>
          verifyPassword(account, password),
        );
        await clearAttempts(db, limits.signInOfAccount, account);
        return beginSession(verified, device);
      }),
    );
    await forgiveAttempt(db, limits.signInFromAddress, address);
    return grant;
  }

  async function verifyPassword(email: string, password: string): Promise<users.Credentials> {
    const known = await users.findCredentials(db, { email });
    const matches = await passwords.verify(known?.passwordHash ?? null, password);
    // What was a demo once still has these accounts; what is published must not open them any more.
    const published = !config.demo && areDemoCredentials(email, password);
    if (!known || !matches || published) throw new AccountError('credentials_invalid');
    return known;
  }

  async function beginSession(verified: users.Credentials, device: sessions.Device): Promise<Grant> {
    const at = now();
    const { user, begun } = await db.transaction(async (tx) => {
      await users.lockUser(tx, verified.userId);
      // The password may have been changed, or the account deleted, while its hash was being computed.
      const current = await users.findCredentials(tx, { userId: verified.userId });
      if (current?.passwordHash !== verified.passwordHash) throw new AccountError('credentials_invalid');
      return {
        user: await users.recordLogin(tx, verified.userId, at),
        begun: await sessions.insertSession(tx, verified.userId, device, at),
      };
    });
    revocations.announce(begun.ended);
    return grantOf(user, begun.session);
  }

  /**
   * Exchanges a refresh token for a new pair. Never throws TooManyAttempts: the official client would take it for the
   * end of the session.
   * @throws AccountError `refresh_token_unknown`, `refresh_token_reused`, `session_ended`, `session_expired`; AppError `busy`
   */
  async function refresh(refreshToken: string, device: sessions.Device): Promise<Grant> {
    const rotation = await db.transaction(async (tx) => {
      const rotated = await sessions.rotate(tx, refreshToken, device, now());
      if (rotated.outcome !== 'rotated') return rotated;
      return { ...rotated, user: await users.findUser(tx, rotated.userId) };
    });
    switch (rotation.outcome) {
      case 'rotated':
        if (!rotation.user) throw new AccountError('session_ended');
        return grantOf(rotation.user, rotation.session);
      case 'reused':
        revocations.announce(rotation.ended);
        log.warn({ sessions: rotation.ended }, 'a refresh token was used again too late: session revoked');
        throw new AccountError('refresh_token_reused');
      case 'ended':
        throw new AccountError('session_ended');
      case 'expired':
        throw new AccountError('session_expired');
      case 'unknown':
        throw new AccountError('refresh_token_unknown');
    }
  }

  /**
   * The caller of a request, without a database read. No Authorization header or the anonymous key is a caller who is
   * not signed in; anything else must be a valid access token of a live session. Which doors demand an apikey is theirs
   * to say; one that is given must be this server's.
   * @throws AccountError `api_key_invalid`, `access_token_invalid`, `session_ended`
   */
  function callerOf(headers: {
    readonly authorization?: string | undefined;
    readonly apikey?: string | undefined;
  }): Caller {
    const { authorization, apikey } = headers;
    if (apikey !== undefined && apikey !== secrets.anonKey) throw new AccountError('api_key_invalid');
    if (authorization === undefined) return { role: 'anon' };
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    if (token === undefined) throw new AccountError('access_token_invalid');
    if (token === secrets.anonKey) return { role: 'anon' };
    const claims = accessTokens.verify(token);
    if (!claims) throw new AccountError('access_token_invalid');
    if (revocations.isRevoked(claims.session_id)) throw new AccountError('session_ended');
    return {
      role: claims.app_role,
      userId: claims.sub,
      actorId: claims.act?.sub ?? claims.sub,
      sessionId: claims.session_id,
    };
  }

  /** @throws AccountError `session_ended` when the account has been deleted. */
  async function userOf(caller: SignedIn): Promise<users.User> {
    const user = await users.findUser(db, caller.userId);
    if (!user) throw new AccountError('session_ended');
    return user;
  }

  /**
   * Sets a new password and ends the person's other sessions. The caller proves to be that person with the current
   * password or by a recent sign-in; a stolen access token alone does not take the account over.
   * @throws AccountError `password_weak`, `current_password_wrong`, `reauthentication_needed`, `session_ended`;
   * TooManyAttempts; AppError `not_allowed` while acting as somebody else (A45)
   */
  async function changePassword(caller: SignedIn, change: PasswordChange): Promise<users.User> {
    if (caller.actorId !== caller.userId) {
      throw new AppError('not_allowed', 'The password cannot be changed while viewing as somebody else.');
    }
    requireStrong(change.password);
    const { verifiedHash, passwordHash } = await attempt(limits.passwordChange, caller.userId, async () => ({
      verifiedHash: await proveIdentity(caller, change.currentPassword),
      passwordHash: await passwords.hash(change.password),
    }));

    const at = now();
    const { user, ended } = await db.transaction(async (tx) => {
      const locked = await users.lockUser(tx, caller.userId);
      const current = await users.findCredentials(tx, { userId: caller.userId });
      const alive = await sessions.authTimeOf(tx, caller.sessionId);
      if (!locked || !current || !alive) throw new AccountError('session_ended');
      // Somebody else's change won in between: what was verified is no longer the current password.
      if (current.passwordHash !== verifiedHash) throw new AccountError('current_password_wrong');
      await users.replacePassword(tx, caller.userId, passwordHash, at);
      return { user: locked, ended: await sessions.revokeScope(tx, caller, 'others', at) };
    });
    revocations.announce(ended);
    await clearAttempts(db, limits.passwordChange, caller.userId);
    return user;
  }

  /** Returns the hash of the password that is current at the moment of the proof. */
  async function proveIdentity(caller: SignedIn, currentPassword: string | undefined): Promise<string> {
    const known = await users.findCredentials(db, { userId: caller.userId });
    if (!known) throw new AccountError('session_ended');
    if (currentPassword !== undefined) {
      if (await passwords.verify(known.passwordHash, currentPassword)) return known.passwordHash;
      throw new AccountError('current_password_wrong');
    }
    const authTime = await sessions.authTimeOf(db, caller.sessionId);
    if (!authTime) throw new AccountError('session_ended');
    if (clock.now() - authTime.getTime() > recentSignInMs) throw new AccountError('reauthentication_needed');
    return known.passwordHash;
  }

  /** Ends this session, all sessions of the person, or all but this one; their access tokens are void at once. */
  async function signOut(
    of: { readonly userId: string; readonly sessionId: string },
    scope: sessions.LogoutScope,
  ): Promise<void> {
    revocations.announce(await db.transaction((tx) => sessions.revokeScope(tx, of, scope, now())));
  }

  /** The live session behind a refresh token and its person's role; the token stays unused. */
  async function sessionOf(
    refreshToken: string,
  ): Promise<{ readonly userId: string; readonly sessionId: string; readonly role: UserRole } | undefined> {
    const session = await sessions.findSessionOf(db, refreshToken, now());
    const user = session && (await users.findUser(db, session.userId));
    return user && { ...session, role: user.role };
  }

  async function prune(): Promise<void> {
    try {
      await sessions.pruneSessions(db, now());
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
    refresh,
    callerOf,
    userOf,
    changePassword,
    signOut,
    sessionOf,
    isAssigned: (managerId: string, userId: string) => users.isAssigned(db, managerId, userId),
    /** Loads the sessions that ended lately. Until then every access token is refused. */
    async start(): Promise<void> {
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

function requireStrong(password: string): void {
  const objection = checkNewPassword(password);
  if (objection !== null) throw new AccountError('password_weak', objection);
}
