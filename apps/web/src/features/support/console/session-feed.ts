/**
 * The open conversations, live: read by CALL-67 and kept by `postgres_changes` on the agent's own channel (CHAT-34, A67). After
 * each join, on the return to the page and every 30 s all of them are read again, because what was announced meanwhile is
 * lost. Changes are told once per frame, however many arrive.
 * Limits: `listLimit` conversations, the newest; names of new ones are asked for in batches.
 */
import type { Database } from '@fulcrum/contract/database';
import type { RealtimeChannel } from '@supabase/realtime-js';
import { log as appLog } from '../../../shared/log/log.ts';
import { type FollowedTopic, followTopic } from '../../../shared/realtime/follow-topic.ts';
import { rowsOf, type Supabase } from '../../../shared/supabase/index.ts';
import type { ChatMessage, ChatSession } from '../conversation/index.ts';
import {
  addSessions,
  applySession,
  dropSession,
  type ListedSession,
  replaceSessions,
  type Sessions,
} from './sessions.ts';

const log = appLog.of('support');
const listLimit = 1_000;
const resyncMs = 30_000;
const someAfterMs = 150;
const frameMs = 16;
const someAtOnce = 100;
const withNames = '*, user:users!chat_sessions_user_id_fkey(username, email)';

export type ChatNote = Database['public']['Tables']['chat_notes']['Row'];

export interface FeedSnapshot {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly sessions: Sessions;
  /** The channel is joined and what was missed has been read. */
  readonly isLive: boolean;
  /** When all of them were read last, ms; null before the first time. */
  readonly readMs: number | null;
}

export interface FeedListeners {
  readonly onMessage: (message: ChatMessage) => void;
  readonly onNote: (note: ChatNote) => void;
  readonly onClosed: () => void;
}

export interface SessionFeed {
  readonly get: () => FeedSnapshot;
  readonly subscribe: (changed: () => void) => () => void;
  readonly refresh: () => void;
  /** This agent closed it: what is announced of it comes later. */
  readonly drop: (id: string) => void;
  /** Follows until the returned function is called. */
  readonly start: (listeners: FeedListeners) => () => void;
}

interface Announced {
  readonly table: string;
  readonly eventType: string;
  readonly new: object;
  readonly old: { readonly id?: string };
}

/** CALL-67. */
const readOpen = (supabase: Supabase): Promise<readonly ListedSession[]> =>
  rowsOf(
    supabase.rest
      .from('chat_sessions')
      .select(withNames)
      .eq('status', 'open')
      .order('created_at', { ascending: false })
      .limit(listLimit),
  );

const readSome = (supabase: Supabase, ids: readonly string[]): Promise<readonly ListedSession[]> =>
  rowsOf(supabase.rest.from('chat_sessions').select(withNames).in('id', ids).eq('status', 'open'));

