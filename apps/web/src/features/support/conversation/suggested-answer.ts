/** The passage of the help that is nearest to a message, for who waits and for who answers. It is no message and no row. */
import { useQuery } from '@tanstack/react-query';
import { useSignedIn } from '../../../shared/session/index.ts';
import { unwrapOrNull } from '../../../shared/supabase/index.ts';
import type { ChatMessage } from './types.ts';

/** A longer message is searched by its beginning. */
const searchedMax = 2_000;

/** Null while there is none. */
export function useSuggestedAnswer(message: ChatMessage | null) {
  const { supabase } = useSignedIn();
  const { data = null } = useQuery({
    queryKey: ['suggested-answer', message?.id],
    enabled: message !== null,
    queryFn: ({ signal }) =>
      unwrapOrNull(
        supabase.rest
          .rpc('suggest_answer', { p_text: (message?.content ?? '').slice(0, searchedMax) })
          .abortSignal(signal),
      ),
    // Without it the conversation goes on as ever.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return message === null ? null : data;
}
