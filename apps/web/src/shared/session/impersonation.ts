/**
 * Impersonation in the browser (A45). The access token names both users, so an impersonation survives a reload and reaches
 * every tab with the token. The server alone decides what is allowed during it.
 */
import { parseClaims } from '../supabase/claims.ts';

export interface Impersonation {
  /** The original user, who started the impersonation (AUTH-52). */
  readonly originalUserId: string;
  /** When it expires; ms since the epoch. */
  readonly untilMs: number;
}

/** Null without an impersonation. */
export function parseImpersonation(accessToken: string): Impersonation | null {
  const { act } = parseClaims(accessToken);
  if (typeof act?.sub !== 'string') return null;
  const untilS = typeof act.until === 'number' ? act.until : 0;
  return { originalUserId: act.sub, untilMs: untilS * 1000 };
}
