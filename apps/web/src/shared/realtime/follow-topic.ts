/**
 * Following a topic: joined with a current token, tried again until that works, joined anew by the client after each break.
 * Invariant: a topic is joined only once whoever followed it before has left it, because until then the client would hand
 * out the dying channel. Known limitation: one follower of a topic at a time.
 */
import type { RealtimeChannel } from '@supabase/realtime-js';
import { log as appLog } from '../log/log.ts';
import type { Supabase } from '../supabase/client.ts';

const log = appLog.of('realtime');
const againAfterMs = 5_000;

export interface TopicFollower {
  /** Registers what is listened to, before each first join. */
  readonly listen: (channel: RealtimeChannel) => void;
  /** After each (re)join: what was announced before it may have been missed. */
  readonly onJoined: (channel: RealtimeChannel) => void;
  readonly onLost?: () => void;
  /** Under which key this page is present on the topic, where it is one of presence. */
  readonly presenceKey?: string;
}

export interface FollowedTopic {
  /** The channel while it is joined. */
  readonly joined: () => RealtimeChannel | null;
  readonly leave: () => void;
}

/** Settled once the follower before is gone, by topic. */
const leaving = new Map<string, Promise<unknown>>();

export function followTopic(
  { realtime }: Pick<Supabase, 'realtime'>,
  topic: string,
  { listen, onJoined, onLost = () => {}, presenceKey }: TopicFollower,
): FollowedTopic {
  /** Without the ids in it. */
  const [kind = topic] = topic.split(':');
  let channel: RealtimeChannel | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;

  const join = () => {
    const presence = presenceKey === undefined ? {} : { presence: { enabled: true, key: presenceKey } };
    const joined = realtime.channel(topic, { config: { private: true, ...presence } });
    listen(joined);
    joined.subscribe((status, cause) => {
      if (isOver) return;
      if (status === 'SUBSCRIBED') return onJoined(joined);
      if (status !== 'CLOSED') log.warn(`Channel ${kind}: ${status}`, cause);
      onLost();
    });
    return joined;
  };
  // A join without a token would be refused: the socket asks for one first.
  const enter = async (): Promise<void> => {
    if (isOver) return;
    try {
      await realtime.setAuth();
      if (!isOver) channel = join();
    } catch (cause) {
      log.warn(`Channel ${kind} could not be joined; it is tried again`, cause);
      if (!isOver) again = setTimeout(enter, againAfterMs);
    }
  };
  (leaving.get(topic) ?? Promise.resolve())
    .then(enter)
    .catch((cause: unknown) => log.error(`Following ${kind} broke`, cause));

  return {
    joined: () => (channel?.state === 'joined' ? channel : null),
    leave() {
      isOver = true;
      clearTimeout(again);
      if (channel === undefined) return;
      const left = realtime
        .removeChannel(channel)
        .catch((cause: unknown) => log.warn(`Leaving ${kind} failed`, cause))
        .finally(() => {
          if (leaving.get(topic) === left) leaving.delete(topic);
        });
      leaving.set(topic, left);
      channel = undefined;
    },
  };
}
