/**
 * Sessions from the sign-in to their end. Invariants: an unknown email and a wrong password cost the same work and get the
 * same response (A48); attempts of an address on other accounts never refuse a correct password (A118); a session begins
 * with its account locked, so none outlives a change of the password.
 */
import type { SignedIn, UserRole } from '@fulcrum/contract';
import { normaliseEmail } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { rateLimitAddress } from '../../platform/rate-limit/address.ts';
import { clearAttempts, refundAttempt } from '../../platform/rate-limit/window-counter.ts';
import type { Context } from './context.ts';
import { areDemoCredentials } from './demo.ts';
import { IdentityError } from './errors.ts';
import { resolveImpersonation } from './impersonation.ts';
import { issueSessionTokens, type SessionTokens } from './session-tokens.ts';
import * as sessions from './sessions.ts';
import { emailAtAddress } from './sign-in-attempts.ts';
import * as users from './users.ts';

export type SignIn = ReturnType<typeof createSignIn>;

export function createSignIn(context: Context) {
  const { db, config, limits, log, passwords, revocations, now, attempt, withAddressSlot } = context;

  /** @throws AccountError `credentials_invalid`; TooManyAttempts; AppError `busy` */
  async function signIn(email: string, password: string, device: sessions.Device): Promise<SessionTokens> {
    const account = normaliseEmail(email);
    const address = rateLimitAddress(device.address ?? '');
    const verified = await withAddressSlot(address, account, () =>
      countedPassword(account, password, address),
    );
    return beginSession(verified.userId, device, async (tx) => {
      // The password may have been changed, or the account deleted, while its hash was being computed.
      const current = await users.findCredentials(tx, { userId: verified.userId });
      if (current?.passwordHash !== verified.passwordHash) throw new IdentityError('credentials_invalid');
    });
  }

  /** The password as one guess of the account, which is given back when it is right. */
  async function countedPassword(
    account: string,
    password: string,
    address: string,
  ): Promise<users.Credentials> {
    const emailAndAddress = emailAtAddress(account, address);
    const verified = await attempt(limits.signInOfAccountFromAddress, emailAndAddress, () =>
      attempt(limits.signInOfAccount, account, () => verifyPassword(account, password, address)),
    );
    await clearAttempts(db, limits.signInOfAccountFromAddress, emailAndAddress);
    // Only this one: what others guessed from elsewhere is no less of a guess because the owner signs in.
    await refundAttempt(db, log, limits.signInOfAccount, account);
    return verified;
  }

  async function verifyPassword(
    email: string,
    password: string,
    address: string,
  ): Promise<users.Credentials> {
    const known = await users.findCredentials(db, { email });
    const matches = await passwords.verify(known?.passwordHash ?? null, password, address);
    // What was a demo once still has these accounts; what is published must not open them any more.
    const published = !config.demo && areDemoCredentials(email, password);
    if (!known || !matches || published) throw new IdentityError('credentials_invalid');
    return known;
  }

  /**
   * Begins a session of a user with a proof. `prove` runs with the account locked and throws when the proof no longer holds.
   * @throws what `prove` throws; AccountError `session_ended` when the account has been deleted
   */
  async function beginSession(
    userId: string,
    device: sessions.Device,
    prove: (tx: Queryable, at: Date) => Promise<void>,
  ): Promise<SessionTokens> {
    const at = now();
    const { user, begun } = await db.transaction(async (tx) => {
      await users.lockUser(tx, userId);
      await prove(tx, at);
      return {
        user: await users.recordLogin(tx, userId, at),
        begun: await sessions.insertSession(tx, context.refreshTokens, userId, device, at),
      };
    });
    revocations.announce(begun.ended);
    return issueSessionTokens(context, user, begun.session, null);
  }

  /**
   * Exchanges a refresh token for a new pair. During an impersonation the pair is for the target (A45).
   * Never throws TooManyAttempts: the official client would take it for the end of the session.
   * @throws AccountError `refresh_token_unknown`, `refresh_token_reused`, `session_ended`, `session_expired`; AppError `busy`
   */
  async function refresh(refreshToken: string, device: sessions.Device): Promise<SessionTokens> {
    const rotation = await db.transaction(async (tx) => {
      const at = now();
      const rotated = await sessions.rotate(tx, context.refreshTokens, refreshToken, device, at);
      if (rotated.outcome !== 'rotated') return rotated;
      const { impersonation, ended } = await resolveImpersonation(tx, rotated.session.sessionId, at);
      const user = await users.findUser(tx, impersonation?.targetId ?? rotated.userId);
      return { ...rotated, user, impersonation, ended };
    });
    switch (rotation.outcome) {
      case 'rotated':
        revocations.announceEndedImpersonations(rotation.ended);
        if (!rotation.user) throw new IdentityError('session_ended');
        return issueSessionTokens(context, rotation.user, rotation.session, rotation.impersonation);
      case 'reused':
        revocations.announce(rotation.ended);
        log.warn({ sessions: rotation.ended }, 'a refresh token was used again too late: session revoked');
        throw new IdentityError('refresh_token_reused');
      case 'ended':
        throw new IdentityError('session_ended');
      case 'expired':
        throw new IdentityError('session_expired');
      case 'unknown':
        throw new IdentityError('refresh_token_unknown');
    }
  }

  /** @throws AccountError `session_ended` when the account has been deleted, `impersonation_ended` when the target's has */
  async function userOf(caller: SignedIn): Promise<users.User> {
    const user = await users.findUser(db, caller.userId);
    if (!user)
      throw new IdentityError(caller.impersonationId === null ? 'session_ended' : 'impersonation_ended');
    return user;
  }

  /**
   * Ends this session, all sessions of the user, or all but this one; their access tokens are void at once. The user is the
   * one who signed in: impersonating staff end their own sessions only (AUTH-42).
   */
  async function signOut(
    of: Pick<SignedIn, 'userId' | 'sessionId'> & Partial<Pick<SignedIn, 'actorId'>>,
    scope: sessions.LogoutScope,
  ): Promise<void> {
    const holder = { userId: of.actorId ?? of.userId, sessionId: of.sessionId };
    revocations.announce(await db.transaction((tx) => sessions.revokeScope(tx, holder, scope, now())));
  }

  /** Returns the live session behind a refresh token and its user's role; the token stays unused. */
  async function sessionOf(
    refreshToken: string,
  ): Promise<{ readonly userId: string; readonly sessionId: string; readonly role: UserRole } | undefined> {
    const session = await sessions.findSessionOf(db, refreshToken, now());
    const user = session && (await users.findUser(db, session.userId));
    return user && { ...session, role: user.role };
  }

  return { signIn, beginSession, refresh, userOf, signOut, sessionOf };
}
