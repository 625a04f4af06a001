/**
 * The prices of the last seconds that could be traded at, of every symbol, in order. An engine of a cluster that takes a slot shows them to
 * what waits there: a price that was reached while nobody owned the slot counts as if the owner had seen it.
 */
import type { Price } from '@fulcrum/domain';

export interface RecentTick {
  readonly symbol: string;
  readonly price: Price;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export class RecentTicks {
  readonly #retainedMs: number;
  #ticks: RecentTick[] = [];
  /** The index of the first retained tick. */
  #first = 0;

  constructor(retainedMs: number) {
    this.#retainedMs = retainedMs;
  }

  add(tick: RecentTick): void {
    this.#ticks.push(tick);
    this.#forget(tick.at);
  }

  clear(): void {
    this.#ticks = [];
    this.#first = 0;
  }

  /** Those that are retained at `now`, the earliest first. */
  at(now: number): readonly RecentTick[] {
    this.#forget(now);
    return this.#ticks.slice(this.#first);
  }

  #forget(now: number): void {
    const from = now - this.#retainedMs;
    while ((this.#ticks[this.#first]?.at ?? now) < from) this.#first += 1;
    // Moved once for many.
    if (this.#first * 2 <= this.#ticks.length) return;
    this.#ticks = this.#ticks.slice(this.#first);
    this.#first = 0;
  }
}
