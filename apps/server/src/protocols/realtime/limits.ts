/**
 * The limits of one client, one user, one address and the whole server. A signed-in user counts as a user from any address;
 * an address counts for the rest (A118). Tests and measurements can override every number; none can be switched off.
 *
 * Known limitation: only the sign-up limits bound how many signed-in users one address has.
 */
import { type Limits as AllLimits, defaultLimits as table } from '../../platform/limits/index.ts';
import { type Rate, TokenBucket } from '../../platform/rate-limit/token-bucket.ts';

export interface Limits {
  /** Open sockets of the whole server; more are answered 503. */
  readonly sockets: number;
  /** Open sockets of one address without a signed-in user; more are answered 429. */
  readonly socketsPerAddress: number;
  /** Open sockets of one signed-in user; beyond them a join is refused. */
  readonly socketsPerUser: number;
  /** Addresses and users with state at a time (open sockets, or attempts that still count). */
  readonly addresses: number;
  readonly channelsPerSocket: number;
  readonly subscriptionsPerChannel: number;
  /** Connections of one address, with its joins and broadcasts by HTTP without a session. */
  readonly attemptsPerSecond: number;
  readonly attemptsBurst: number;
  /** Joins and broadcasts by HTTP of one signed-in user together. */
  readonly userAttemptsPerSecond: number;
  readonly userAttemptsBurst: number;
  /** Inbound events of one socket (CALL-14); more are answered with an error. */
  readonly eventsPerSecond: number;
  readonly eventsBurst: number;
  /** Refused events of one socket; more close it. */
  readonly refusalsPerSecond: number;
  readonly refusalsBurst: number;
  readonly frameBytes: number;
  /** A socket that has been silent for longer is closed; the client beats every 30 s (CALL-11). */
  readonly silenceMs: number;
  /** Above this number of unsent bytes, price frames are dropped until the client has caught up. */
  readonly behindBytes: number;
  /** Above this number of unsent bytes, the socket is disconnected. */
  readonly cutBytes: number;
  /** A socket that stays behind for longer is disconnected. */
  readonly behindMs: number;
  /** Account changes of one channel that wait for a policy check; more fail the channel. */
  readonly waitingChanges: number;
  /** Events of one topic that wait for its join; more are answered with an error. */
  readonly waitingEvents: number;
  /** The payload of one client broadcast. */
  readonly broadcastBytes: number;
  readonly broadcastsPerRequest: number;
  /** Tabs and devices of one user that are present on a topic at a time. */
  readonly presencesPerUser: number;
  readonly presencesPerTopic: number;
}

/** Realtime's numbers in the table of all limits. */
export const limitsFrom = (all: AllLimits) => ({
  socketsPerAddress: all.socketsOfAddress.most,
  socketsPerUser: all.socketsOfUser.most,
  attemptsPerSecond: all.connectionsOfAddress.perSecond,
  attemptsBurst: all.connectionsOfAddress.burst,
  userAttemptsPerSecond: all.joinsOfUser.perSecond,
  userAttemptsBurst: all.joinsOfUser.burst,
  channelsPerSocket: all.channelsOfSocket.most,
  eventsPerSecond: all.eventsOfSocket.perSecond,
  eventsBurst: all.eventsOfSocket.burst,
  refusalsPerSecond: all.refusalsOfSocket.perSecond,
  refusalsBurst: all.refusalsOfSocket.burst,
  presencesPerUser: all.presencesOfUser.most,
});

export const defaultLimits: Limits = {
  ...limitsFrom(table),
  sockets: 20_000,
  addresses: 50_000,
  subscriptionsPerChannel: 20,
  frameBytes: 16 * 1024,
  silenceMs: 60_000,
  behindBytes: 128 * 1024,
  cutBytes: 2 * 1024 * 1024,
  behindMs: 10_000,
  waitingChanges: 1_000,
  waitingEvents: 50,
  broadcastBytes: 8 * 1024,
  broadcastsPerRequest: 10,
  presencesPerTopic: 1_000,
};

/** The limits of one address or one user. */
export interface Quota {
  /** Open sockets. */
  readonly sockets: number;
  readonly attempts: Rate;
  /** Holders with state at a time: open sockets, or attempts that still count. */
  readonly holders: number;
}

/** Quota of addresses, for sockets without a signed-in user. */
export const quotaOfAddress = (limits: Limits): Quota => ({
  sockets: limits.socketsPerAddress,
  attempts: { perSecond: limits.attemptsPerSecond, burst: limits.attemptsBurst },
  holders: limits.addresses,
});

/** Quota of users, from any address. */
export const quotaOfUser = (limits: Limits): Quota => ({
  sockets: limits.socketsPerUser,
  attempts: { perSecond: limits.userAttemptsPerSecond, burst: limits.userAttemptsBurst },
  holders: limits.addresses,
});

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
