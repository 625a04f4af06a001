/**
 * What a sign-in or a refresh hands out. Invariant: an access token grants the rights of the person whom it names and
 * never those of the staff member who acts as them; one that acts ends with the impersonation at the latest (A45).
 */
import { accessLifetimeS } from './access-tokens.ts';
import type { Context } from './context.ts';
import type { Impersonation } from './impersonations.ts';
import type { NewSession } from './sessions.ts';
import type { User } from './users.ts';

export interface Grant {
  /** Whom the access token acts as. */
  readonly user: User;
  readonly accessToken: string;
  /** Seconds until the access token ends. */
  readonly accessLifetimeS: number;
  /** Seconds since the epoch. */
  readonly accessExpiresAtS: number;
  readonly refreshToken: string;
  readonly refreshExpiresAt: Date;
}

/** `acting` is the live impersonation of the session, whose target `user` then is; null when the person is themselves. */
export function grantOf(
  { accessTokens, clock }: Pick<Context, 'accessTokens' | 'clock'>,
  user: User,
  session: NewSession,
  acting: Impersonation | null,
): Grant {
  if (acting && acting.targetId !== user.id) throw new Error('an acting grant is for the target');
  const { token, expiresAtS } = accessTokens.issue({
    userId: user.id,
    sessionId: session.sessionId,
    role: user.role,
    authTime: session.authTime,
    acting,
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
