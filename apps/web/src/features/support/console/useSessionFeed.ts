/** The open conversations for the page: the feed while it is mounted, with its events. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import type { ChatMessage } from '../conversation/index.ts';
import { cacheNote } from './notes.ts';
import { type ChatNote, createSessionFeed, type FeedSnapshot, type SessionFeed } from './session-feed.ts';
import { cacheTriage, endSnooze, mentions, refetchInbox } from './triage.ts';

export interface FeedHandlers {
  /** Called when a trader wrote, in any conversation. */
  readonly onTraderMessage: (message: ChatMessage) => void;
  /** Called when a colleague's note names this agent. */
  readonly onMention: (note: ChatNote) => void;
  /** Called when any agent or trader closed a conversation. */
  readonly onClosed: () => void;
}

export function useSessionFeed(handlers: FeedHandlers): {
  readonly feed: SessionFeed;
  readonly snapshot: FeedSnapshot;
} {
  const { supabase, user } = useSignedIn();
  const cache = useQueryClient();
  const feed = useMemo(() => createSessionFeed(supabase, user.id), [supabase, user.id]);
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(
    () =>
      feed.start({
        onMessage: (message) => {
          if (message.sender_role !== 'trader') return;
          endSnooze(cache, message.session_id);
          latest.current.onTraderMessage(message);
        },
        onNote: (note) => {
          cacheNote(cache, note);
          if (note.author_id === user.id || !mentions(note, user.username)) return;
          refetchInbox(cache);
          latest.current.onMention(note);
        },
        onTriage: (row) => cacheTriage(cache, row),
        onClosed: () => latest.current.onClosed(),
      }),
    [feed, cache, user.id, user.username],
  );
  const snapshot = useSyncExternalStore(feed.subscribe, feed.get);
  const { isLive } = snapshot;
  // What was announced before the channel was joined is lost.
  useEffect(() => {
    if (isLive) refetchInbox(cache);
  }, [isLive, cache]);
  return { feed, snapshot };
}
