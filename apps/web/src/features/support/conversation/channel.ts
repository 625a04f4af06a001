/**
 * The channel of a conversation: its rows as they change, who has it open and who is typing. Nothing here is trusted to be
 * complete: each join says so, and the conversation then reads what it missed. Known limitation: one page follows a
 * conversation once; the client would hand out the same channel to a second follower.
 */
import type { RealtimeChannel } from '@supabase/realtime-js';
import { log as appLog } from '../../../shared/log/log.ts';
import { followTopic } from '../../../shared/realtime/follow-topic.ts';
import type { Supabase } from '../../../shared/supabase/index.ts';
import type { ChatMessage, ChatSession, Side } from './terms.ts';

const log = appLog.of('chat');

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

/** `present`: as what this page shows itself to the others; null: not at all. */
export function follow(
  supabase: Supabase,
  sessionId: string,
  present: Side | null,
  listener: ChannelListener,
): Followed {
  let isOver = false;

  const onAnnounced = ({ table, eventType, new: row }: Announced) => {
    if (isOver) return;
    if (table === 'chat_messages' && eventType !== 'DELETE') listener.onMessage(row as ChatMessage);
    else if (table === 'chat_sessions' && eventType === 'DELETE') listener.onGone();
    else if (table === 'chat_sessions') listener.onSession(row as ChatSession);
  };
  const onPresence = (channel: RealtimeChannel) => {
    if (isOver) return;
    const metas = Object.values(channel.presenceState()).flat();
    listener.onPresence(new Set(metas.map(sideOf).filter((side) => side !== null)));
  };
  const of = (table: string, column: string) =>
    ({ event: '*', schema: 'public', table, filter: `${column}=eq.${sessionId}` }) as const;
  const followed = followTopic(supabase, `chat:${sessionId}`, {
    listen: (channel) => {
      channel
        .on('postgres_changes', of('chat_messages', 'session_id'), onAnnounced)
        .on('postgres_changes', of('chat_sessions', 'id'), onAnnounced)
        .on('presence', { event: 'sync' }, () => onPresence(channel))
        .on('broadcast', { event: 'typing' }, ({ payload }) => {
          const side = sideOf(payload);
          if (!isOver && side !== null) listener.onTyping(side);
        });
    },
    onJoined: (channel) => {
      listener.onJoined();
      if (present === null) return;
      channel
        .track({ side: present })
        .catch((refusal: unknown) => log.warn('Being present could not be said', refusal));
    },
    onLost: listener.onLost,
  });

  return {
    say(side) {
      // Without the link the client would send it as a request of its own.
      followed
        .joined()
        ?.send({ type: 'broadcast', event: 'typing', payload: { side } })
        .catch((cause: unknown) => log.warn('Typing could not be said', cause));
    },
    leave() {
      isOver = true;
      followed.leave();
    },
  };
}
