/**
 * The typing indicator's state. A typing event is sent at most every 3 s, and expires 6 s after its arrival, because
 * the event that typing stopped may never arrive.
 */
const typingSendEveryMs = 3_000;
export const typingExpiryMs = 6_000;

/** Whether a typing event is due again. */
export const isTypingDue = (sentAtMs: number | null, nowMs: number): boolean =>
  sentAtMs === null || nowMs - sentAtMs >= typingSendEveryMs;

/** The typing events of the other side; a message from that side ends them. */
export class TypingIndicator {
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get isTyping(): boolean {
    return this.#timer !== undefined;
  }

  onTyping(): void {
    const isFirst = !this.isTyping;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.clear(), typingExpiryMs);
    if (isFirst) this.#onChange();
  }

  clear(): void {
    if (!this.isTyping) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#onChange();
  }
}
