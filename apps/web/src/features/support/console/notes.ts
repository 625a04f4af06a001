/**
 * Internal notes of a conversation: plain rows beside the messages, which no trader can read. Limit: the newest 500.
 */
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useSignedIn } from '../../../shared/session/index.ts';
import { RequestError, type Supabase, unwrap, unwrapOrNull } from '../../../shared/supabase/index.ts';
import type { ChatNote } from './session-feed.ts';

const notesLimit = 500;
/** A duplicate id: the first attempt succeeded, but its answer was lost. */
const isDuplicate = (cause: unknown): boolean => cause instanceof RequestError && cause.code === '23505';

const keyOf = (sessionId: string) => ['chat-notes', sessionId] as const;

export function useNotes(sessionId: string) {
  const { supabase } = useSignedIn();
  return useQuery<readonly ChatNote[]>({
    queryKey: keyOf(sessionId),
    queryFn: ({ signal }) =>
      unwrap(
        supabase.rest
          .from('chat_notes')
          .select('*')
          .eq('session_id', sessionId)
          .order('created_at')
          .limit(notesLimit)
          .abortSignal(signal),
      ),
  });
}

/** Adds a broadcast note to the cache of its conversation. */
export function cacheNote(cache: QueryClient, note: ChatNote): void {
  cache.setQueryData<readonly ChatNote[]>(keyOf(note.session_id), (held) =>
    held === undefined || held.some(({ id }) => id === note.id) ? held : [...held, note],
  );
}

export const refetchNotes = (cache: QueryClient): Promise<void> =>
  cache.invalidateQueries({ queryKey: ['chat-notes'] });

/** `id` is created once per note, so a repeat inserts the same one. */
export async function writeNote(
  supabase: Supabase,
  note: Pick<ChatNote, 'id' | 'session_id' | 'content'>,
): Promise<void> {
  try {
    await unwrapOrNull(supabase.rest.from('chat_notes').insert(note));
  } catch (cause) {
    if (!isDuplicate(cause)) throw cause;
  }
}
