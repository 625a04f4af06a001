/**
 * Which conversation a trader looks at: the open one that the server names (CHAT-03 … CHAT-05, A65), and after a close the
 * next, as soon as there is one. The one before stands above it for a day, so that nobody loses the thread. While acting
 * nothing is opened: the latest one is only read (A45).
 */
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useOwnSessions } from '../../../shared/account/own-sessions.ts';
import type { OwnSession } from '../../../shared/realtime/own-sessions.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { openSession } from '../conversation/requests.ts';

const dayMs = 86_400_000;

/** Closed a short while ago, with something in it. */
const isRecent = ({ status, last_seq, closed_at }: OwnSession, nowMs: number): boolean =>
  status === 'closed' && last_seq > 0 && closed_at !== null && nowMs - Date.parse(closed_at) < dayMs;

/** The closed conversation that stands above the one of `currentId`; null when the thread begins with that one. */
export function previousOf(sessions: readonly OwnSession[], currentId: string, nowMs: number): string | null {
  const at = sessions.findIndex(({ id }) => id === currentId);
  const before = sessions[at + 1];
  return before !== undefined && isRecent(before, nowMs) ? before.id : null;
}

export interface OwnConversation {
  readonly status: 'loading' | 'failed' | 'ready';
  /** Null while acting for somebody who never wrote. */
  readonly currentId: string | null;
  readonly previousId: string | null;
  readonly sessions: readonly OwnSession[];
  readonly goTo: (id: string) => void;
  readonly openAgain: () => void;
  readonly isOpening: boolean;
}

export function useOwnConversation(): OwnConversation {
  const { user, supabase, acting } = useSignedIn();
  const isActing = acting !== null;
  const { data: sessions, status: listStatus, refetch: readList } = useOwnSessions();
  const opening = useQuery({
    queryKey: ['chat-open', user.id],
    queryFn: () => openSession(supabase),
    enabled: !isActing,
    // Each visit asks anew; a page that is looked at again keeps what it has.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
    retry: 1,
  });
  const [chosen, setChosen] = useState<string | null>(null);

  const known = sessions ?? [];
  const latest = known.find(({ status }) => status === 'open') ?? known[0];
  const currentId = isActing ? (latest?.id ?? null) : (chosen ?? opening.data?.id ?? null);

  // Another tab, or an agent who looks on, saw the next one begin.
  const isCurrentClosed = known.some(({ id, status }) => id === currentId && status === 'closed');
  const next = isCurrentClosed ? known.find(({ status }) => status === 'open') : undefined;
  useEffect(() => {
    if (next !== undefined) setChosen(next.id);
  }, [next]);

  const { refetch: open } = opening;
  const openAgain = useCallback(() => {
    setChosen(null);
    // Told by the query's own status.
    void (isActing ? readList() : open());
  }, [isActing, readList, open]);

  const status = isActing ? listStatus : opening.status;
  return {
    status: status === 'pending' ? 'loading' : status === 'error' ? 'failed' : 'ready',
    currentId,
    previousId: currentId === null ? null : previousOf(known, currentId, Date.now()),
    sessions: known,
    goTo: setChosen,
    openAgain,
    isOpening: opening.isFetching,
  };
}
