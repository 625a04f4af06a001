/**
 * The open conversations, live: read by CALL-67 and updated by `postgres_changes` on the agent's own channel
 * (CHAT-34, A67). All of them are read again after each join, on the return to the page and every 30 s, because
 * changes in between are lost. Listeners are notified once per batch of changes. Limits: `listLimit` conversations,
 * the newest; names of new ones are read in batches.
 */
import type { Database } from '@fulcrum/contract/database';
import type { RealtimeChannel } from '@supabase/realtime-js';
import { log as appLog } from '../../../shared/log/log.ts';
import { subscribeToTopic, type TopicSubscription } from '../../../shared/realtime/topic-subscription.ts';
import { type Supabase, unwrap } from '../../../shared/supabase/index.ts';
import type { ChatMessage, ChatSession } from '../conversation/index.ts';
import {
  addSessions,
  applySession,
  dropSession,
  type ListedSession,
  replaceSessions,
  type Sessions,
} from './sessions.ts';
import type { Triage } from './triage.ts';

const log = appLog.of('support');
const listLimit = 1_000;
const resyncMs = 30_000;
const batchDelayMs = 150;
const frameMs = 16;
const batchMax = 100;
const withNames = '*, user:users!chat_sessions_user_id_fkey(username, email)';

export type ChatNote = Database['public']['Tables']['chat_notes']['Row'];

export interface FeedSnapshot {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly sessions: Sessions;
  /** The channel is joined and missed changes have been read. */
  readonly isLive: boolean;
  /** When all of them were read last, ms; null before the first time. */
  readonly readMs: number | null;
}

export interface FeedListeners {
  readonly onMessage: (message: ChatMessage) => void;
  readonly onNote: (note: ChatNote) => void;
  readonly onTriage: (row: Triage) => void;
  readonly onClosed: () => void;
}

export interface SessionFeed {
  readonly get: () => FeedSnapshot;
  readonly subscribe: (changed: () => void) => () => void;
  readonly refresh: () => void;
  /** Removes a session that this agent closed; its change event arrives later. */
  readonly drop: (id: string) => void;
  /** Runs until the returned function is called. */
  readonly start: (listeners: FeedListeners) => () => void;
}

interface RowChange {
  readonly table: string;
  readonly eventType: string;
  readonly new: object;
  readonly old: { readonly id?: string };
}

/** Reads the open sessions with the name and email of their traders (CALL-67). */
const readOpen = (supabase: Supabase): Promise<readonly ListedSession[]> =>
  unwrap(
    supabase.rest
      .from('chat_sessions')
      .select(withNames)
      .eq('status', 'open')
      .order('created_at', { ascending: false })
      .limit(listLimit),
  );

const readByIds = (supabase: Supabase, ids: readonly string[]): Promise<readonly ListedSession[]> =>
  unwrap(supabase.rest.from('chat_sessions').select(withNames).in('id', ids).eq('status', 'open'));

