/** Where the account is logged in: its live sessions, and ending them. Limit: the server lists the 100 used last. */
import { useQuery } from '@tanstack/react-query';
import { log } from '../../../shared/log/log.ts';
import { queryKeys } from '../../../shared/query/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import {
  answerOf,
  type CamelCased,
  fromWire,
  messageOf,
  RequestError,
  rowsOf,
  type Supabase,
} from '../../../shared/supabase/index.ts';

type SessionOnWire = Awaited<ReturnType<typeof listOf>>[number];
export type LiveSession = CamelCased<SessionOnWire>;

const listOf = (supabase: Supabase, signal: AbortSignal) =>
  rowsOf(supabase.rest.rpc('list_sessions').abortSignal(signal));

/** This device first, then the last used. Read anew whenever somebody looks. */
export function useSessions() {
  const { user, supabase } = useSignedIn();
  return useQuery<readonly LiveSession[]>({
    queryKey: queryKeys.sessions(user.id),
    queryFn: async ({ signal }) => {
      const sessions = (await listOf(supabase, signal)).map(fromWire);
      return sessions.toSorted((a, b) => Number(b.current) - Number(a.current));
    },
    staleTime: 0,
  });
}

const failed = 'Failed to end the session';

/** Null when it is over, whoever ended it, else the text to show. */
export async function endSession(supabase: Supabase, id: string): Promise<string | null> {
  try {
    await answerOf(supabase.rest.rpc('revoke_session', { p_id: id }));
    return null;
  } catch (cause) {
    if (cause instanceof RequestError && cause.code === 'not_found') return null;
    log.warn('Ending a session failed', cause);
    return messageOf(cause, failed);
  }
}

/** Null when only this session is left, else the text to show. */
export async function endOtherSessions(supabase: Supabase): Promise<string | null> {
  const { error } = await supabase.auth.signOut({ scope: 'others' });
  if (!error) return null;
  log.warn('Ending the other sessions failed', error);
  return 'Failed to end the other sessions';
}
