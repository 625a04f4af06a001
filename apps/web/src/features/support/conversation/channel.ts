/**
 * The channel of a conversation: its rows as they change, who has it open and who is typing. Nothing here is trusted to be
 * complete: each join says so, and the conversation then reads what it missed. Known limitation: one page follows a
 * conversation once; the client would hand out the same channel to a second follower.
 */
import type { RealtimeChannel } from '@supabase/realtime-js';
import { log as appLog } from '../../../shared/log/log.ts';
import type { Supabase } from '../../../shared/supabase/index.ts';
import type { ChatMessage, ChatSession, Side } from './terms.ts';

const log = appLog.of('chat');
const againAfterMs = 5_000;

export interface ChannelListener {
  readonly onMessage: (row: ChatMessage) => void;
  readonly onSession: (row: ChatSession) => void;
  readonly onGone: () => void;
  readonly onJoined: () => void;
  readonly onLost: () => void;
  /** The sides that have it open now. */
  readonly onPresence: (sides: ReadonlySet<Side>) => void;
  readonly onTyping: (side: Side) => void;
}

export interface Followed {
  readonly say: (side: Side) => void;
  readonly leave: () => void;
}

interface Announced {
  readonly table: string;
  readonly eventType: string;
  readonly new: object;
}

const isSide = (side: unknown): side is Side => side === 'trader' || side === 'support';
const sideOf = (payload: unknown): Side | null => {
  const side: unknown = typeof payload === 'object' && payload !== null ? Reflect.get(payload, 'side') : null;
  return isSide(side) ? side : null;
};

/** A channel of the same topic can be joined once the one before is gone. */
const leaving = new Map<string, Promise<unknown>>();

/** `present`: as what this page shows itself to the others; null: not at all. */
export function follow(
  supabase: Supabase,
  sessionId: string,
  present: Side | null,
  listener: ChannelListener,
): Followed {
  const topic = `chat:${sessionId}`;
  let channel: RealtimeChannel | undefined;
  let isOver = false;
  let again: ReturnType<typeof setTimeout> | undefined;

  const onAnnounced = ({ table, eventType, new: row }: Announced) => {
    if (isOver) return;
    if (table === 'chat_messages' && eventType !== 'DELETE') listener.onMessage(row as ChatMessage);
    else if (table === 'chat_sessions' && eventType === 'DELETE') listener.onGone();
    else if (table === 'chat_sessions') listener.onSession(row as ChatSession);
  };
  const onPresence = () => {
    if (isOver || channel === undefined) return;
    const metas = Object.values(channel.presenceState()).flat();
    listener.onPresence(new Set(metas.map(sideOf).filter((side) => side !== null)));
  };
  const join = () => {
    const joined = supabase.realtime.channel(topic, { config: { private: true } });
    const of = (table: string, column: string) =>
      ({ event: '*', schema: 'public', table, filter: `${column}=eq.${sessionId}` }) as const;
    joined
      .on('postgres_changes', of('chat_messages', 'session_id'), onAnnounced)
      .on('postgres_changes', of('chat_sessions', 'id'), onAnnounced)
      .on('presence', { event: 'sync' }, onPresence)
      .on('broadcast', { event: 'typing' }, ({ payload }) => {
        const side = sideOf(payload);
        if (!isOver && side !== null) listener.onTyping(side);
      })
      .subscribe((status, cause) => {
        if (isOver) return;
        if (status !== 'SUBSCRIBED') {
          if (status !== 'CLOSED') log.warn(`Channel of a conversation: ${status}`, cause);
          return listener.onLost();
        }
        listener.onJoined();
        if (present === null) return;
        joined
          .track({ side: present })
          .catch((refusal: unknown) => log.warn('Being present could not be said', refusal));
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
      log.warn('A conversation could not be joined; it is tried again', cause);
      if (!isOver) again = setTimeout(enter, againAfterMs);
    }
  };
  (leaving.get(topic) ?? Promise.resolve())
    .then(enter)
    .catch((cause: unknown) => log.error('Following a conversation broke', cause));

  return {
    say(side) {
      // Without the link the client would send it as a request of its own.
      if (channel?.state !== 'joined') return;
      channel
        .send({ type: 'broadcast', event: 'typing', payload: { side } })
        .catch((cause: unknown) => log.warn('Typing could not be said', cause));
    },
    leave() {
      isOver = true;
      clearTimeout(again);
      if (channel === undefined) return;
      const left = supabase.realtime
        .removeChannel(channel)
        .catch((cause: unknown) => log.warn('Leaving a conversation failed', cause))
        .finally(() => {
          if (leaving.get(topic) === left) leaving.delete(topic);
        });
      leaving.set(topic, left);
    },
  };
}
