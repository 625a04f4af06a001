/** Lists and ends the account's live sessions. Limit: the server lists the 100 used last. */
import { useQuery } from '@tanstack/react-query';
import { log } from '../../../shared/log/log.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import {
  type CamelCased,
  fromWire,
  getErrorMessage,
  RequestError,
  type Supabase,
  unwrap,
  unwrapOrNull,
} from '../../../shared/supabase/index.ts';

type WireSession = Awaited<ReturnType<typeof fetchSessions>>[number];
export type LiveSession = CamelCased<WireSession>;

const fetchSessions = (supabase: Supabase, signal: AbortSignal) =>
  unwrap(supabase.rest.rpc('list_sessions').abortSignal(signal));

/** This device first, then the last used. Read again on each visit. */
export function useSessions() {
  const { user, supabase } = useSignedIn();
  return useQuery<readonly LiveSession[]>({
    queryKey: queryKeys.sessions(user.id),
    queryFn: async ({ signal }) => {
      const sessions = (await fetchSessions(supabase, signal)).map(fromWire);
      return sessions.toSorted((a, b) => Number(b.current) - Number(a.current));
    },
    staleTime: 0,
  });
}

const failedText = 'Failed to end the session';

/** Null when the session has ended, by this request or before, else the text to show. */
export async function endSession(supabase: Supabase, id: string): Promise<string | null> {
  try {
    await unwrapOrNull(supabase.rest.rpc('revoke_session', { p_id: id }));
    return null;
  } catch (cause) {
    if (cause instanceof RequestError && cause.code === 'not_found') return null;
    log.warn('Ending a session failed', cause);
    return getErrorMessage(cause, failedText);
  }
}

/** Null when only this session is left, else the text to show. */
export async function endOtherSessions(supabase: Supabase): Promise<string | null> {
  const { error } = await supabase.auth.signOut({ scope: 'others' });
  if (!error) return null;
  log.warn('Ending the other sessions failed', error);
  return 'Failed to end the other sessions';
}
