/**
 * The limits of one client, one user, one address and the whole server. A signed-in user counts as a user from any address;
 * an address counts for the rest (A118). Tests and measurements can override every number; none can be switched off.
 *
 * Known limitation: only the sign-up limits bound how many signed-in users one address has.
 */
import { type Limits as AllLimits, defaultLimits as table } from '../../platform/limits/index.ts';
import { type Rate, TokenBucket } from '../../platform/rate-limit/token-bucket.ts';

const toRate = ({ burst, perSecond }: Rate): Rate => ({ burst, perSecond });

/** Realtime's numbers in the table of all limits. */
export const limitsFrom = (all: AllLimits) => ({
  /** Open sockets of one address without a signed-in user; more are answered 429. */
  socketsPerAddress: all.socketsOfAddress.most,
  /** Open sockets of one signed-in user; beyond them a join is refused. */
  socketsPerUser: all.socketsOfUser.most,
  /** Connections of one address, with its joins and broadcasts by HTTP without a session. */
  attempts: toRate(all.connectionsOfAddress),
  /** Joins and broadcasts by HTTP of one signed-in user together. */
  userAttempts: toRate(all.joinsOfUser),
  channelsPerSocket: all.channelsOfSocket.most,
  /** Inbound events of one socket (CALL-14); more are answered with an error. */
  events: toRate(all.eventsOfSocket),
  /** Refused events of one socket; more close it. */
  refusals: toRate(all.refusalsOfSocket),
  /** Tabs and devices of one user that are present on a topic at a time. */
  presencesPerUser: all.presencesOfUser.most,
});

export const defaultLimits = {
  ...limitsFrom(table),
  /** Open sockets of the whole server; more are answered 503. */
  sockets: 20_000,
  /** Addresses and users with state at a time (open sockets, or attempts that still count). */
  addresses: 50_000,
  subscriptionsPerChannel: 20,
  frameBytes: 16 * 1024,
  /** A socket that has been silent for longer is closed; the client beats every 30 s (CALL-11). */
  silenceMs: 60_000,
  /** Above this number of unsent bytes, price frames are dropped until the client has caught up. */
  behindBytes: 128 * 1024,
  /** Above this number of unsent bytes, the socket is disconnected. */
  cutBytes: 2 * 1024 * 1024,
  /** A socket that stays behind for longer is disconnected. */
  behindMs: 10_000,
  /** Account changes of one channel that wait for a policy check; more fail the channel. */
  waitingChanges: 1_000,
  /** Events of one topic that wait for its join; more are answered with an error. */
  waitingEvents: 50,
  /** The payload of one client broadcast. */
  broadcastBytes: 8 * 1024,
  broadcastsPerRequest: 10,
  presencesPerTopic: 1_000,
};
export type Limits = Readonly<typeof defaultLimits>;

/** The limits of one address or one user. */
export interface Quota {
  /** Open sockets. */
  readonly sockets: number;
  readonly attempts: Rate;
  /** Holders with state at a time: open sockets, or attempts that still count. */
  readonly holders: number;
}

/** Sockets and attempts by holder: an address or a user. */
export class Quotas {
  readonly #quota: Quota;
  readonly #known = new Map<string, { sockets: number; readonly attempts: TokenBucket }>();

  constructor(quota: Quota) {
    this.#quota = quota;
  }

  /** Counts a connection, a join or a broadcast; false when the holder has used up its share. */
  attempt(holder: string, nowMs: number): boolean {
    let entry = this.#known.get(holder);
    if (!entry) {
      if (this.#known.size >= this.#quota.holders) return false;
      entry = { sockets: 0, attempts: new TokenBucket(this.#quota.attempts, nowMs) };
      this.#known.set(holder, entry);
    }
    return entry.attempts.take(nowMs);
  }

  /** Counts an opened socket of a holder that has attempted; false when it holds too many already. */
  open(holder: string): boolean {
    const entry = this.#known.get(holder);
    if (!entry || entry.sockets >= this.#quota.sockets) return false;
    entry.sockets += 1;
    return true;
  }

  close(holder: string): void {
    const entry = this.#known.get(holder);
    if (entry) entry.sockets -= 1;
  }

  /** Removes holders without sockets and without counted attempts. */
  sweep(nowMs: number): void {
    for (const [holder, entry] of this.#known) {
      if (entry.sockets === 0 && entry.attempts.isFull(nowMs)) this.#known.delete(holder);
    }
  }
}
