/**
 * What one client, one address and the whole server may take. Every figure can be overridden where the server is put
 * together; none can be switched off.
 */
export interface Limits {
  /** Open sockets of the whole server; more are answered 503. */
  readonly sockets: number;
  /** Open sockets of one address; more are answered 429. */
  readonly socketsPerAddress: number;
  /** Addresses remembered at a time (open sockets, or attempts that have not yet been forgiven). */
  readonly addresses: number;
  readonly channelsPerSocket: number;
  readonly subscriptionsPerChannel: number;
  /** Connections, joins and broadcasts by HTTP of one address together. */
  readonly attemptsPerSecond: number;
  readonly attemptsBurst: number;
  /** Inbound events of one socket (CALL-14); more are answered with an error. */
  readonly eventsPerSecond: number;
  readonly eventsBurst: number;
  /** Refused events of one socket; more close it. */
  readonly refusalsPerSecond: number;
  readonly refusalsBurst: number;
  readonly frameBytes: number;
  /** A socket that has been silent for longer is closed; the client beats every 30 s (CALL-11). */
  readonly silenceMs: number;
  /** With more unsent bytes than this, price frames are left out until the client has caught up. */
  readonly behindBytes: number;
  /** With more unsent bytes than this, the socket is cut. */
  readonly cutBytes: number;
  /** A socket that stays behind for longer is cut. */
  readonly behindMs: number;
  /** Account changes of one channel that wait for a policy's answer; more fail the channel. */
  readonly waitingChanges: number;
  /** Events of one topic that wait until its join is decided; more are answered with an error. */
  readonly waitingEvents: number;
  /** The payload of one client broadcast. */
  readonly broadcastBytes: number;
  readonly broadcastsPerRequest: number;
  /** Tabs and devices of one person that are present on a topic at a time. */
  readonly presencesPerPerson: number;
  readonly presencesPerTopic: number;
}

export const defaultLimits: Limits = {
  sockets: 20_000,
  socketsPerAddress: 200,
  addresses: 50_000,
  channelsPerSocket: 100,
  subscriptionsPerChannel: 20,
  attemptsPerSecond: 20,
  attemptsBurst: 200,
  eventsPerSecond: 10,
  eventsBurst: 30,
  refusalsPerSecond: 5,
  refusalsBurst: 50,
  frameBytes: 16 * 1024,
  silenceMs: 60_000,
  behindBytes: 128 * 1024,
  cutBytes: 2 * 1024 * 1024,
  behindMs: 10_000,
  waitingChanges: 1_000,
  waitingEvents: 50,
  broadcastBytes: 8 * 1024,
  broadcastsPerRequest: 10,
  presencesPerPerson: 20,
  presencesPerTopic: 1_000,
};

/** A token bucket: `burst` at once, `perSecond` in the long run. Time is passed in, in ms. */
export class Bucket {
  readonly #perSecond: number;
  readonly #burst: number;
  #level: number;
  #at: number;

  constructor(perSecond: number, burst: number, nowMs: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#level = burst;
    this.#at = nowMs;
  }

  /** Takes one; false when there is none left. */
  take(nowMs: number): boolean {
    this.#refill(nowMs);
    if (this.#level < 1) return false;
    this.#level -= 1;
    return true;
  }

  isFull(nowMs: number): boolean {
    this.#refill(nowMs);
    return this.#level >= this.#burst;
  }

  #refill(nowMs: number): void {
    // A clock that was set back must not take tokens away.
    const elapsed = Math.max(0, nowMs - this.#at);
    this.#level = Math.min(this.#burst, this.#level + (elapsed / 1000) * this.#perSecond);
    this.#at = nowMs;
  }
}

/** Sockets and attempts per address. */
export class Addresses {
  readonly #limits: Limits;
  readonly #known = new Map<string, { sockets: number; readonly attempts: Bucket }>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Counts a connection or a join; false when the address has used up its share. */
  attempt(address: string, nowMs: number): boolean {
    let entry = this.#known.get(address);
    if (!entry) {
      if (this.#known.size >= this.#limits.addresses) return false;
      entry = {
        sockets: 0,
        attempts: new Bucket(this.#limits.attemptsPerSecond, this.#limits.attemptsBurst, nowMs),
      };
      this.#known.set(address, entry);
    }
    return entry.attempts.take(nowMs);
  }

  /** Counts an opened socket of an address that has attempted; false when it holds too many already. */
  open(address: string): boolean {
    const entry = this.#known.get(address);
    if (!entry || entry.sockets >= this.#limits.socketsPerAddress) return false;
    entry.sockets += 1;
    return true;
  }

  close(address: string): void {
    const entry = this.#known.get(address);
    if (entry) entry.sockets -= 1;
  }

  /** Forgets addresses that hold nothing and owe nothing. */
  sweep(nowMs: number): void {
    for (const [address, entry] of this.#known) {
      if (entry.sockets === 0 && entry.attempts.isFull(nowMs)) this.#known.delete(address);
    }
  }
}
