/**
 * The in-process bus: publishers and subscribers share the topics of the contract and no reference to each other. Delivery
 * is synchronous, in the order of subscription. Invariants: a subscriber that throws is logged and does not stop the
 * publisher or the other subscribers; an event of another process (`platform/cluster/hints.ts`) is delivered and not sent on.
 *
 * Known limitation: a slow subscriber blocks the publisher; it has to queue its work itself.
 */
import { type Events, eventReach } from '@fulcrum/contract';
import type { Log } from '../log/index.ts';

type Subscriber<Topic extends keyof Events> = (payload: Events[Topic]) => void;

export interface Bus {
  publish<Topic extends keyof Events>(topic: Topic, payload: Events[Topic]): void;
  /** Subscribes; the returned function ends it. A subscription made during a publish starts with the next event. */
  subscribe<Topic extends keyof Events>(topic: Topic, subscriber: Subscriber<Topic>): () => void;
  /**
   * States whose rows a subscriber of `account.changed` needs of other processes: those of the owners for whom `isNeeded` is true. Rows
   * that no subscriber here needs are not even read. The returned function ends it.
   */
  needRows(isNeeded: (ownerId: string) => boolean): () => void;
}

/** Gets an event; generic, so that topic and payload belong together. */
export type EventRelay = <Topic extends keyof Events>(topic: Topic, payload: Events[Topic]) => void;

/** The bus of a process, with its connection to those of other processes. */
export interface ProcessBus extends Bus {
  /** Delivers an event of another process to the subscribers of this one. */
  readonly deliver: EventRelay;
  /** Calls `relay` with what this process publishes for the whole cluster (`eventReach`); the returned function ends it. */
  relayTo(relay: EventRelay): () => void;
  /** Whether some subscriber needs the rows of that owner. */
  needsRowsOf(ownerId: string): boolean;
}

export function createBus(log: Log): ProcessBus {
  // Lists are replaced, never mutated, so a running publish keeps its list.
  const subscribers: { [Topic in keyof Events]: readonly Subscriber<Topic>[] } = {
    'market.tick': [],
    'account.changed': [],
    'role.changed': [],
    'traders.changed': [],
    'session.revoked': [],
    'impersonation.ended': [],
    'account.archived': [],
    'api_key.ended': [],
    'accounts.written': [],
    'link.restored': [],
    'presence.came': [],
    'presence.left': [],
  };
  let relays: readonly EventRelay[] = [];
  const needs = new Set<(ownerId: string) => boolean>();
  const deliver: EventRelay = (topic, payload) => {
    for (const subscriber of subscribers[topic]) {
      try {
        subscriber(payload);
      } catch (error) {
        log.error({ err: error, topic }, 'a bus subscriber failed');
      }
    }
  };
  return {
    publish(topic, payload) {
      deliver(topic, payload);
      if (eventReach[topic] === 'process') return;
      for (const relay of relays) {
        try {
          relay(topic, payload);
        } catch (error) {
          log.error({ err: error, topic }, 'an event was not sent to other processes');
        }
      }
    },
    deliver,
    needRows(isNeeded) {
      const own = (ownerId: string): boolean => isNeeded(ownerId);
      needs.add(own);
      return () => void needs.delete(own);
    },
    needsRowsOf: (ownerId) => [...needs].some((isNeeded) => isNeeded(ownerId)),
    relayTo(relay) {
      relays = [...relays, relay];
      return () => {
        relays = relays.filter((other) => other !== relay);
      };
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