export function createSessionFeed(supabase: Supabase, userId: string): SessionFeed {
  let snapshot: FeedSnapshot = { status: 'loading', sessions: new Map(), isLive: false, readMs: null };
  const changedListeners = new Set<() => void>();
  let isNotifying = false;
  let touched: Set<string> | null = null;
  let isReading = false;
  let isRequested = false;
  /** Sessions to read one by one, each with the least `seq` that the answer must have. */
  let outdated = new Map<string, number>();
  let reading: ReturnType<typeof setTimeout> | undefined;
  let followed: TopicSubscription | undefined;
  let isStopped = true;

  // A timer instead of an animation frame: a hidden page has no frames, but its title still counts.
  const notify = () => {
    if (isNotifying) return;
    isNotifying = true;
    setTimeout(() => {
      isNotifying = false;
      for (const listener of changedListeners) listener();
    }, frameMs);
  };
  const update = (next: Partial<FeedSnapshot>) => {
    snapshot = { ...snapshot, ...next };
    notify();
  };
  const isJoined = () => followed !== undefined && followed.joined() !== null;

  async function readAll(): Promise<void> {
    touched = new Set();
    try {
      const read = await readOpen(supabase);
      if (isStopped) return;
      const sessions = replaceSessions(snapshot.sessions, read, touched);
      update({ status: 'ready', sessions, isLive: isJoined(), readMs: Date.now() });
    } catch (cause) {
      log.warn('The open conversations could not be read', cause);
      if (snapshot.status === 'loading') update({ status: 'failed' });
      if (snapshot.isLive) update({ isLive: false });
    } finally {
      touched = null;
    }
  }

  /** One read at a time; a call during one causes another after it. */
  const refresh = () => {
    isRequested = true;
    if (isReading) return;
    isReading = true;
    const rounds = async () => {
      while (isRequested && !isStopped) {
        isRequested = false;
        await readAll();
      }
    };
    rounds()
      .catch((cause: unknown) => log.error('Reading the conversations failed', cause))
      .finally(() => {
        isReading = false;
      });
  };

  const readOutdated = () => {
    reading = undefined;
    const ids = [...outdated]
      // Change events may have delivered the missing message since.
      .filter(([id, seq]) => (snapshot.sessions.get(id)?.last_seq ?? -1) < seq)
      .map(([id]) => id);
    outdated = new Map(ids.slice(batchMax).map((id) => [id, 0]));
    if (outdated.size > 0) reading = setTimeout(readOutdated, batchDelayMs);
    if (ids.length === 0) return;
    readByIds(supabase, ids.slice(0, batchMax)).then(
      (rows) => {
        if (!isStopped) update({ sessions: addSessions(snapshot.sessions, rows) });
      },
      (cause: unknown) => log.warn('A new conversation could not be read', cause),
    );
  };
  const scheduleRead = (id: string, seq: number) => {
    outdated.set(id, Math.max(seq, outdated.get(id) ?? 0));
    reading ??= setTimeout(readOutdated, batchDelayMs);
  };

  const onSession = (change: RowChange, listeners: FeedListeners) => {
    if (change.eventType === 'DELETE') {
      const { id = '' } = change.old;
      touched?.add(id);
      return update({ sessions: dropSession(snapshot.sessions, id) });
    }
    // The table's name decides the row's type.
    const row = change.new as ChatSession;
    const sessions = applySession(snapshot.sessions, row);
    if (row.status === 'closed') listeners.onClosed();
    if (sessions === null) return scheduleRead(row.id, row.last_seq);
    touched?.add(row.id);
    if (sessions !== snapshot.sessions) update({ sessions });
  };
  const onMessage = (message: ChatMessage, listeners: FeedListeners) => {
    listeners.onMessage(message);
    // The conversation's own event comes with its message. A message of an unknown conversation, or ahead of the
    // known row, causes a read.
    const current = snapshot.sessions.get(message.session_id);
    if (!current || current.last_seq < message.seq) scheduleRead(message.session_id, message.seq);
  };
  const onAnnounced = (change: RowChange, listeners: FeedListeners) => {
    if (change.table === 'chat_sessions') onSession(change, listeners);
    else if (change.table === 'chat_messages') onMessage(change.new as ChatMessage, listeners);
    else if (change.table === 'chat_notes') listeners.onNote(change.new as ChatNote);
    else if (change.table === 'chat_triage') listeners.onTriage(change.new as Triage);
  };

  const listen = (channel: RealtimeChannel, listeners: FeedListeners) => {
    for (const [table, event] of [
      ['chat_sessions', '*'],
      ['chat_messages', 'INSERT'],
      ['chat_notes', 'INSERT'],
      ['chat_triage', '*'],
    ] as const) {
      const binding = { event, schema: 'public', table } as const;
      const onChange = (change: RowChange) => {
        if (!isStopped && change.table === table) onAnnounced(change, listeners);
      };
      // The client's overloads separate the events; the server's frames have one shape.
      channel.on('postgres_changes', binding as { event: '*'; schema: string; table: string }, onChange);
    }
  };

  return {
    get: () => snapshot,
    subscribe: (changed) => {
      changedListeners.add(changed);
      return () => {
        changedListeners.delete(changed);
      };
    },
    refresh,
    drop: (id) => {
      touched?.add(id);
      update({ sessions: dropSession(snapshot.sessions, id) });
    },
    start(listeners) {
      isStopped = false;
      const onReturn = () => {
        if (document.visibilityState === 'visible') refresh();
      };
      const timer = setInterval(refresh, resyncMs);
      document.addEventListener('visibilitychange', onReturn);
      addEventListener('online', refresh);
      refresh();
      followed = subscribeToTopic(supabase, `user:${userId}`, {
        listen: (channel) => listen(channel, listeners),
        onJoined: refresh,
        onLost: () => {
          if (snapshot.isLive) update({ isLive: false });
        },
      });

      return () => {
        isStopped = true;
        clearTimeout(reading);
        reading = undefined;
        clearInterval(timer);
        document.removeEventListener('visibilitychange', onReturn);
        removeEventListener('online', refresh);
        followed?.leave();
        followed = undefined;
      };
    },
  };
}
