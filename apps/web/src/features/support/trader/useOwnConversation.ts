/**
 * Selects the trader's conversation: the open one that the server names (CHAT-03 … CHAT-05, A65), and after a close
 * the next one as soon as it exists. The previous one is shown above it for a day. Impersonation opens nothing: the
 * latest conversation is only read (A45).
 */
import { dayMs } from '@fulcrum/domain';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useSupportConversations } from '../../../shared/account/support-conversations.ts';
import type { SupportConversation } from '../../../shared/realtime/support-conversations.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { openSession } from '../conversation/requests.ts';

/** Closed recently, with messages. */
const isRecent = ({ status, last_seq, closed_at }: SupportConversation, nowMs: number): boolean =>
  status === 'closed' && last_seq > 0 && closed_at !== null && nowMs - Date.parse(closed_at) < dayMs;

/** The closed conversation shown above the one of `currentId`; null when there is none. */
export function findPreviousId(
  sessions: readonly SupportConversation[],
  currentId: string,
  nowMs: number,
): string | null {
  const at = sessions.findIndex(({ id }) => id === currentId);
  const before = sessions[at + 1];
  return before !== undefined && isRecent(before, nowMs) ? before.id : null;
}

export interface OwnConversation {
  readonly status: 'loading' | 'failed' | 'ready';
  /** Null while impersonating a user who never wrote. */
  readonly currentId: string | null;
  readonly previousId: string | null;
  readonly sessions: readonly SupportConversation[];
  readonly goTo: (id: string) => void;
  readonly openAgain: () => void;
  readonly isOpening: boolean;
}

export function useOwnConversation(): OwnConversation {
  const { user, supabase, impersonation } = useSignedIn();
  const isImpersonating = impersonation !== null;
  const { data: sessions, status: listStatus, refetch: readList } = useSupportConversations();
  const opening = useQuery({
    queryKey: ['chat-open', user.id],
    queryFn: () => openSession(supabase),
    enabled: !isImpersonating,
    // Each visit requests it again; while the page stays open, it keeps its conversation.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
    retry: 1,
  });
  const [chosen, setChosen] = useState<string | null>(null);

  const known = sessions ?? [];
  const latest = known.find(({ status }) => status === 'open') ?? known[0];
  const currentId = isImpersonating ? (latest?.id ?? null) : (chosen ?? opening.data?.id ?? null);

  // Another tab, or an impersonating agent's page, saw the next conversation start.
  const isCurrentClosed = known.some(({ id, status }) => id === currentId && status === 'closed');
  const next = isCurrentClosed ? known.find(({ status }) => status === 'open') : undefined;
  useEffect(() => {
    if (next !== undefined) setChosen(next.id);
  }, [next]);

  const { refetch: open } = opening;
  const openAgain = useCallback(() => {
    setChosen(null);
    // The query's own status reports failures.
    void (isImpersonating ? readList() : open());
  }, [isImpersonating, readList, open]);

  const status = isImpersonating ? listStatus : opening.status;
  return {
    status: status === 'pending' ? 'loading' : status === 'error' ? 'failed' : 'ready',
    currentId,
    previousId: currentId === null ? null : findPreviousId(known, currentId, Date.now()),
    sessions: known,
    goTo: setChosen,
    openAgain,
    isOpening: opening.isFetching,
  };
}
