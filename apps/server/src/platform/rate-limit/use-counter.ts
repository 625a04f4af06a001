/** Counts concurrent uses by key (a user, an owner, a symbol): what a ceiling is compared with. Keys without a use take no memory. */
export class UseCounter {
  readonly #uses = new Map<string, number>();
  #total = 0;

  of(key: string): number {
    return this.#uses.get(key) ?? 0;
  }

  get total(): number {
    return this.#total;
  }

  keys(): Iterable<string> {
    return this.#uses.keys();
  }

  /** Counts one use. The first call of the result ends it, and then calls `onEnd`. */
  begin(key: string, onEnd?: () => void): () => void {
    this.#add(key, 1);
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      this.#add(key, -1);
      onEnd?.();
    };
  }

  #add(key: string, change: 1 | -1): void {
    const uses = this.of(key) + change;
    if (uses === 0) this.#uses.delete(key);
    else this.#uses.set(key, uses);
    this.#total += change;
  }
}
