/**
 * Presence on topics that declare it. Changes are collected and sent once a beat, as one diff per topic. Invariants: each
 * user is present under their own user id, once per channel that announced itself; a subscriber has the state of the last
 * diff, and each diff brings it up to date; a channel that ends removes its presence. Nothing is stored: after a restart
 * clients announce themselves again.
 *
 * Known limitation: an announcement is visible up to one beat later.
 */
import { AppError, type SignedIn } from '@fulcrum/contract';
import type { Channel } from './connection.ts';
import { SharedFrame } from './frames.ts';
import type { Limits } from './limits.ts';

/** One announcement. Its ref distinguishes two tabs of a user in diffs. */
interface Presence {
  readonly userId: string;
  readonly meta: { readonly phx_ref: string; readonly phx_ref_prev?: string };
}

type PresenceState = Record<string, { readonly metas: Presence['meta'][] }>;

class TopicPresence {
  readonly subscribers = new Set<Channel>();
  readonly present = new Map<Channel, Presence>();
  /** The presences that subscribers know: those of the last diff. */
  announced = new Set<Presence>();
  isChanged = false;
}

function stateOf(presences: Iterable<Presence>): PresenceState {
  const state: PresenceState = {};
  for (const { userId, meta } of presences) {
    const entry = state[userId] ?? { metas: [] };
    entry.metas.push(meta);
    state[userId] = entry;
  }
  return state;
}

/** Called at once when the first presence of a user is added and the last is removed; the topic is as on the wire. */
export interface PresenceListener {
  came(topic: string, userId: string): void;
  left(topic: string, userId: string): void;
}

export class Presences {
  readonly #limits: Limits;
  readonly #listener: PresenceListener;
  /** Presences and subscribers by topic as on the wire. */
  readonly #topics = new Map<string, TopicPresence>();
  #refs = 0;

  constructor(limits: Limits, listener: PresenceListener) {
    this.#limits = limits;
    this.#listener = listener;
  }

  /** Sends a joined channel the present state, and later the changes. */
  subscribe(channel: Channel): void {
    const { topic, grant } = channel;
    if (!grant.topic.presence) {
      // The client requested presence and waits for a first state: an empty one.
      this.#sendState(channel, []);
      return;
    }
    const presences = this.#topics.get(topic) ?? new TopicPresence();
    this.#topics.set(topic, presences);
    if (presences.subscribers.has(channel)) return;
    presences.subscribers.add(channel);
    this.#sendState(channel, presences.announced);
  }

  /**
   * Announces the user of `channel`, or replaces the announcement. `payload` has been checked.
   * @throws AppError too_many_attempts when the user or the topic has too many presences
   */
  track(channel: Channel, { userId }: SignedIn, payload: object): void {
    const presences = this.#topics.get(channel.topic) ?? new TopicPresence();
    const earlier = presences.present.get(channel);
    const isFirst = !earlier && this.#countOwn(presences, userId) === 0;
    if (!earlier) this.#requireSpace(presences, userId);
    this.#topics.set(channel.topic, presences);
    this.#refs += 1;
    const meta = {
      ...payload,
      phx_ref: this.#refs.toString(36),
      ...(earlier && { phx_ref_prev: earlier.meta.phx_ref }),
    };
    presences.present.set(channel, { userId, meta });
    presences.isChanged = true;
    // An announcing client receives the others' presences, even without a request in its join.
    this.subscribe(channel);
    if (isFirst) this.#listener.came(channel.topic, userId);
  }

  untrack(channel: Channel): void {
    const presences = this.#topics.get(channel.topic);
    const presence = presences?.present.get(channel);
    if (!presences || !presence) return;
    presences.present.delete(channel);
    presences.isChanged = true;
    const { userId } = presence;
    if (this.#countOwn(presences, userId) === 0) this.#listener.left(channel.topic, userId);
  }

  /** Removes a channel and its presence. */
  remove(channel: Channel): void {
    this.untrack(channel);
    this.#topics.get(channel.topic)?.subscribers.delete(channel);
  }

  /** Sends the changes since the last diff to the subscribers. */
  flush(): void {
    for (const [topic, presences] of this.#topics) {
      if (presences.isChanged) this.#announce(topic, presences);
      if (presences.subscribers.size === 0 && presences.present.size === 0) this.#topics.delete(topic);
    }
  }

  #announce(topic: string, presences: TopicPresence): void {
    presences.isChanged = false;
    const present = new Set(presences.present.values());
    const joins = stateOf([...present].filter((presence) => !presences.announced.has(presence)));
    const leaves = stateOf([...presences.announced].filter((presence) => !present.has(presence)));
    presences.announced = present;
    if (Object.keys(joins).length === 0 && Object.keys(leaves).length === 0) return;
    const frame = new SharedFrame(topic, 'presence_diff', { joins, leaves });
    for (const { connection, joinRef } of presences.subscribers) connection.sendShared(frame, joinRef);
  }

  #sendState({ connection, joinRef, topic }: Channel, presences: Iterable<Presence>): void {
    connection.send({ joinRef, ref: null, topic, event: 'presence_state', payload: stateOf(presences) });
  }

  #countOwn(presences: TopicPresence, userId: string): number {
    let own = 0;
    for (const presence of presences.present.values()) if (presence.userId === userId) own += 1;
    return own;
  }

  #requireSpace(presences: TopicPresence, userId: string): void {
    const { presencesPerUser, presencesPerTopic } = this.#limits;
    if (this.#countOwn(presences, userId) >= presencesPerUser) {
      throw new AppError('too_many_attempts', `A user can have at most ${presencesPerUser} presences.`);
    }
    if (presences.present.size >= presencesPerTopic) {
      throw new AppError('too_many_attempts', `At most ${presencesPerTopic} presences fit on a topic.`);
    }
  }
}
