/**
 * Issues the tokens of a sign-in or a refresh. Invariant: an access token grants the rights of the user whom it names, and
 * never those of an impersonating staff member; a token of an impersonation expires with it at the latest (A45).
 */

import type { Context } from './context.ts';
import type { Impersonation } from './impersonation-store.ts';
import type { NewSession } from './sessions.ts';
import { accessLifetimeS } from './token-lifetimes.ts';
import type { User } from './users.ts';

export interface SessionTokens {
  /** The user whose rights the access token grants. */
  readonly user: User;
  readonly accessToken: string;
  /** Seconds until the access token ends. */
  readonly accessLifetimeS: number;
  /** Seconds since the epoch. */
  readonly accessExpiresAtS: number;
  readonly refreshToken: string;
  readonly refreshExpiresAt: Date;
}

/** `impersonation` is the session's live one, with `user` as its target; null without one. */
export function issueSessionTokens(
  { accessTokens, clock }: Pick<Context, 'accessTokens' | 'clock'>,
  user: User,
  session: NewSession,
  impersonation: Impersonation | null,
): SessionTokens {
  if (impersonation && impersonation.targetId !== user.id)
    throw new Error('an impersonation grant is for the target');
  const { token, expiresAtS } = accessTokens.issue({
    userId: user.id,
    sessionId: session.sessionId,
    role: user.role,
    authTime: session.authTime,
    impersonation,
  });
  return {
    user,
    accessToken: token,
    accessLifetimeS: Math.min(accessLifetimeS, expiresAtS - Math.floor(clock.now() / 1000)),
    accessExpiresAtS: expiresAtS,
    refreshToken: session.refreshToken,
    refreshExpiresAt: session.refreshExpiresAt,
  };
}
