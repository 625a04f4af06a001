/**
 * A map with at most `max` entries: a further key evicts the oldest one. `set` leaves a known key in its order, so the entry
 * that came first leaves first; `setNewest` moves it to the end, so the one that was used the longest ago does.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #max: number;
  readonly #onEvict: ((key: Key) => void) | undefined;

  constructor(max: number, onEvict?: (key: Key) => void) {
    super();
    this.#max = max;
    this.#onEvict = onEvict;
  }

  override set(key: Key, value: Value): this {
    if (this.size >= this.#max && !this.has(key)) this.#evictOldest();
    return super.set(key, value);
  }

  setNewest(key: Key, value: Value): this {
    this.delete(key);
    return this.set(key, value);
  }

  #evictOldest(): void {
    for (const oldest of this.keys()) {
      this.delete(oldest);
      this.#onEvict?.(oldest);
      return;
    }
  }
}
