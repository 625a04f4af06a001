/** Query of the trader's support conversations, for the unread badge and the list in the chat (A64). */
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../query/index.ts';
import {
  conversationColumns,
  conversationsMax,
  mergeConversations,
  type SupportConversation,
} from '../realtime/support-conversations.ts';
import { useSignedIn } from '../session/index.ts';
import { unwrap } from '../supabase/index.ts';

/** Newest first. */
export function useSupportConversations() {
  const { user, supabase } = useSignedIn();
  const queryKey = queryKeys.chatUnread(user.id);
  return useQuery<readonly SupportConversation[]>({
    queryKey,
    queryFn: async ({ client, signal }) => {
      const request = supabase.rest.from('chat_sessions').select(conversationColumns).eq('user_id', user.id);
      const newestFirst = request.order('created_at', { ascending: false }).limit(conversationsMax);
      const fetched = await unwrap(newestFirst.abortSignal(signal));
      // The cache may contain newer announced rows; rows missing from the answer are removed.
      const cached = client.getQueryData<readonly SupportConversation[]>(queryKey) ?? [];
      const newest = fetched[0]?.created_at ?? '';
      const stillValid = cached.filter(
        ({ id, created_at }) => created_at > newest || fetched.some((one) => one.id === id),
      );
      return mergeConversations(stillValid, fetched);
    },
  });
}
