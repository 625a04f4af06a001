/**
 * Identifies the caller of a request. Invariants: role and user come from a signed token only; a token of an ended session
 * or impersonation is refused at once. No database is read.
 */
import type { Caller } from '@fulcrum/contract';
import type { AccessClaims } from './access-tokens.ts';
import type { Context } from './context.ts';
import { IdentityError } from './errors.ts';

interface CredentialHeaders {
  readonly authorization?: string | undefined;
  readonly apikey?: string | undefined;
}

export function createCallers({ anonKey, accessTokens, revocations, activeUsers, clock }: Context) {
  /** Undefined without a user's token. @throws AccountError as `callerOf` */
  function claimsOf({ authorization, apikey }: CredentialHeaders): AccessClaims | undefined {
    if (apikey !== undefined && apikey !== anonKey) throw new IdentityError('api_key_invalid');
    if (authorization === undefined) return undefined;
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    if (token === undefined) throw new IdentityError('access_token_invalid');
    if (token === anonKey) return undefined;
    const claims = accessTokens.verify(token);
    if (!claims) throw new IdentityError('access_token_invalid');
    if (revocations.isRevoked(claims.session_id)) throw new IdentityError('session_ended');
    return claims;
  }

  /**
   * The caller of a request. No Authorization header or the anonymous key is a caller who is not signed in; anything
   * else must be a valid access token of a live session. Which doors demand an apikey is theirs to say; one that is
   * given must be this server's.
   * @throws AccountError `api_key_invalid`, `access_token_invalid`, `session_ended`, `impersonation_ended`
   */
  function callerOf(headers: CredentialHeaders): Caller {
    const claims = claimsOf(headers);
    if (!claims) return { role: 'anon' };
    const { act } = claims;
    if (act && revocations.hasImpersonationEnded(act.id)) throw new IdentityError('impersonation_ended');
    activeUsers.record(claims.session_id, act?.sub ?? claims.sub, clock.now());
    return {
      role: claims.app_role,
      userId: claims.sub,
      accountId: claims.account ?? claims.sub,
      actorId: act?.sub ?? claims.sub,
      sessionId: claims.session_id,
      impersonationId: act?.id ?? null,
      expiresAtS: claims.exp,
    };
  }

  /**
   * Returns the user and session behind a request, regardless of impersonation, even one that has just ended: a logout then
   * still ends the session. Undefined without a token.
   * @throws AccountError `api_key_invalid`, `access_token_invalid`, `session_ended`
   */
  function holderOf(
    headers: CredentialHeaders,
  ): { readonly userId: string; readonly sessionId: string } | undefined {
    const claims = claimsOf(headers);
    return claims && { userId: claims.act?.sub ?? claims.sub, sessionId: claims.session_id };
  }

  return { callerOf, holderOf };
}
