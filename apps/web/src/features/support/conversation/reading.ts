/**
 * Says to the server how far this side has read. Invariant: only what was in view of somebody who looks at the page is
 * said to be read, never more; what came into view while nobody looked is said once somebody does.
 */
export interface ReadingNeeds {
  /** The page is visible and has the focus. */
  readonly isLookedAt: () => boolean;
  readonly mark: (seq: number) => Promise<void>;
}

const leastPauseMs = 1_000;
const mostPauseMs = 60_000;

export class Reading {
  readonly #needs: ReadingNeeds;
  #inView = 0;
  #marked = 0;
  #isMarking: boolean = false;
  #isOver: boolean = false;
  #failures = 0;

  constructor(needs: ReadingNeeds) {
    this.#needs = needs;
  }

  /** The server knows that already. */
  known(seq: number): void {
    this.#marked = Math.max(this.#marked, seq);
  }

  see(seq: number): void {
    this.#inView = Math.max(this.#inView, seq);
    this.look();
  }

  /** To be called also when somebody comes back to the page. */
  look(): void {
    if (this.#isOver || this.#isMarking || this.#inView <= this.#marked || !this.#needs.isLookedAt()) return;
    const seq = this.#inView;
    this.#isMarking = true;
    this.#needs
      .mark(seq)
      .then(
        () => {
          this.#failures = 0;
          this.known(seq);
        },
        // Told by whoever marks; it is said again, ever less often.
        () => {
          this.#failures += 1;
        },
      )
      .finally(() => {
        const pauseMs = Math.min(mostPauseMs, leastPauseMs * 2 ** this.#failures);
        setTimeout(() => {
          this.#isMarking = false;
          this.look();
        }, pauseMs);
      });
  }

  leave(): void {
    this.#isOver = true;
  }
}
