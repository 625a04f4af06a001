/** The trader's conversations with support: what the shell counts as unread, and what the chat lists (A64). */
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../query/index.ts';
import { type OwnSession, sessionColumns, sessionsLimit, withSessions } from '../realtime/own-sessions.ts';
import { useSignedIn } from '../session/index.ts';
import { rowsOf } from '../supabase/index.ts';

/** Newest first. */
export function useOwnSessions() {
  const { user, supabase } = useSignedIn();
  const queryKey = queryKeys.chatUnread(user.id);
  return useQuery<readonly OwnSession[]>({
    queryKey,
    queryFn: async ({ client, signal }) => {
      const request = supabase.rest.from('chat_sessions').select(sessionColumns).eq('user_id', user.id);
      const newestFirst = request.order('created_at', { ascending: false }).limit(sessionsLimit);
      const read = await rowsOf(newestFirst.abortSignal(signal));
      // What was announced meanwhile is held, and may be newer; what is not read any more is gone.
      const held = client.getQueryData<readonly OwnSession[]>(queryKey) ?? [];
      const newest = read[0]?.created_at ?? '';
      const kept = held.filter(
        ({ id, created_at }) => created_at > newest || read.some((one) => one.id === id),
      );
      return withSessions(kept, read);
    },
  });
}
