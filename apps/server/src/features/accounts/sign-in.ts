/**
 * Sessions from the sign-in to their end. Invariants: an unknown email and a wrong password cost the same work and get
 * the same answer (A48); a session begins with its account locked, so none outlives a change of the password.
 */
import type { SignedIn, UserRole } from '@fulcrum/contract';
import { normaliseEmail } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { resolveActing } from './acting.ts';
import { accountFrom, addressOf, clearAttempts, forgiveAttempt, limits } from './attempts.ts';
import type { Context } from './context.ts';
import { areDemoCredentials } from './demo.ts';
import { AccountError } from './errors.ts';
import { type Grant, grantOf } from './grants.ts';
import * as sessions from './sessions.ts';
import { createTurns } from './turns.ts';
import * as users from './users.ts';

export function createSignIn(context: Context) {
  const { db, config, log, passwords, revocations, now, attempt } = context;
  const inTurn = createTurns();

  /** @throws AccountError `credentials_invalid`; TooManyAttempts; AppError `busy` */
  async function signIn(email: string, password: string, device: sessions.Device): Promise<Grant> {
    const account = normaliseEmail(email);
    const address = addressOf(device.address ?? '');
    const here = accountFrom(account, address);
    const grant = await attempt(limits.signInFromAddress, address, () =>
      inTurn(account, async () => {
        const verified = await attempt(limits.signInOfAccountFromAddress, here, () =>
          attempt(limits.signInOfAccount, account, () => verifyPassword(account, password, address)),
        );
        await clearAttempts(db, limits.signInOfAccountFromAddress, here);
        // Only this one: what others guessed from elsewhere is no less of a guess because the owner signs in.
        await forgiveAttempt(db, limits.signInOfAccount, account);
        return beginSession(verified.userId, device, async (tx) => {
          // The password may have been changed, or the account deleted, while its hash was being computed.
          const current = await users.findCredentials(tx, { userId: verified.userId });
          if (current?.passwordHash !== verified.passwordHash) throw new AccountError('credentials_invalid');
        });
      }),
    );
    await forgiveAttempt(db, limits.signInFromAddress, address);
    return grant;
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
    if (!known || !matches || published) throw new AccountError('credentials_invalid');
    return known;
  }

  /**
   * Begins a session of somebody who has proved to be this person. `prove` runs with the account locked and throws when
   * the proof no longer holds.
   * @throws what `prove` throws; AccountError `session_ended` when the account has been deleted
   */
  async function beginSession(
    userId: string,
    device: sessions.Device,
    prove: (tx: Queryable, at: Date) => Promise<void>,
  ): Promise<Grant> {
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
    return grantOf(context, user, begun.session, null);
  }

  /**
   * Exchanges a refresh token for a new pair. While the session acts as somebody else, the pair is for them (A45).
   * Never throws TooManyAttempts: the official client would take it for the end of the session.
   * @throws AccountError `refresh_token_unknown`, `refresh_token_reused`, `session_ended`, `session_expired`; AppError `busy`
   */
  async function refresh(refreshToken: string, device: sessions.Device): Promise<Grant> {
    const rotation = await db.transaction(async (tx) => {
      const at = now();
      const rotated = await sessions.rotate(tx, context.refreshTokens, refreshToken, device, at);
      if (rotated.outcome !== 'rotated') return rotated;
      const { acting, ended } = await resolveActing(tx, rotated.session.sessionId, at);
      const user = await users.findUser(tx, acting?.targetId ?? rotated.userId);
      return { ...rotated, user, acting, ended };
    });
    switch (rotation.outcome) {
      case 'rotated':
        revocations.announceEndedActing(rotation.ended);
        if (!rotation.user) throw new AccountError('session_ended');
        return grantOf(context, rotation.user, rotation.session, rotation.acting);
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

  /** @throws AccountError `session_ended` when the account has been deleted, `acting_ended` when the target's has */
  async function userOf(caller: SignedIn): Promise<users.User> {
    const user = await users.findUser(db, caller.userId);
    if (!user) throw new AccountError(caller.actingId === null ? 'session_ended' : 'acting_ended');
    return user;
  }

  /**
   * Ends this session, all sessions of the person, or all but this one; their access tokens are void at once. The person
   * is the one who signed in: staff who act as somebody else end their own sessions and nobody else's (AUTH-42).
   */
  async function signOut(
    of: Pick<SignedIn, 'userId' | 'sessionId'> & Partial<Pick<SignedIn, 'actorId'>>,
    scope: sessions.LogoutScope,
  ): Promise<void> {
    const holder = { userId: of.actorId ?? of.userId, sessionId: of.sessionId };
    revocations.announce(await db.transaction((tx) => sessions.revokeScope(tx, holder, scope, now())));
  }

  /** The live session behind a refresh token and its person's role; the token stays unused. */
  async function sessionOf(
    refreshToken: string,
  ): Promise<{ readonly userId: string; readonly sessionId: string; readonly role: UserRole } | undefined> {
    const session = await sessions.findSessionOf(db, refreshToken, now());
    const user = session && (await users.findUser(db, session.userId));
    return user && { ...session, role: user.role };
  }

  return { signIn, beginSession, refresh, userOf, signOut, sessionOf };
}
