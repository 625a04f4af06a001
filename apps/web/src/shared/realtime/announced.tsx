/**
 * Changes of tables as a staff screen hears of them, over one channel for the whole screen: a second one for the same topic
 * would take the first one's place. Invariant: who listens is told of every change while the channel is joined, and of each
 * (re)join, before which something may have been missed; then it reads again.
 */
import type { RealtimeChannel } from '@supabase/realtime-js';
import { createContext, type ReactNode, use, useEffect, useMemo } from 'react';
import { log as appLog } from '../log/log.ts';
import type { Supabase } from '../supabase/client.ts';
import { useSupabase } from '../supabase/context.ts';

const log = appLog.of('realtime');
const againAfterMs = 5_000;

export interface AnnouncedChange {
  readonly table: string;
  readonly eventType: 'INSERT' | 'UPDATE' | 'DELETE';
  /** The row in its wire form; empty for one that is gone. */
  readonly new: object;
}
export interface AnnouncementListener {
  readonly onChange: (change: AnnouncedChange) => void;
  readonly onJoined: () => void;
}

const Listeners = createContext<Set<AnnouncementListener> | null>(null);

/** Settled once the channel before is gone. */
let left: Promise<unknown> = Promise.resolve();

function follow(
  supabase: Supabase,
  topic: string,
  tables: readonly string[],
  listeners: ReadonlySet<AnnouncementListener>,
): () => void {
  let channel: RealtimeChannel | undefined;
  let isOver = false;
  let again: ReturnType<typeof setTimeout> | undefined;

  const join = () => {
    const joined = supabase.realtime.channel(topic, { config: { private: true } });
    for (const table of tables) {
      joined.on('postgres_changes', { event: '*', schema: 'public', table }, (change: AnnouncedChange) => {
        if (change.table === table) for (const { onChange } of listeners) onChange(change);
      });
    }
    joined.subscribe((status, cause) => {
      if (status === 'SUBSCRIBED') for (const { onJoined } of listeners) onJoined();
      else if (status !== 'CLOSED') log.warn(`Staff channel: ${status}`, cause);
    });
    return joined;
  };
  // A join without a token would be refused: the socket asks for one first.
  const enter = async (): Promise<void> => {
    if (isOver) return;
    try {
      await supabase.realtime.setAuth();
      if (!isOver) channel = join();
    } catch (cause) {
      log.warn('The staff channel could not be joined; it is tried again', cause);
      if (!isOver) again = setTimeout(enter, againAfterMs);
    }
  };
  left.then(enter).catch((cause: unknown) => log.error('Following announcements broke', cause));

  return () => {
    isOver = true;
    clearTimeout(again);
    if (!channel) return;
    left = supabase.realtime
      .removeChannel(channel)
      .catch((cause: unknown) => log.warn('Leaving the staff channel failed', cause));
  };
}

/** Joins the caller's own topic while it is shown. `tables` has to be stable. */
export function AnnouncedRows({
  userId,
  tables,
  children,
}: {
  readonly userId: string;
  readonly tables: readonly string[];
  readonly children: ReactNode;
}) {
  const supabase = useSupabase();
  const listeners = useMemo(() => new Set<AnnouncementListener>(), []);
  useEffect(
    () => follow(supabase, `user:${userId}`, tables, listeners),
    [supabase, userId, tables, listeners],
  );
  return <Listeners value={listeners}>{children}</Listeners>;
}

/** `listener` has to be stable. */
export function useAnnounced(listener: AnnouncementListener): void {
  const listeners = use(Listeners);
  useEffect(() => {
    listeners?.add(listener);
    return () => {
      listeners?.delete(listener);
    };
  }, [listeners, listener]);
}
