/**
 * Who is typing, as far as it is known: said at most every 3 s while one types, and forgotten 6 s after it was heard last,
 * because the word that one has stopped may never arrive.
 */
export const sayEveryMs = 3_000;
export const forgottenAfterMs = 6_000;

/** Whether it is to be said again now. */
export const isSayDue = (saidAtMs: number | null, nowMs: number): boolean =>
  saidAtMs === null || nowMs - saidAtMs >= sayEveryMs;

/** What was heard of the other side; a message of theirs ends it. */
export class Heard {
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get isTyping(): boolean {
    return this.#timer !== undefined;
  }

  hear(): void {
    const isNews = !this.isTyping;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.forget(), forgottenAfterMs);
    if (isNews) this.#onChange();
  }

  forget(): void {
    if (!this.isTyping) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#onChange();
  }
}
