/** Marks the trader's notifications as read, in the cache at once and on the server. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getNotificationOwners } from '../../shared/account/index.ts';
import { log } from '../../shared/log/log.ts';
import { queryKeys } from '../../shared/query/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { getErrorMessage, type Notification, unwrapOrNull } from '../../shared/supabase/index.ts';
import { showToast } from '../../shared/ui/index.ts';

/** The server's limit of rows per request. */
const pageRows = 100;
const failedText = 'Failed to mark the notifications as read';

export function useMarkAllRead() {
  const { accountId, user, supabase } = useSignedIn();
  const cache = useQueryClient();
  const [pending, setPending] = useState(false);
  const queryKey = queryKeys.notifications(accountId);

  const markAllRead = async () => {
    if (pending) return;
    setPending(true);
    const readAt = new Date().toISOString();
    // An answer in flight lacks this change.
    await cache.cancelQueries({ queryKey }, { revert: false });
    cache.setQueryData<readonly Notification[]>(queryKey, (cached) =>
      cached?.map((one) => (one.readAt === null ? { ...one, readAt } : one)),
    );
    try {
      for (let isMore = true; isMore; ) {
        const unread = supabase.rest
          .from('notifications')
          .select('id')
          .in('user_id', getNotificationOwners({ accountId, user }));
        const page = await unwrapOrNull(unread.is('read_at', null).limit(pageRows));
        const ids = (page ?? []).map(({ id }) => id);
        if (ids.length > 0) {
          await unwrapOrNull(
            supabase.rest.from('notifications').update({ read_at: readAt }).in('id', ids).select('id'),
          );
        }
        isMore = ids.length === pageRows;
      }
    } catch (cause) {
      log.warn('Marking notifications as read failed', cause);
      showToast('error', getErrorMessage(cause, failedText));
    } finally {
      setPending(false);
    }
    await cache.invalidateQueries({ queryKey });
  };
  return { markAllRead, pending };
}
