/** Faults of a simulated store's calls: failures before and after the commit, and slow commits. */
import { StoreUnreachable } from '../../src/features/trading/engine/store.ts';

export type CommitFault = 'refused' | 'unreachable' | 'lost before' | 'lost after';

/** The faults of the next calls of a store. */
export class Faults {
  readonly #faults: CommitFault[] = [];
  readonly #held: { readonly release: () => void }[] = [];
  #holdNext: boolean = false;
  /** `ready` fails this many times more. */
  unreadyFor = 0;
  /** Reads fail this many times more. */
  unreadableFor = 0;
  /** Calls that failed, on demand or because the database refused. */
  failures = 0;
  readonly #onFailure: () => void;

  constructor(onFailure: () => void) {
    this.#onFailure = onFailure;
  }

  fail(): void {
    this.failures += 1;
    this.#onFailure();
  }

  /** The next commit meets it, then the one after the next fault given. */
  fault(fault: CommitFault): void {
    this.#faults.push(fault);
  }

  /** The next commit waits until it is released. */
  hold(): void {
    this.#holdNext = true;
  }

  get isHolding(): boolean {
    return this.#held.length > 0;
  }

  release(): void {
    for (const { release } of this.#held.splice(0)) release();
  }

  /** Later commits are not held any more; held ones continue. */
  calm(): void {
    this.#holdNext = false;
    this.release();
  }

  forgetFaults(): void {
    this.#faults.length = 0;
  }

  clear(): void {
    this.#faults.length = 0;
    this.#holdNext = false;
    this.unreadyFor = 0;
    this.unreadableFor = 0;
    this.release();
  }

  /** @throws Unreachable. */
  passReady(): void {
    if (this.unreadyFor === 0) return;
    this.unreadyFor -= 1;
    this.fail();
    throw new StoreUnreachable('the simulated database is away');
  }

  /** @throws Error, as a read on a lost connection does. */
  passRead(): void {
    if (this.unreadableFor === 0) return;
    this.unreadableFor -= 1;
    this.fail();
    throw new Error('the simulated connection is lost');
  }

  takeFault(): CommitFault | undefined {
    return this.#faults.shift();
  }

  async passHold(): Promise<void> {
    if (!this.#holdNext) return;
    this.#holdNext = false;
    await new Promise<void>((release) => {
      this.#held.push({ release });
    });
  }
}
