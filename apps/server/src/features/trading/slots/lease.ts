/**
 * How long an engine of a cluster may believe that it lives. It beats on its row; until `beliefMs` after the start of the last beat that
 * was acknowledged it takes commands and fires triggers. Others end it `leaseMs` after the database has received that beat at the earliest,
 * so belief ends first, whatever the clocks of the machines say. No safety rests on it: the fence of the commit decides.
 */
import type { Clock } from '../../../platform/clock/index.ts';

export const beatEveryMs = 500;
/** By the database's clock; with 2 s, engines on a machine with a load of 23 were ended without need. */
export const leaseMs = 3_000;
const beliefMs = 2_500;

export class Lease {
  readonly #clock: Clock;
  #until = Number.NEGATIVE_INFINITY;
  #since = 0;
  #isOver: boolean = false;

  /** `clock`: one that only goes forward, also while the process is stopped. */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The beat that began at `sentAt` is acknowledged. */
  renew(sentAt: number): void {
    if (this.#isOver) return;
    if (!this.isHeld()) this.#since = this.#clock.now();
    this.#until = Math.max(this.#until, sentAt + beliefMs);
  }

  /** The engine has ended. */
  end(): void {
    this.#isOver = true;
  }

  isHeld(): boolean {
    return !this.#isOver && this.#clock.now() < this.#until;
  }

  /** For how long it has been held without a gap, in milliseconds; 0 while it is not. */
  heldMs(): number {
    return this.isHeld() ? this.#clock.now() - this.#since : 0;
  }
}
