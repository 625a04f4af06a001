/**
 * Announces committed row changes to the channels that may see them. Invariants: a channel gets its changes in commit
 * order and none is left out; a change is encoded once for all channels that ask the same question with the same columns,
 * whatever their topics: everybody of support follows all conversations, each on a topic of their own. When a change cannot be judged, the channel fails: its client joins again and reads the tables.
 */
import type { Caller, RowChange } from '@fulcrum/contract';
import type { Log } from '../../platform/log/index.ts';
import type { Channel } from './connection.ts';
import { EncodedPayload, SharedFrame } from './frames.ts';
import { admits, changePayload, isAskedFor, type Subscription } from './subscriptions.ts';

/** Whether the trader `userId` is assigned to the manager `managerId`. */
export type IsAssigned = (managerId: string, userId: string) => boolean | Promise<boolean>;

interface Announcement {
  readonly change: RowChange;
  /** What of this change was encoded already: by columns and subscriptions, and by the topic too. */
  readonly payloads: Map<string, EncodedPayload>;
  readonly frames: Map<string, SharedFrame>;
}

export interface AccountChangesOptions {
  readonly isAssigned: IsAssigned;
  readonly waitingChanges: number;
  readonly fail: (channel: Channel, reason: string) => void;
  readonly log: Log;
}

export class AccountChanges {
  readonly #isAssigned: IsAssigned;
  readonly #waitingChanges: number;
  readonly #fail: AccountChangesOptions['fail'];
  readonly #log: Log;
  /** Channels that see nothing but their owner's rows: a change looks up its own and passes by all others. */
  readonly #byOwner = new Map<string, Set<Channel>>();
  readonly #wide = new Set<Channel>();
  /** What waits behind a question about assignment, oldest first. */
  readonly #lines = new Map<Channel, Announcement[]>();

  constructor(options: AccountChangesOptions) {
    this.#isAssigned = options.isAssigned;
    this.#waitingChanges = options.waitingChanges;
    this.#fail = options.fail;
    this.#log = options.log;
  }

  add(channel: Channel): void {
    const { caller, subscriptions } = channel.grant;
    if (subscriptions.length === 0) return;
    const isNarrow = subscriptions.every(({ table }) => table.access[caller.role]?.select?.rows === 'own');
    if (caller.role === 'anon' || !isNarrow) {
      this.#wide.add(channel);
      return;
    }
    const channels = this.#byOwner.get(caller.userId) ?? new Set();
    this.#byOwner.set(caller.userId, channels.add(channel));
  }

  /** Takes a channel out under its present grant; what waits for it is kept until it leaves. */
  remove(channel: Channel): void {
    this.#wide.delete(channel);
    const { caller } = channel.grant;
    if (caller.role === 'anon') return;
    const channels = this.#byOwner.get(caller.userId);
    channels?.delete(channel);
    if (channels?.size === 0) this.#byOwner.delete(caller.userId);
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
    const line = this.#lines.get(channel);
    if (line) {
      if (line.length < this.#waitingChanges) line.push(announcement);
      else this.#fail(channel, 'Too many changes are waiting.');
      return;
    }
    if (!this.#deliver(channel, announcement)) void this.#drain(channel, [announcement]);
  }

  /** Sends the announcement if the channel asks for it and may see it; false when that has to be asked first. */
  #deliver(
    { connection, grant, joinRef, topic }: Channel,
    announcement: Announcement,
    isAssigned?: boolean,
  ): boolean {
    const { change } = announcement;
    const [first, ...others] = grant.subscriptions.filter((subscription) => isAskedFor(subscription, change));
    if (!first) return true;
    const admitted = admits(first.table, grant.caller, change);
    if (admitted === 'ask' && isAssigned === undefined) return false;
    if (admitted === false || (admitted === 'ask' && !isAssigned)) return true;
    const frame = frameOf(announcement, topic, [first, ...others], grant.caller);
    connection.sendShared(frame, joinRef);
    return true;
  }

  async #drain(channel: Channel, line: Announcement[]): Promise<void> {
    this.#lines.set(channel, line);
    try {
      for (let next = line[0]; next && channel.connection.holds(channel); next = line[0]) {
        const { caller } = channel.grant;
        const { userId } = next.change;
        const isAssigned =
          caller.role !== 'anon' && userId !== null && (await this.#isAssigned(caller.userId, userId));
        if (!channel.connection.holds(channel)) return;
        // A new token came in meanwhile: the answer was about somebody else.
        if (caller !== channel.grant.caller) continue;
        this.#deliver(channel, next, isAssigned);
        line.shift();
      }
    } catch (error) {
      this.#log.error({ err: error }, 'could not look up an assignment');
      this.#fail(channel, 'Changes could not be checked.');
    } finally {
      this.#lines.delete(channel);
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
