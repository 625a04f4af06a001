/** Internal notes of a conversation: plain rows beside the messages that no trader reads. The newest 500 at most exist. */
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useSignedIn } from '../../../shared/session/index.ts';
import { answerOf, RequestError, rowsOf, type Supabase } from '../../../shared/supabase/index.ts';
import type { ChatNote } from './session-feed.ts';

const notesLimit = 500;
/** Twice the same id: the first attempt arrived, only its answer did not. */
const isThereAlready = (cause: unknown): boolean => cause instanceof RequestError && cause.code === '23505';

const keyOf = (sessionId: string) => ['chat-notes', sessionId] as const;

export function useNotes(sessionId: string) {
  const { supabase } = useSignedIn();
  return useQuery<readonly ChatNote[]>({
    queryKey: keyOf(sessionId),
    queryFn: ({ signal }) =>
      rowsOf(
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

/** A note that was announced, where its conversation is shown or kept. */
export function takeOverNote(cache: QueryClient, note: ChatNote): void {
  cache.setQueryData<readonly ChatNote[]>(keyOf(note.session_id), (held) =>
    held === undefined || held.some(({ id }) => id === note.id) ? held : [...held, note],
  );
}

export const readNotesAgain = (cache: QueryClient): Promise<void> =>
  cache.invalidateQueries({ queryKey: ['chat-notes'] });

/** `id` is made once per note, so that a repeat is the same one. */
export async function writeNote(
  supabase: Supabase,
  note: Pick<ChatNote, 'id' | 'session_id' | 'content'>,
): Promise<void> {
  try {
    await answerOf(supabase.rest.from('chat_notes').insert(note));
  } catch (cause) {
    if (!isThereAlready(cause)) throw cause;
  }
}
