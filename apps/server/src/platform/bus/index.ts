/**
 * The in-process bus: a publisher and its subscribers know a topic of the contract, not each other. Delivery is
 * synchronous, in the order of subscription. Invariant: a subscriber that throws is logged and stops neither the
 * publisher nor the subscribers after it.
 *
 * Known limitation: a subscriber that works long holds up the publisher; it has to queue for itself.
 */
import type { Events } from '@fulcrum/contract';
import type { Log } from '../log/index.ts';

type Subscriber<Topic extends keyof Events> = (payload: Events[Topic]) => void;

export interface Bus {
  publish<Topic extends keyof Events>(topic: Topic, payload: Events[Topic]): void;
  /** Returns the function that ends the subscription. One subscribed during a publish hears the next one. */
  subscribe<Topic extends keyof Events>(topic: Topic, subscriber: Subscriber<Topic>): () => void;
}

export function createBus(log: Log): Bus {
  // Replaced, never changed in place, so that a publish under way keeps its list.
  const subscribers: { [Topic in keyof Events]: readonly Subscriber<Topic>[] } = {
    'market.tick': [],
    'account.changed': [],
    'role.changed': [],
    'traders.changed': [],
    'session.revoked': [],
    'acting.ended': [],
    'presence.came': [],
    'presence.left': [],
  };
  return {
    publish(topic, payload) {
      for (const subscriber of subscribers[topic]) {
        try {
          subscriber(payload);
        } catch (error) {
          log.error({ err: error, topic }, 'a bus subscriber failed');
        }
      }
    },
    subscribe(topic, subscriber) {
      const own: typeof subscriber = (payload) => subscriber(payload);
      replace(topic, [...subscribers[topic], own]);
      return () =>
        replace(
          topic,
          subscribers[topic].filter((other) => other !== own),
        );
    },
  };

  function replace<Topic extends keyof Events>(topic: Topic, list: readonly Subscriber<Topic>[]): void {
    (subscribers as Record<Topic, readonly Subscriber<Topic>[]>)[topic] = list;
  }
}
