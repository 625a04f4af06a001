/** The beginning of an impersonation (A45) in the browser; its end is the session's business, for every page has to know it. */
import { log } from '../../../shared/log/log.ts';
import { enter, useSession } from '../../../shared/session/index.ts';
import { answerOf, type Profile, type Supabase } from '../../../shared/supabase/index.ts';

/**
 * AUTH-52: from one's own session to acting as `userId`, who is returned; null when the session ended meanwhile. Rejects when
 * the server refuses or does not answer; then nobody is acted as.
 */
export async function startActing(
  supabase: Supabase,
  { userId, reason }: { readonly userId: string; readonly reason: string },
): Promise<Profile | null> {
  try {
    await answerOf(supabase.rest.rpc('impersonate_user', { p_user_id: userId, p_reason: reason }));
    const { data: renewed, error } = await supabase.auth.refreshSession();
    if (error) throw error;
    if (renewed.session) await enter(supabase, renewed.session);
  } catch (cause) {
    // It may have begun for all that, and would take over with the next token.
    await answerOf(supabase.rest.rpc('end_impersonation')).catch((later: unknown) =>
      log.warn('An impersonation that did not begin could not be ended', later),
    );
    throw cause;
  }
  const now = useSession.getState();
  return now.status === 'signed-in' ? now.user : null;
}
