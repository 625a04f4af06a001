/**
 * Subscribes to a topic: joins with a current token, retries until that works, and the client rejoins after each interruption.
 * Invariant: a topic is joined only after the previous subscriber has left it, because until then the client would return the
 * closing channel. Known limitation: one subscriber of a topic at a time.
 */
import type { RealtimeChannel } from '@supabase/realtime-js';
import { log as appLog } from '../log/log.ts';
import type { Supabase } from '../supabase/client.ts';

const log = appLog.of('realtime');
const retryAfterMs = 5_000;

export interface TopicSubscriber {
  /** Registers the listeners, before each first join. */
  readonly listen: (channel: RealtimeChannel) => void;
  /** Called after each (re)join: earlier announcements may have been missed. */
  readonly onJoined: (channel: RealtimeChannel) => void;
  readonly onLost?: () => void;
  /** The presence key of this page, for topics with presence. */
  readonly presenceKey?: string;
}

/** Whether the topic is joined on an open socket, by whichever subscriber. */
export const isTopicJoined = ({ realtime }: Pick<Supabase, 'realtime'>, topic: string): boolean =>
  realtime.isConnected() &&
  realtime.getChannels().some((one) => one.topic === `realtime:${topic}` && one.state === 'joined');

export interface TopicSubscription {
  /** The channel while it is joined. */
  readonly joined: () => RealtimeChannel | null;
  readonly leave: () => void;
}

/** Settles once the previous subscriber has left, by topic. */
const leaving = new Map<string, Promise<unknown>>();

export function subscribeToTopic(
  { realtime }: Pick<Supabase, 'realtime'>,
  topic: string,
  { listen, onJoined, onLost = () => {}, presenceKey }: TopicSubscriber,
): TopicSubscription {
  /** The kind of topic, without ids. */
  const [kind = topic] = topic.split(':');
  let channel: RealtimeChannel | undefined;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
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
  // A join without a token would be refused, so the socket gets one first.
  const joinWithToken = async (): Promise<void> => {
    if (isOver) return;
    try {
      await realtime.setAuth();
      if (!isOver) channel = join();
    } catch (cause) {
      log.warn(`Joining channel ${kind} failed; retrying`, cause);
      if (!isOver) retryTimer = setTimeout(joinWithToken, retryAfterMs);
    }
  };
  (leaving.get(topic) ?? Promise.resolve())
    .then(joinWithToken)
    .catch((cause: unknown) => log.error(`Subscribing to ${kind} failed`, cause));

  return {
    joined: () => (channel?.state === 'joined' ? channel : null),
    leave() {
      isOver = true;
      clearTimeout(retryTimer);
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
