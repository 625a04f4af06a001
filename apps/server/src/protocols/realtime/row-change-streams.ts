/**
 * Sends committed row changes to the channels that may see them. Invariants: a channel gets its changes in commit order and
 * misses none; a change is encoded once for all channels with the same subscription and columns, whatever their topics,
 * because all support users follow all conversations on topics of their own. When a change cannot be checked, the channel
 * fails: its client joins again and reads the tables.
 */
import type { Caller, RowChange, SignedIn } from '@fulcrum/contract';
import type { Log } from '../../platform/log/index.ts';
import type { Channel } from './connection.ts';
import { EncodedPayload, SharedFrame } from './frames.ts';
import { admitsChange, changePayload, matchesSubscription, type Subscription } from './subscriptions.ts';

/** Whether the trader `userId` is assigned to the manager `managerId`. */
export type IsAssigned = (managerId: string, userId: string) => boolean | Promise<boolean>;

/** The owners whose rows may be the caller's own. */
const ownerIdsOf = ({ userId, accountId }: SignedIn): ReadonlySet<string> => new Set([userId, accountId]);

/** Whether the caller gets rows of their own alone by these subscriptions. */
export const isNarrow = ({ role }: SignedIn, subscriptions: readonly Subscription[]): boolean =>
  subscriptions.every(({ table }) => table.access[role]?.select?.rows === 'own');

interface Announcement {
  readonly change: RowChange;
  /** Encodings of this change: by columns and subscriptions, and by topic. */
  readonly payloads: Map<string, EncodedPayload>;
  readonly frames: Map<string, SharedFrame>;
}

interface RowChangeStreamsOptions {
  readonly isAssigned: IsAssigned;
  readonly waitingChanges: number;
  readonly fail: (channel: Channel, reason: string) => void;
  readonly log: Log;
}

export class RowChangeStreams {
  readonly #isAssigned: IsAssigned;
  readonly #waitingChanges: number;
  readonly #fail: RowChangeStreamsOptions['fail'];
  readonly #log: Log;
  /** Channels that see only their owner's rows: a change finds its own and skips all others. */
  readonly #byOwner = new Map<string, Set<Channel>>();
  readonly #wide = new Set<Channel>();
  /** Changes that wait for an assignment check, oldest first. */
  readonly #queues = new Map<Channel, Announcement[]>();

  constructor(options: RowChangeStreamsOptions) {
    this.#isAssigned = options.isAssigned;
    this.#waitingChanges = options.waitingChanges;
    this.#fail = options.fail;
    this.#log = options.log;
  }

  add(channel: Channel): void {
    const { caller, subscriptions } = channel.grant;
    if (subscriptions.length === 0) return;
    if (caller.role === 'anon' || !isNarrow(caller, subscriptions)) {
      this.#wide.add(channel);
      return;
    }
    for (const ownerId of ownerIdsOf(caller)) {
      const channels = this.#byOwner.get(ownerId) ?? new Set();
      this.#byOwner.set(ownerId, channels.add(channel));
    }
  }

  /** Removes a channel under its present grant; its waiting changes stay until it leaves. */
  remove(channel: Channel): void {
    this.#wide.delete(channel);
    const { caller } = channel.grant;
    if (caller.role === 'anon') return;
    for (const ownerId of ownerIdsOf(caller)) {
      const channels = this.#byOwner.get(ownerId);
      channels?.delete(channel);
      if (channels?.size === 0) this.#byOwner.delete(ownerId);
    }
  }

  announce(changes: readonly RowChange[]): void {
    for (const change of changes) {
      const announcement: Announcement = { change, payloads: new Map(), frames: new Map() };
      const owners = change.userId === null ? undefined : this.#byOwner.get(change.userId);
      for (const channel of owners ?? []) this.#offer(channel, announcement);
      for (const channel of this.#wide) this.#offer(channel, announcement);
    }
  }

  #offer(channel: Channel, announcement: Announcement): void {
    const queue = this.#queues.get(channel);
    if (queue) {
      if (queue.length < this.#waitingChanges) queue.push(announcement);
      else this.#fail(channel, 'Too many changes are waiting.');
      return;
    }
    if (!this.#deliver(channel, announcement)) void this.#drain(channel, [announcement]);
  }

  /** Sends the change if the channel subscribes to it and may see it; false when that needs a query first. */
  #deliver(
    { connection, grant, joinRef, topic }: Channel,
    announcement: Announcement,
    isAssigned?: boolean,
  ): boolean {
    const { change } = announcement;
    const [first, ...others] = grant.subscriptions.filter((subscription) =>
      matchesSubscription(subscription, change),
    );
    if (!first) return true;
    const admitted = admitsChange(first.table, grant.caller, change);
    if (admitted === 'ask' && isAssigned === undefined) return false;
    if (admitted === false || (admitted === 'ask' && !isAssigned)) return true;
    const frame = frameOf(announcement, topic, [first, ...others], grant.caller);
    connection.sendShared(frame, joinRef);
    return true;
  }

  async #drain(channel: Channel, queue: Announcement[]): Promise<void> {
    this.#queues.set(channel, queue);
    try {
      for (let next = queue[0]; next && channel.connection.holds(channel); next = queue[0]) {
        const { caller } = channel.grant;
        const { userId } = next.change;
        const isAssigned =
          caller.role !== 'anon' && userId !== null && (await this.#isAssigned(caller.userId, userId));
        if (!channel.connection.holds(channel)) return;
        // A new token arrived meanwhile: the answer was about another caller.
        if (caller !== channel.grant.caller) continue;
        this.#deliver(channel, next, isAssigned);
        queue.shift();
      }
    } catch (error) {
      this.#log.error({ err: error }, 'could not look up an assignment');
      this.#fail(channel, 'Changes could not be checked.');
    } finally {
      this.#queues.delete(channel);
    }
  }
}

function frameOf(
  { change, payloads, frames }: Announcement,
  topic: string,
  subscriptions: readonly [Subscription, ...Subscription[]],
  caller: Caller,
): SharedFrame {
  const question = `${caller.role} ${subscriptions.map(({ id }) => id)}`;
  const key = `${topic} ${question}`;
  const known = frames.get(key);
  if (known) return known;
  const payload = payloads.get(question) ?? new EncodedPayload(changePayload(change, subscriptions, caller));
  payloads.set(question, payload);
  const frame = new SharedFrame(topic, 'postgres_changes', payload);
  frames.set(key, frame);
  return frame;
}
