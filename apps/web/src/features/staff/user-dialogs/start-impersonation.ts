/** Starts an impersonation in the browser (A45). The session ends it, because every page needs that. */
import { openAccount } from '../../../shared/account-address/index.ts';
import { log } from '../../../shared/log/log.ts';
import { enter, homeOf, useSession } from '../../../shared/session/index.ts';
import { type Profile, type Supabase, unwrapOrNull } from '../../../shared/supabase/index.ts';

interface ImpersonationRequest {
  readonly userId: string;
  /** Null for the main account. */
  readonly accountId: string | null;
  readonly reason: string;
}

/**
 * Switches the session to impersonate `userId` and returns that user; null when the session ended meanwhile. For an account
 * besides the main one the page loads again, at the account's address, and the answer is null. Rejects when the server refuses or
 * does not answer; then no impersonation is active (AUTH-52).
 */
export async function startImpersonation(
  supabase: Supabase,
  { userId, accountId, reason }: ImpersonationRequest,
): Promise<Profile | null> {
  try {
    await unwrapOrNull(supabase.rest.rpc('impersonate_user', { p_user_id: userId, p_reason: reason }));
    const { data: renewed, error } = await supabase.auth.refreshSession();
    if (error) throw error;
    if (accountId !== null && renewed.session) {
      // Only traders have accounts.
      openAccount(accountId, homeOf('trader'));
      return null;
    }
    if (renewed.session) await enter(supabase, renewed.session);
  } catch (cause) {
    // The impersonation may have started on the server; the next token would switch to it.
    await unwrapOrNull(supabase.rest.rpc('end_impersonation')).catch((later: unknown) =>
      log.warn('An impersonation that did not begin could not be ended', later),
    );
    throw cause;
  }
  const now = useSession.getState();
  return now.status === 'signed-in' ? now.user : null;
}
