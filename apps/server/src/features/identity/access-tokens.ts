/**
 * Access tokens: JWTs signed with HS256, valid for 15 minutes, verified without a database read. Invariant: a token that
 * `verify` returns was signed here with this algorithm, for this audience, and has not expired by the server's clock.
 * `revocations.ts` decides whether its session is live.
 *
 * Expiry is compared here and not in the library, because its verifier reads the system's clock.
 */
import type { UserRole } from '@fulcrum/contract';
import { createSigner, createVerifier } from 'fast-jwt';
import type { Clock } from '../../platform/clock/index.ts';
import type { Impersonation } from './impersonation-store.ts';
import { accessLifetimeS } from './token-lifetimes.ts';

const audience = 'authenticated';
const verifiedMax = 10_000;
/** Longer than any token of ours; keeps a hostile header out of the hash behind the cache. */
const lengthMax = 2048;

export interface AccessClaims {
  /** The user whose rights the token grants. */
  readonly sub: string;
  /** A trading account of `sub` that is not the main one (A112). */
  readonly account?: string;
  readonly session_id: string;
  readonly role: 'authenticated';
  /** The role at the time of issue: a change of role revokes the sessions. */
  readonly app_role: UserRole;
  /**
   * RFC 8693: the staff member who impersonates `sub`, and the id of the impersonation. The browser shows `until` (seconds
   * since the epoch), which may be later than `exp`.
   */
  readonly act?: { readonly sub: string; readonly id: string; readonly until: number };
  /** When the user last proved their identity, in seconds since the epoch, as are `iat` and `exp`. */
  readonly auth_time: number;
  readonly iat: number;
  readonly exp: number;
  readonly aud: typeof audience;
}

interface AccessTokens {
  /** `impersonation` bounds the token's life: it never outlives the impersonation. */
  issue(holder: {
    userId: string;
    /** Absent: the main account. */
    accountId?: string;
    sessionId: string;
    role: UserRole;
    authTime: Date;
    impersonation: Impersonation | null;
    /** Seconds since the epoch: the token ends then at the latest. */
    endsAtS?: number;
  }): {
    readonly token: string;
    /** Seconds since the epoch. */
    readonly expiresAtS: number;
  };
  /** The claims, or undefined for a token that is malformed, forged or expired. */
  verify(token: string): AccessClaims | undefined;
}

export function createAccessTokens(secret: string, clock: Clock): AccessTokens {
  const sign = createSigner({ key: secret, algorithm: 'HS256' });
  const verifySignature = createVerifier({
    key: secret,
    algorithms: ['HS256'],
    allowedAud: audience,
    requiredClaims: ['sub', 'session_id', 'app_role', 'auth_time', 'exp', 'aud'],
    ignoreExpiration: true,
    cache: verifiedMax,
    // An altered system clock must not make a cache entry look current for longer than a token lives.
    cacheTTL: accessLifetimeS * 1000,
  });

  return {
    issue({
      userId,
      accountId = userId,
      sessionId,
      role,
      authTime,
      impersonation,
      endsAtS = Number.POSITIVE_INFINITY,
    }) {
      const issuedAtS = Math.floor(clock.now() / 1000);
      const impersonationEndsAtS = impersonation
        ? Math.floor(impersonation.until.getTime() / 1000)
        : Number.POSITIVE_INFINITY;
      const expiresAtS = Math.min(issuedAtS + accessLifetimeS, impersonationEndsAtS, endsAtS);
      const claims: AccessClaims = {
        sub: userId,
        ...(accountId !== userId && { account: accountId }),
        session_id: sessionId,
        role: 'authenticated',
        app_role: role,
        ...(impersonation && {
          act: { sub: impersonation.actorId, id: impersonation.id, until: impersonationEndsAtS },
        }),
        auth_time: Math.floor(authTime.getTime() / 1000),
        iat: issuedAtS,
        exp: expiresAtS,
        aud: audience,
      };
      return { token: sign(claims), expiresAtS };
    },
    verify(token) {
      if (token.length > lengthMax) return undefined;
      let claims: AccessClaims;
      try {
        claims = verifySignature(token);
      } catch {
        // Every failure of the library is a statement about the token, and all of them mean the same here.
        return undefined;
      }
      const isCurrent = Number.isInteger(claims.exp) && claims.exp * 1000 > clock.now();
      return isCurrent && hasCompleteActor(claims) ? claims : undefined;
    },
  };
}

/** A token that names only the actor or only the impersonation could not be revoked: it is invalid. */
function hasCompleteActor({ act }: AccessClaims): boolean {
  return act === undefined || (typeof act?.sub === 'string' && typeof act.id === 'string');
}
