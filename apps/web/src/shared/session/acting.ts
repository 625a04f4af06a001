/**
 * Acting as somebody else (A45), as the browser sees it: the server says so in the access token, which names both people,
 * so it survives a reload and reaches every tab with the token. Nothing here decides what is allowed meanwhile.
 */
import { claimsOf } from '../supabase/claims.ts';

export interface Acting {
  /** The original user: who really sits here (AUTH-52). */
  readonly originalUserId: string;
  /** When it ends by itself; ms since the epoch. */
  readonly untilMs: number;
}

/** Null while everybody acts as themselves. */
export function actingOf(accessToken: string): Acting | null {
  const { act } = claimsOf(accessToken);
  if (typeof act?.sub !== 'string') return null;
  const untilS = typeof act.until === 'number' ? act.until : 0;
  return { originalUserId: act.sub, untilMs: untilS * 1000 };
}
