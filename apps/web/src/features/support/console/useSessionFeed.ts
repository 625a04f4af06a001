/** The open conversations for the page: the feed while it is mounted, and what it tells of. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import type { ChatMessage } from '../conversation/index.ts';
import { takeOverNote } from './notes.ts';
import { createSessionFeed, type FeedSnapshot, type SessionFeed } from './session-feed.ts';

export interface Heard {
  /** A trader wrote, in whichever conversation. */
  readonly onTraderMessage: (message: ChatMessage) => void;
  /** A conversation was closed, by whomever. */
  readonly onClosed: () => void;
}

export function useSessionFeed(heard: Heard): {
  readonly feed: SessionFeed;
  readonly snapshot: FeedSnapshot;
} {
  const { supabase, user } = useSignedIn();
  const cache = useQueryClient();
  const feed = useMemo(() => createSessionFeed(supabase, user.id), [supabase, user.id]);
  const latest = useRef(heard);
  useEffect(() => {
    latest.current = heard;
  });
  useEffect(
    () =>
      feed.start({
        onMessage: (message) => {
          if (message.sender_role === 'trader') latest.current.onTraderMessage(message);
        },
        onNote: (note) => takeOverNote(cache, note),
        onClosed: () => latest.current.onClosed(),
      }),
    [feed, cache],
  );
  return { feed, snapshot: useSyncExternalStore(feed.subscribe, feed.get) };
}
