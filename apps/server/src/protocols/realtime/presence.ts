/**
 * Who is there, on topics that declare presence. Changes are gathered and leave once a beat, as one diff per topic.
 * Invariants: everybody is present under their own user id, once per channel that announced itself; whoever watches
 * holds what was announced so far, and each later diff brings it to the present; a channel that ends takes its presence
 * along. Nothing is stored: after a restart clients announce themselves again.
 *
 * Known limitation: what a client announces is seen up to one beat later.
 */
import { AppError, type SignedIn } from '@fulcrum/contract';
import type { Channel } from './connection.ts';
import { SharedFrame } from './frames.ts';
import type { Limits } from './limits.ts';

/** One announcement. The ref names it in diffs, so that clients tell two tabs of a person apart. */
interface Presence {
  readonly userId: string;
  readonly meta: { readonly phx_ref: string; readonly phx_ref_prev?: string };
}

type PresenceState = Record<string, { readonly metas: Presence['meta'][] }>;

class Room {
  readonly watchers = new Set<Channel>();
  readonly present = new Map<Channel, Presence>();
  /** What the watchers know of: the presences at the last diff. */
  announced = new Set<Presence>();
  isChanged = false;
}

function stateOf(presences: Iterable<Presence>): PresenceState {
  const state: PresenceState = {};
  for (const { userId, meta } of presences) {
    const person = state[userId] ?? { metas: [] };
    person.metas.push(meta);
    state[userId] = person;
  }
  return state;
}

/** Told at once when the first presence of a person comes and when the last goes; the topic is as on the wire. */
export interface PresenceListener {
  came(topic: string, userId: string): void;
  left(topic: string, userId: string): void;
}

export class Presences {
  readonly #limits: Limits;
  readonly #listener: PresenceListener;
  /** Rooms with somebody in them, by topic as on the wire. */
  readonly #rooms = new Map<string, Room>();
  #refs = 0;

  constructor(limits: Limits, listener: PresenceListener) {
    this.#limits = limits;
    this.#listener = listener;
  }

  /** Sends a joined channel who is there, and from now on who comes and goes. */
  watch(channel: Channel): void {
    const { topic, grant } = channel;
    if (!grant.topic.presence) {
      // Its client asked for presence all the same, and waits for a first state: nobody is there.
      this.#sendState(channel, []);
      return;
    }
    const room = this.#rooms.get(topic) ?? new Room();
    this.#rooms.set(topic, room);
    if (room.watchers.has(channel)) return;
    room.watchers.add(channel);
    this.#sendState(channel, room.announced);
  }

  /**
   * Announces the holder of `channel`, or what is new about them. `payload` has been checked.
   *
   * @throws AppError too_many_attempts when the person or the topic has too many presences
   */
  track(channel: Channel, { userId }: SignedIn, payload: object): void {
    const room = this.#rooms.get(channel.topic) ?? new Room();
    const earlier = room.present.get(channel);
    const isFirst = !earlier && this.#countOwn(room, userId) === 0;
    if (!earlier) this.#requireSpace(room, userId);
    this.#rooms.set(channel.topic, room);
    this.#refs += 1;
    const meta = {
      ...payload,
      phx_ref: this.#refs.toString(36),
      ...(earlier && { phx_ref_prev: earlier.meta.phx_ref }),
    };
    room.present.set(channel, { userId, meta });
    room.isChanged = true;
    // Whoever announces itself wants to see the others, even when its join did not say so.
    this.watch(channel);
    if (isFirst) this.#listener.came(channel.topic, userId);
  }

  untrack(channel: Channel): void {
    const room = this.#rooms.get(channel.topic);
    const presence = room?.present.get(channel);
    if (!room || !presence) return;
    room.present.delete(channel);
    room.isChanged = true;
    const { userId } = presence;
    if (this.#countOwn(room, userId) === 0) this.#listener.left(channel.topic, userId);
  }

  /** Takes a channel out, and its presence with it. */
  remove(channel: Channel): void {
    this.untrack(channel);
    this.#rooms.get(channel.topic)?.watchers.delete(channel);
  }

  /** Tells the watchers who came and went since the last time. */
  flush(): void {
    for (const [topic, room] of this.#rooms) {
      if (room.isChanged) this.#announce(topic, room);
      if (room.watchers.size === 0 && room.present.size === 0) this.#rooms.delete(topic);
    }
  }

  #announce(topic: string, room: Room): void {
    room.isChanged = false;
    const present = new Set(room.present.values());
    const joins = stateOf([...present].filter((presence) => !room.announced.has(presence)));
    const leaves = stateOf([...room.announced].filter((presence) => !present.has(presence)));
    room.announced = present;
    if (Object.keys(joins).length === 0 && Object.keys(leaves).length === 0) return;
    const frame = new SharedFrame(topic, 'presence_diff', { joins, leaves });
    for (const { connection, joinRef } of room.watchers) connection.sendShared(frame, joinRef);
  }

  #sendState({ connection, joinRef, topic }: Channel, presences: Iterable<Presence>): void {
    connection.send({ joinRef, ref: null, topic, event: 'presence_state', payload: stateOf(presences) });
  }

  #countOwn(room: Room, userId: string): number {
    let own = 0;
    for (const presence of room.present.values()) if (presence.userId === userId) own += 1;
    return own;
  }

  #requireSpace(room: Room, userId: string): void {
    const { presencesPerPerson, presencesPerTopic } = this.#limits;
    if (this.#countOwn(room, userId) >= presencesPerPerson) {
      throw new AppError('too_many_attempts', `At most ${presencesPerPerson} presences of a person fit.`);
    }
    if (room.present.size >= presencesPerTopic) {
      throw new AppError('too_many_attempts', `At most ${presencesPerTopic} presences fit on a topic.`);
    }
  }
}
