/**
 * The channel of a conversation: changes of its rows, presence and typing. Its events may be incomplete: each join is
 * reported, and the conversation then reads what it missed. Known limitation: a page follows a conversation at most
 * once, because the client would return the same channel to a second follower.
 */
import { type ChatSide, chatSides } from '@fulcrum/contract/roles';
import type { RealtimeChannel } from '@supabase/realtime-js';
import { log as appLog } from '../../../shared/log/log.ts';
import { subscribeToTopic } from '../../../shared/realtime/topic-subscription.ts';
import type { Supabase } from '../../../shared/supabase/index.ts';
import type { ChatMessage, ChatSession } from './types.ts';

const log = appLog.of('chat');

export interface ChannelListener {
  readonly onMessage: (row: ChatMessage) => void;
  readonly onSession: (row: ChatSession) => void;
  readonly onGone: () => void;
  readonly onJoined: () => void;
  readonly onLost: () => void;
  /** The sides that have the conversation open now. */
  readonly onPresence: (sides: ReadonlySet<ChatSide>) => void;
  readonly onTyping: (side: ChatSide) => void;
}

export interface FollowedConversation {
  readonly sendTyping: (side: ChatSide) => void;
  readonly leave: () => void;
}

interface RowChange {
  readonly table: string;
  readonly eventType: string;
  readonly new: object;
}

const isSide = (side: unknown): side is ChatSide => chatSides.some((known) => known === side);
const parseSide = (payload: unknown): ChatSide | null => {
  const side: unknown = typeof payload === 'object' && payload !== null ? Reflect.get(payload, 'side') : null;
  return isSide(side) ? side : null;
};

/** `present` is announced to the others: the trader alone is; null announces nothing. */
export function followConversation(
  supabase: Supabase,
  sessionId: string,
  present: 'trader' | null,
  listener: ChannelListener,
): FollowedConversation {
  let isOver = false;

  const onAnnounced = ({ table, eventType, new: row }: RowChange) => {
    if (isOver) return;
    if (table === 'chat_messages' && eventType !== 'DELETE') listener.onMessage(row as ChatMessage);
    else if (table === 'chat_sessions' && eventType === 'DELETE') listener.onGone();
    else if (table === 'chat_sessions') listener.onSession(row as ChatSession);
  };
  const onPresence = (channel: RealtimeChannel) => {
    if (isOver) return;
    const metas = Object.values(channel.presenceState()).flat();
    listener.onPresence(new Set(metas.map(parseSide).filter((side) => side !== null)));
  };
  const changesOf = (table: string, column: string) =>
    ({ event: '*', schema: 'public', table, filter: `${column}=eq.${sessionId}` }) as const;
  const followed = subscribeToTopic(supabase, `chat:${sessionId}`, {
    listen: (channel) => {
      channel
        .on('postgres_changes', changesOf('chat_messages', 'session_id'), onAnnounced)
        .on('postgres_changes', changesOf('chat_sessions', 'id'), onAnnounced)
        .on('presence', { event: 'sync' }, () => onPresence(channel))
        .on('broadcast', { event: 'typing' }, ({ payload }) => {
          const side = parseSide(payload);
          if (!isOver && side !== null) listener.onTyping(side);
        });
    },
    onJoined: (channel) => {
      listener.onJoined();
      if (present === null) return;
      channel
        .track({ side: present })
        .catch((refusal: unknown) => log.warn('Presence could not be announced', refusal));
    },
    onLost: listener.onLost,
  });

  return {
    sendTyping(side) {
      // Without a joined channel the client would send it as an HTTP request.
      followed
        .joined()
        ?.send({ type: 'broadcast', event: 'typing', payload: { side } })
        .catch((cause: unknown) => log.warn('Typing could not be announced', cause));
    },
    leave() {
      isOver = true;
      followed.leave();
    },
  };
}
