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
   * A subscriber of `account.changed` needs the rows of that owner which other processes write; with null those of all owners. Rows
   * that no subscriber needs do not come. The returned function ends it.
   */
  needRows(ownerId: string | null): () => void;
}

/** Gets an event; generic, so that topic and payload belong together. */
export type EventRelay = <Topic extends keyof Events>(topic: Topic, payload: Events[Topic]) => void;

type NeedListener = (ownerId: string | null, isNeeded: boolean) => void;

/** The bus of a process, with its connection to those of other processes. */
export interface ProcessBus extends Bus {
  /** Delivers an event of another process to the subscribers of this one. */
  readonly deliver: EventRelay;
  /** Calls `relay` with what this process publishes for the whole cluster (`eventReach`); the returned function ends it. */
  relayTo(relay: EventRelay): () => void;
  /** Calls `listener` when the rows of an owner become needed or are needed no more, and at once for those that are; of all with null. */
  onNeededRows(listener: NeedListener): () => void;
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
  /** Needs by owner; of all owners with null. */
  const needs = new Map<string | null, number>();
  let needListeners: readonly NeedListener[] = [];
  function countNeed(ownerId: string | null, change: 1 | -1): void {
    const before = needs.get(ownerId) ?? 0;
    if (before + change === 0) needs.delete(ownerId);
    else needs.set(ownerId, before + change);
    if (before > 0 && before + change > 0) return;
    for (const listener of needListeners) listener(ownerId, change > 0);
  }
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
    needRows(ownerId) {
      countNeed(ownerId, 1);
      let hasEnded = false;
      return () => {
        if (!hasEnded) countNeed(ownerId, -1);
        hasEnded = true;
      };
    },
    onNeededRows(listener) {
      const own: NeedListener = (ownerId, isNeeded) => listener(ownerId, isNeeded);
      needListeners = [...needListeners, own];
      for (const ownerId of needs.keys()) own(ownerId, true);
      return () => {
        needListeners = needListeners.filter((other) => other !== own);
      };
    },
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
