/** Lists and ends the account's live sessions. Limit: the server lists the 100 used last. */
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../../../shared/query/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import {
  type CamelCased,
  fromWire,
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

/** Resolves when the session has ended, by this request or before. @throws RequestError */
export async function endSession(supabase: Supabase, id: string): Promise<void> {
  try {
    await unwrapOrNull(supabase.rest.rpc('revoke_session', { p_id: id }));
  } catch (cause) {
    if (!(cause instanceof RequestError && cause.code === 'not_found')) throw cause;
  }
}

/** Resolves when only this session is left. @throws AuthError */
export async function endOtherSessions(supabase: Supabase): Promise<void> {
  const { error } = await supabase.auth.signOut({ scope: 'others' });
  if (error) throw error;
}
