/**
 * Access tokens for one of a person's trading accounts (A112). Invariants: the token belongs to the caller's session, so what
 * ends the session or the impersonation ends the token; it grants no other rights than the session's own token, and none
 * over another person's account.
 */
import { AppError, type accountToken, type SignedIn } from '@fulcrum/contract';
import type { z } from 'zod';
import type { Context } from './context.ts';
import { IdentityError } from './errors.ts';
import { lockImpersonationOf } from './impersonation-store.ts';
import { authTimeOf, lockLiveSession } from './sessions.ts';
import { accessLifetimeS } from './token-lifetimes.ts';

export const createAccountTokens =
  ({ db, accessTokens, clock }: Pick<Context, 'db' | 'accessTokens' | 'clock'>) =>
  /** @throws AppError not_found for an account of another person or one that is gone; AccountError `session_ended` */
  async (
    caller: SignedIn,
    { p_account_id }: z.output<typeof accountToken.args>,
  ): Promise<z.input<typeof accountToken.result>> => {
    const accountId = p_account_id.toLowerCase();
    const { authTime, impersonation } = await db.transaction(async (tx) => {
      // During an impersonation the session is the actor's.
      await lockLiveSession(tx, { userId: caller.actorId, sessionId: caller.sessionId });
      const authTime = await authTimeOf(tx, caller.sessionId);
      if (!authTime) throw new IdentityError('session_ended');
      const { rows } = await tx.query('select from app.trading_accounts where id = $1 and owner_id = $2', [
        accountId,
        caller.userId,
      ]);
      if (rows.length === 0) throw new AppError('not_found', 'This account is gone. Choose another one.');
      const live =
        caller.impersonationId === null ? undefined : await lockImpersonationOf(tx, caller.sessionId);
      if (caller.impersonationId !== (live?.id ?? null)) throw new IdentityError('impersonation_ended');
      return { authTime, impersonation: live ?? null };
    });
    const { token, expiresAtS } = accessTokens.issue({
      userId: caller.userId,
      accountId,
      sessionId: caller.sessionId,
      role: caller.role,
      authTime,
      impersonation,
    });
    return {
      access_token: token,
      expires_in: Math.min(accessLifetimeS, expiresAtS - Math.floor(clock.now() / 1000)),
      expires_at: expiresAtS,
      account_id: accountId,
    };
  };
