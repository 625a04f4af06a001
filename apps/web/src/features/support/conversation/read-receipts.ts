/**
 * Reports to the server how far this side has read. Invariant: only messages that were visible while the page was
 * active are reported. Messages that came into view on an inactive page are reported when it becomes active.
 */
export interface ReadReceiptsDeps {
  /** The page is visible and has the focus. */
  readonly isPageActive: () => boolean;
  readonly mark: (seq: number) => Promise<void>;
}

const leastPauseMs = 1_000;
const mostPauseMs = 60_000;

export class ReadReceipts {
  readonly #needs: ReadReceiptsDeps;
  #inView = 0;
  #marked = 0;
  #isMarking: boolean = false;
  #isOver: boolean = false;
  #failures = 0;

  constructor(needs: ReadReceiptsDeps) {
    this.#needs = needs;
  }

  /** Sets the position that the server already knows. */
  setKnown(seq: number): void {
    this.#marked = Math.max(this.#marked, seq);
  }

  markInView(seq: number): void {
    this.#inView = Math.max(this.#inView, seq);
    this.flush();
  }

  /** Call it also when the user returns to the page. */
  flush(): void {
    if (this.#isOver || this.#isMarking || this.#inView <= this.#marked || !this.#needs.isPageActive())
      return;
    const seq = this.#inView;
    this.#isMarking = true;
    this.#needs
      .mark(seq)
      .then(
        () => {
          this.#failures = 0;
          this.setKnown(seq);
        },
        // `mark` reports its own failure; the receipt is sent again, with growing pauses.
        () => {
          this.#failures += 1;
        },
      )
      .finally(() => {
        const pauseMs = Math.min(mostPauseMs, leastPauseMs * 2 ** this.#failures);
        setTimeout(() => {
          this.#isMarking = false;
          this.flush();
        }, pauseMs);
      });
  }

  stop(): void {
    this.#isOver = true;
  }
}
