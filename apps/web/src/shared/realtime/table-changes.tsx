/**
 * Table changes for a staff screen, over one channel for the whole screen: a second channel of the same topic would replace the
 * first. Invariant: listeners get every change while the channel is joined, and each (re)join, because changes may have been
 * missed before it; they then read again.
 */

import { isUuid } from '@fulcrum/domain';
import { createContext, type ReactNode, use, useEffect, useMemo } from 'react';
import { useSupabase } from '../supabase/context.ts';
import { subscribeToTopic } from './topic-subscription.ts';

export interface TableChange {
  readonly table: string;
  readonly eventType: 'INSERT' | 'UPDATE' | 'DELETE';
  /** The row in wire form; empty for a deleted row. */
  readonly new: object;
}
export interface TableChangeListener {
  readonly onChange: (change: TableChange) => void;
  readonly onJoined: () => void;
}

const debounceMs = 300;
const ListenersContext = createContext<Set<TableChangeListener> | null>(null);

/** Joins the caller's topic while mounted. `tables` must be stable. */
export function TableChangesProvider({
  userId,
  tables,
  onlyUserId = null,
  includesTraderChanges = false,
  children,
}: {
  readonly userId: string;
  readonly tables: readonly string[];
  /** Only rows of that user; an invalid id joins nothing. */
  readonly onlyUserId?: string | null;
  /** Also reports that one of a manager's traders was added, removed or edited, as a change of `users` without a row. */
  readonly includesTraderChanges?: boolean;
  readonly children: ReactNode;
}) {
  const supabase = useSupabase();
  const listeners = useMemo(() => new Set<TableChangeListener>(), []);
  useEffect(() => {
    if (onlyUserId !== null && !isUuid(onlyUserId)) return;
    const filter = onlyUserId === null ? {} : { filter: `user_id=eq.${onlyUserId}` };
    const { leave } = subscribeToTopic(supabase, `user:${userId}`, {
      listen: (channel) => {
        for (const table of tables) {
          const binding = { event: '*', schema: 'public', table, ...filter } as const;
          channel.on('postgres_changes', binding, (change: TableChange) => {
            if (change.table === table) for (const { onChange } of listeners) onChange(change);
          });
        }
        if (includesTraderChanges) {
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
  }, [supabase, userId, tables, onlyUserId, includesTraderChanges, listeners]);
  return <ListenersContext value={listeners}>{children}</ListenersContext>;
}

/** `listener` must be stable. */
export function useTableChanges(listener: TableChangeListener): void {
  const listeners = use(ListenersContext);
  useEffect(() => {
    listeners?.add(listener);
    return () => {
      listeners?.delete(listener);
    };
  }, [listeners, listener]);
}

/** Calls `onChanges` once after a burst of changes, and after each join. It, and `isRelevant`, must be stable. */
export function useDebouncedChanges(
  onChanges: () => void,
  isRelevant?: (change: TableChange) => boolean,
): void {
  const { listener, stop } = useMemo(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const schedule = () => {
      clearTimeout(waiting);
      waiting = setTimeout(onChanges, debounceMs);
    };
    const changes: TableChangeListener = {
      onChange: (change) => (isRelevant?.(change) ?? true) && schedule(),
      onJoined: schedule,
    };
    return { listener: changes, stop: () => clearTimeout(waiting) };
  }, [onChanges, isRelevant]);
  useTableChanges(listener);
  useEffect(() => stop, [stop]);
}
