/** Ends an impersonation. Its code loads with the banner. */
import { getAddressedAccount, openAccount } from '../shared/account-address/index.ts';
import { enter, useSession } from '../shared/session/index.ts';
import { type Profile, RequestError, type Supabase, unwrapOrNull } from '../shared/supabase/index.ts';

/**
 * Ends the impersonation and returns the original user; null when that session ended meanwhile, or when another load follows.
 * Also works after the time limit. Rejects when the server did not answer (AUTH-53).
 */
export async function endImpersonation(supabase: Supabase): Promise<Profile | null> {
  try {
    await unwrapOrNull(supabase.rest.rpc('end_impersonation'));
  } catch (cause) {
    // The token of the account is refused once the impersonation is over.
    const isOver = cause instanceof RequestError && cause.code === 'not_found';
    if (!isOver || getAddressedAccount() === null) throw cause;
  }
  const { data: renewed, error } = await supabase.auth.refreshSession();
  if (error) throw error;
  if (getAddressedAccount() !== null) {
    // The page's account is the impersonated user's.
    openAccount(null, '/');
    return null;
  }
  if (renewed.session) await enter(supabase, renewed.session);
  const now = useSession.getState();
  return now.status === 'signed-in' ? now.user : null;
}