export function createSessionFeed(supabase: Supabase, userId: string): SessionFeed {
  let snapshot: FeedSnapshot = { status: 'loading', sessions: new Map(), isLive: false, readMs: null };
  const changedListeners = new Set<() => void>();
  let isTelling = false;
  let touched: Set<string> | null = null;
  let isReading = false;
  let isWanted = false;
  /** Asked for one by one, with the message that each has at least. */
  let behind = new Map<string, number>();
  let reading: ReturnType<typeof setTimeout> | undefined;
  let followed: FollowedTopic | undefined;
  let isOver = true;

  // A timer and no frame: a hidden page has none, and its title counts all the same.
  const tell = () => {
    if (isTelling) return;
    isTelling = true;
    setTimeout(() => {
      isTelling = false;
      for (const listener of changedListeners) listener();
    }, frameMs);
  };
  const become = (next: Partial<FeedSnapshot>) => {
    snapshot = { ...snapshot, ...next };
    tell();
  };
  const isJoined = () => followed !== undefined && followed.joined() !== null;

  async function readAll(): Promise<void> {
    touched = new Set();
    try {
      const read = await readOpen(supabase);
      if (isOver) return;
      const sessions = replaceSessions(snapshot.sessions, read, touched);
      become({ status: 'ready', sessions, isLive: isJoined(), readMs: Date.now() });
    } catch (cause) {
      log.warn('The open conversations could not be read', cause);
      if (snapshot.status === 'loading') become({ status: 'failed' });
      if (snapshot.isLive) become({ isLive: false });
    } finally {
      touched = null;
    }
  }

  /** One at a time; asked for meanwhile, it is read once more. */
  const refresh = () => {
    isWanted = true;
    if (isReading) return;
    isReading = true;
    const rounds = async () => {
      while (isWanted && !isOver) {
        isWanted = false;
        await readAll();
      }
    };
    rounds()
      .catch((cause: unknown) => log.error('Reading the conversations broke', cause))
      .finally(() => {
        isReading = false;
      });
  };

  const readBehind = () => {
    reading = undefined;
    const ids = [...behind]
      // What it was behind in may have been announced since.
      .filter(([id, seq]) => (snapshot.sessions.get(id)?.last_seq ?? -1) < seq)
      .map(([id]) => id);
    behind = new Map(ids.slice(someAtOnce).map((id) => [id, 0]));
    if (behind.size > 0) reading = setTimeout(readBehind, someAfterMs);
    if (ids.length === 0) return;
    readSome(supabase, ids.slice(0, someAtOnce)).then(
      (rows) => {
        if (!isOver) become({ sessions: addSessions(snapshot.sessions, rows) });
      },
      (cause: unknown) => log.warn('A new conversation could not be read', cause),
    );
  };
  const askFor = (id: string, seq: number) => {
    behind.set(id, Math.max(seq, behind.get(id) ?? 0));
    reading ??= setTimeout(readBehind, someAfterMs);
  };

  const onSession = (change: Announced, listeners: FeedListeners) => {
    if (change.eventType === 'DELETE') {
      const { id = '' } = change.old;
      touched?.add(id);
      return become({ sessions: dropSession(snapshot.sessions, id) });
    }
    // The table's name says what it is.
    const row = change.new as ChatSession;
    const sessions = applySession(snapshot.sessions, row);
    if (row.status === 'closed') listeners.onClosed();
    if (sessions === null) return askFor(row.id, row.last_seq);
    touched?.add(row.id);
    if (sessions !== snapshot.sessions) become({ sessions });
  };
  const onMessage = (message: ChatMessage, listeners: FeedListeners) => {
    listeners.onMessage(message);
    // The conversation is announced with it; a message of one that is not known, or ahead of it, asks.
    const held = snapshot.sessions.get(message.session_id);
    if (!held || held.last_seq < message.seq) askFor(message.session_id, message.seq);
  };
  const onAnnounced = (change: Announced, listeners: FeedListeners) => {
    if (change.table === 'chat_sessions') onSession(change, listeners);
    else if (change.table === 'chat_messages') onMessage(change.new as ChatMessage, listeners);
    else if (change.table === 'chat_notes') listeners.onNote(change.new as ChatNote);
  };

  const listen = (channel: RealtimeChannel, listeners: FeedListeners) => {
    for (const [table, event] of [
      ['chat_sessions', '*'],
      ['chat_messages', 'INSERT'],
      ['chat_notes', 'INSERT'],
    ] as const) {
      const asked = { event, schema: 'public', table } as const;
      const heard = (change: Announced) => {
        if (!isOver && change.table === table) onAnnounced(change, listeners);
      };
      // The client's overloads name each event apart; the server's frames have one shape.
      channel.on('postgres_changes', asked as { event: '*'; schema: string; table: string }, heard);
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
      become({ sessions: dropSession(snapshot.sessions, id) });
    },
    start(listeners) {
      isOver = false;
      const onReturn = () => {
        if (document.visibilityState === 'visible') refresh();
      };
      const timer = setInterval(refresh, resyncMs);
      document.addEventListener('visibilitychange', onReturn);
      addEventListener('online', refresh);
      refresh();
      followed = followTopic(supabase, `user:${userId}`, {
        listen: (channel) => listen(channel, listeners),
        onJoined: refresh,
        onLost: () => {
          if (snapshot.isLive) become({ isLive: false });
        },
      });

      return () => {
        isOver = true;
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
