/** Marks what the trader was told as read, here at once and on the server. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { log } from '../../shared/log/log.ts';
import { queryKeys } from '../../shared/query/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { answerOf, messageOf, type Notification } from '../../shared/supabase/index.ts';
import { announce } from '../../shared/ui/index.ts';

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
    cache.setQueryData<readonly Notification[]>(queryKey, (held) =>
      held?.map((one) => (one.readAt === null ? { ...one, readAt } : one)),
    );
    try {
      const request = supabase.rest.from('notifications').update({ read_at: readAt });
      await answerOf(request.eq('user_id', user.id).is('read_at', null));
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
