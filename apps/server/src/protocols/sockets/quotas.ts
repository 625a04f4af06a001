/** Sockets of one address or one user, and how often it may open one or join. */
import { type Rate, TokenBucket } from '../../platform/rate-limit/token-bucket.ts';

/** The limits of one address or one user. */
interface Quota {
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
