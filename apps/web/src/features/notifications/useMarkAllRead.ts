/** Marks what the trader was told as read, here at once and on the server. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { log } from '../../shared/log/log.ts';
import { queryKeys } from '../../shared/query/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { answerOf, messageOf, type Notification } from '../../shared/supabase/index.ts';
import { announce } from '../../shared/ui/index.ts';

/** The server changes at most so many rows at a time. */
const pageRows = 100;
const failedText = 'Failed to mark the notifications as read';

export function useMarkAllRead() {
  const { user, supabase } = useSignedIn();
  const cache = useQueryClient();
  const [pending, setPending] = useState(false);
  const queryKey = queryKeys.notifications(user.id);

  const markAllRead = async () => {
    if (pending) return;
    setPending(true);
    const readAt = new Date().toISOString();
    // An answer that is on its way knows nothing of it.
    await cache.cancelQueries({ queryKey }, { revert: false });
    cache.setQueryData<readonly Notification[]>(queryKey, (held) =>
      held?.map((one) => (one.readAt === null ? { ...one, readAt } : one)),
    );
    try {
      for (let isMore = true; isMore; ) {
        const unread = supabase.rest.from('notifications').select('id').eq('user_id', user.id);
        const page = await answerOf(unread.is('read_at', null).limit(pageRows));
        const ids = (page ?? []).map(({ id }) => id);
        if (ids.length > 0) {
          await answerOf(
            supabase.rest.from('notifications').update({ read_at: readAt }).in('id', ids).select('id'),
          );
        }
        isMore = ids.length === pageRows;
      }
    } catch (cause) {
      log.warn('Marking notifications as read failed', cause);
      announce('error', messageOf(cause, failedText));
    } finally {
      setPending(false);
    }
    await cache.invalidateQueries({ queryKey });
  };
  return { markAllRead, pending };
}
