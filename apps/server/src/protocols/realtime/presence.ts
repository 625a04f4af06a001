/**
 * Presence on topics that declare it. Changes are collected and sent once a beat, as one diff per topic. Invariants: each
 * user is present under their own user id, once per channel that announced itself; a subscriber has the state of the last
 * diff, and each diff brings it up to date; a channel that ends removes its presence. Nothing is stored: after a restart
 * clients announce themselves again. Presences at other gateways of a cluster count as those here do, for who is present and for
 * the bounds.
 *
 * Known limitation: an announcement is visible up to one beat later.
 */
import { AppError, type SignedIn } from '@fulcrum/contract';
import type { Channel } from './connection.ts';
import { SharedFrame } from './frames.ts';
import type { Limits } from './limits.ts';

/** One announcement. Its ref distinguishes two tabs of a user in diffs. */
export interface Presence {
  readonly userId: string;
  readonly meta: { readonly phx_ref: string; readonly phx_ref_prev?: string };
}

/** All presences of one gateway on some topics. */
export type RemotePresences = Readonly<Record<string, readonly Presence[]>>;

type PresenceState = Record<string, { readonly metas: Presence['meta'][] }>;

class TopicPresence {
  readonly subscribers = new Set<Channel>();
  readonly present = new Map<Channel, Presence>();
  /** Those of other gateways, by the process. */
  readonly others = new Map<string, readonly Presence[]>();
  /** The presences that subscribers know: those of the last diff. */
  announced = new Set<Presence>();
  isChanged = false;

  all(): Presence[] {
    return [...this.present.values(), ...[...this.others.values()].flat()];
  }
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

function countOf(presences: TopicPresence, userId: string): number {
  return presences.all().filter((presence) => presence.userId === userId).length;
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
  readonly #refPrefix: string;
  #refs = 0;
  /** Topics whose presences here have changed since `takeChanged`. */
  #changed = new Set<string>();

  /** `processId`: of a cluster's process, so that no two gateways make the same ref. */
  constructor(limits: Limits, listener: PresenceListener, processId = '') {
    this.#limits = limits;
    this.#listener = listener;
    this.#refPrefix = processId.slice(0, 8);
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
    const isFirst = !earlier && countOf(presences, userId) === 0;
    if (!earlier) this.#requireSpace(presences, userId);
    this.#topics.set(channel.topic, presences);
    this.#refs += 1;
    const meta = {
      ...payload,
      phx_ref: this.#refPrefix + this.#refs.toString(36),
      ...(earlier && { phx_ref_prev: earlier.meta.phx_ref }),
    };
    presences.present.set(channel, { userId, meta });
    presences.isChanged = true;
    this.#changed.add(channel.topic);
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
    this.#changed.add(channel.topic);
    const { userId } = presence;
    if (countOf(presences, userId) === 0) this.#listener.left(channel.topic, userId);
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
      const { subscribers, present, others } = presences;
      if (subscribers.size + present.size + others.size === 0) this.#topics.delete(topic);
    }
  }

  /** The presences here of the topics where they have changed since the last call. */
  takeChanged(): RemotePresences {
    const changed = this.#changed;
    if (changed.size > 0) this.#changed = new Set();
    return this.#here(changed);
  }

  /** All presences here. */
  here(): RemotePresences {
    return this.#here([...this.#topics].flatMap(([topic, { present }]) => (present.size > 0 ? topic : [])));
  }

  #here(topics: Iterable<string>): RemotePresences {
    return Object.fromEntries(
      [...topics].map((topic) => [topic, [...(this.#topics.get(topic)?.present.values() ?? [])]]),
    );
  }

  /** Takes over what another gateway has sent; what is not among it is gone from its topic, and with `isWhole` the other topics too. */
  takeOver(process: string, sent: RemotePresences, isWhole: boolean): void {
    const topics = new Set(Object.keys(sent));
    if (isWhole) for (const [topic, { others }] of this.#topics) if (others.has(process)) topics.add(topic);
    for (const topic of topics) this.#takeOverTopic(process, topic, sent[topic] ?? []);
  }

  #takeOverTopic(process: string, topic: string, sent: readonly Presence[]): void {
    const presences = this.#topics.get(topic) ?? new TopicPresence();
    const before = presences.others.get(process) ?? [];
    const known = new Map(before.map((presence) => [presence.meta.phx_ref, presence]));
    // A presence that stays is the same object, so it is in no diff.
    const now = sent.map((presence) => known.get(presence.meta.phx_ref) ?? presence);
    if (now.length === before.length && now.every((presence, i) => presence === before[i])) return;
    const users = new Set([...before, ...now].map(({ userId }) => userId));
    const were = new Set([...users].filter((userId) => countOf(presences, userId) > 0));
    this.#topics.set(topic, presences);
    if (now.length === 0) presences.others.delete(process);
    else presences.others.set(process, now);
    presences.isChanged = true;
    for (const userId of users) {
      const isPresent = countOf(presences, userId) > 0;
      if (isPresent && !were.has(userId)) this.#listener.came(topic, userId);
      if (!isPresent && were.has(userId)) this.#listener.left(topic, userId);
    }
  }

  #announce(topic: string, presences: TopicPresence): void {
    presences.isChanged = false;
    const present = new Set(presences.all());
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

  #requireSpace(presences: TopicPresence, userId: string): void {
    const { presencesPerUser, presencesPerTopic } = this.#limits;
    if (countOf(presences, userId) >= presencesPerUser) {
      throw new AppError('too_many_attempts', `A user can have at most ${presencesPerUser} presences.`);
    }
    if (presences.all().length >= presencesPerTopic) {
      throw new AppError('too_many_attempts', `At most ${presencesPerTopic} presences fit on a topic.`);
    }
  }
}
