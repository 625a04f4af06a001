/**
 * Access tokens for one of a user's trading accounts (A112). Invariants: the token belongs to the caller's session, so what
 * ends the session or the impersonation ends the token; it ends with the caller's token at the latest, so no token renews itself
 * without the refresh token; it grants no other rights than the session's own, and none over another user's account. An impersonation
 * gets none of an account in a contest or a challenge, because staff act in none. The audit log names each account besides the main one that an
 * impersonation enters, once.
 */
import {
  AppError,
  type ArgsOf,
  isImpersonating,
  type ResultOf,
  type SignedIn,
  texts,
} from '@fulcrum/contract';
import type { AccountKind } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { actorOf, recordAuditEntry } from '../audit/index.ts';
import type { Context } from './context.ts';
import { IdentityError } from './errors.ts';
import { type Impersonation, lockImpersonationOf } from './impersonation-store.ts';
import { authTimeOf, lockLiveSession } from './sessions.ts';
import { accessLifetimeS } from './token-lifetimes.ts';

export const createAccountTokens =
  ({ db, accessTokens, clock, now }: Pick<Context, 'db' | 'accessTokens' | 'clock' | 'now'>) =>
  /** @throws AppError not_found for an account of another user or one that is gone, contest_account; AccountError `session_ended` */
  async (caller: SignedIn, { p_account_id }: ArgsOf<'account_token'>): Promise<ResultOf<'account_token'>> => {
    const accountId = p_account_id.toLowerCase();
    const { authTime, endsAtS, impersonation } = await db.transaction(async (tx) => {
      // During an impersonation the session is the actor's.
      const isLive = await lockLiveSession(tx, { userId: caller.actorId, sessionId: caller.sessionId });
      const authTime = isLive ? await authTimeOf(tx, caller.sessionId) : undefined;
      if (!authTime || caller.expiresAtS === undefined) throw new IdentityError('session_ended');
      const { rows } = await tx.query<{ kind: AccountKind }>(
        'select kind from app.trading_accounts where id = $1 and owner_id = $2',
        [accountId, caller.userId],
      );
      const [account] = rows;
      if (!account) throw new AppError('not_found', texts.accountGone);
      const impersonation = await requireImpersonation(tx, caller);
      if (impersonation && account.kind === 'contest')
        throw new AppError('contest_account', texts.contestForEntrantsOnly);
      if (impersonation && account.kind === 'challenge')
        throw new AppError('challenge_account', texts.challengeForEntrantsOnly);
      if (impersonation && accountId !== caller.userId) {
        await recordEntered(tx, caller, { impersonationId: impersonation.id, accountId }, now());
      }
      return { authTime, endsAtS: caller.expiresAtS, impersonation };
    });
    const { token, expiresAtS } = accessTokens.issue({
      userId: caller.userId,
      accountId,
      sessionId: caller.sessionId,
      role: caller.role,
      authTime,
      impersonation,
      endsAtS,
    });
    return {
      access_token: token,
      expires_in: Math.min(accessLifetimeS, expiresAtS - Math.floor(clock.now() / 1000)),
      expires_at: expiresAtS,
      account_id: accountId,
    };
  };

/** The caller's impersonation, as a refresh judges it; null in the own session. @throws AccountError `impersonation_ended` */
async function requireImpersonation(tx: Queryable, caller: SignedIn): Promise<Impersonation | null> {
  if (!isImpersonating(caller)) return null;
  const live = await lockImpersonationOf(tx, caller.sessionId);
  if (live?.isAllowed && live.id === caller.impersonationId) return live;
  throw new IdentityError('impersonation_ended');
}

interface EnteredAccount {
  readonly impersonationId: string;
  readonly accountId: string;
}

/** Tokens are renewed, so only the first one of an account counts; the impersonation is locked. */
async function recordEntered(
  tx: Queryable,
  caller: SignedIn,
  { impersonationId, accountId }: EnteredAccount,
  at: Date,
): Promise<void> {
  const action = 'impersonation.enter_account';
  const { rows } = await tx.query(
    `select from app.audit_log where object_id = $1 and action = $2 and detail ->> 'account_id' = $3 limit 1`,
    [impersonationId, action, accountId],
  );
  if (rows.length > 0) return;
  await recordAuditEntry(tx, {
    at,
    ...actorOf(caller),
    subjectId: caller.userId,
    action,
    objectId: impersonationId,
    detail: { impersonation_id: impersonationId, account_id: accountId },
  });
}
