/**
 * A token bucket: `burst` tokens at once, `perSecond` on average. Callers pass the time in ms, of any one clock. Invariant: a
 * clock that is set back takes no token away, and the bucket goes on from the earlier time. Known limitation: time that passes
 * a second time refills a second time, so a clock that is set back and forward again gives at most one burst too many.
 */
import type { RateLimit } from '../limits/declarations.ts';

export type Rate = Pick<RateLimit, 'burst' | 'perSecond'>;

export class TokenBucket {
  readonly #rate: Rate;
  /** Below 0 while a debt is open. */
  #tokens: number;
  #atMs: number;

  constructor(rate: Rate, nowMs: number) {
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#atMs = nowMs;
  }

  /** Takes `tokens` (at most the burst) or none; false when there are not that many. */
  take(nowMs: number, tokens = 1): boolean {
    if (this.#refill(nowMs) < tokens) return false;
    this.#tokens -= tokens;
    return true;
  }

  /** Takes any number of `tokens`; missing ones become a debt that is paid before the next `take`. */
  owe(nowMs: number, tokens: number): void {
    this.#tokens = this.#refill(nowMs) - tokens;
  }

  /** Seconds until there are `tokens`; 0 when there are. */
  waitS(nowMs: number, tokens = 1): number {
    return Math.max(0, (tokens - this.#refill(nowMs)) / this.#rate.perSecond);
  }

  /** How much of the burst is used up, in whole tokens; more than the burst while a debt is open. */
  used(nowMs: number): number {
    return Math.ceil(this.#rate.burst - this.#refill(nowMs));
  }

  isFull(nowMs: number): boolean {
    return this.#refill(nowMs) >= this.#rate.burst;
  }

  #refill(nowMs: number): number {
    const elapsedMs = Math.max(0, nowMs - this.#atMs);
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + (elapsedMs / 1000) * this.#rate.perSecond);
    this.#atMs = nowMs;
    return this.#tokens;
  }
}
