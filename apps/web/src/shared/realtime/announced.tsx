/**
 * Changes of tables as a staff screen hears of them, over one channel for the whole screen: a second one for the same topic
 * would take the first one's place. Invariant: who listens is told of every change while the channel is joined, and of each
 * (re)join, before which something may have been missed; then it reads again.
 */

import { isUuid } from '@fulcrum/domain';
import { createContext, type ReactNode, use, useEffect, useMemo } from 'react';
import { useSupabase } from '../supabase/context.ts';
import { followTopic } from './follow-topic.ts';

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

/** Joins the caller's own topic while it is shown. `tables` has to be stable. */
export function AnnouncedRows({
  userId,
  tables,
  ofUser = null,
  hearsTraders = false,
  children,
}: {
  readonly userId: string;
  readonly tables: readonly string[];
  /** Only rows of that user; what is no id joins nothing. */
  readonly ofUser?: string | null;
  /** Also that one of a manager's traders came, went or was edited, as a change of `users` without a row. */
  readonly hearsTraders?: boolean;
  readonly children: ReactNode;
}) {
  const supabase = useSupabase();
  const listeners = useMemo(() => new Set<AnnouncementListener>(), []);
  useEffect(() => {
    if (ofUser !== null && !isUuid(ofUser)) return;
    const filter = ofUser === null ? {} : { filter: `user_id=eq.${ofUser}` };
    const { leave } = followTopic(supabase, `user:${userId}`, {
      listen: (channel) => {
        for (const table of tables) {
          const asked = { event: '*', schema: 'public', table, ...filter } as const;
          channel.on('postgres_changes', asked, (change: AnnouncedChange) => {
            if (change.table === table) for (const { onChange } of listeners) onChange(change);
          });
        }
        if (hearsTraders) {
          const change = { table: 'users', eventType: 'UPDATE', new: {} } as const;
          channel.on('broadcast', { event: 'traders_changed' }, () => {
            for (const { onChange } of listeners) onChange(change);
          });
        }
      },
      onJoined: () => {
        for (const { onJoined } of listeners) onJoined();
      },
    });
    return leave;
  }, [supabase, userId, tables, ofUser, hearsTraders, listeners]);
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
