/**
 * Who makes a request. Invariants: role and user come from a signed token and nothing else; a token of a session or an
 * impersonation that has ended is refused at once. No database is read.
 */
import type { Caller } from '@fulcrum/contract';
import type { AccessClaims } from './access-tokens.ts';
import type { Context } from './context.ts';
import { AccountError } from './errors.ts';

export interface CredentialHeaders {
  readonly authorization?: string | undefined;
  readonly apikey?: string | undefined;
}

export function createCallers({ anonKey, accessTokens, revocations, attendance, clock }: Context) {
  /** Undefined without a token of a person. @throws AccountError as `callerOf` */
  function claimsOf({ authorization, apikey }: CredentialHeaders): AccessClaims | undefined {
    if (apikey !== undefined && apikey !== anonKey) throw new AccountError('api_key_invalid');
    if (authorization === undefined) return undefined;
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    if (token === undefined) throw new AccountError('access_token_invalid');
    if (token === anonKey) return undefined;
    const claims = accessTokens.verify(token);
    if (!claims) throw new AccountError('access_token_invalid');
    if (revocations.isRevoked(claims.session_id)) throw new AccountError('session_ended');
    return claims;
  }

  /**
   * The caller of a request. No Authorization header or the anonymous key is a caller who is not signed in; anything
   * else must be a valid access token of a live session. Which doors demand an apikey is theirs to say; one that is
   * given must be this server's.
   * @throws AccountError `api_key_invalid`, `access_token_invalid`, `session_ended`, `acting_ended`
   */
  function callerOf(headers: CredentialHeaders): Caller {
    const claims = claimsOf(headers);
    if (!claims) return { role: 'anon' };
    const { act } = claims;
    if (act && revocations.hasActingEnded(act.id)) throw new AccountError('acting_ended');
    attendance.note(claims.session_id, act?.sub ?? claims.sub, clock.now());
    return {
      role: claims.app_role,
      userId: claims.sub,
      actorId: act?.sub ?? claims.sub,
      sessionId: claims.session_id,
      actingId: act?.id ?? null,
    };
  }

  /**
   * Whose live session a request belongs to, whoever it acts as: also when that acting has just ended, so that a logout
   * then still ends the session. Undefined without a token.
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
