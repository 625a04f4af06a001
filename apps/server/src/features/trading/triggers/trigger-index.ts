/**
 * The armed trigger prices per symbol: liquidations, stop losses, take profits, closes at the next price that trades,
 * limit and stop orders, and where trailing stops follow. A tick reads two prices, the lowest that fires from below and the highest that fires from
 * above. Its cost therefore does not depend on the number of triggers. An entry is a hint: the engine decides again
 * on the current account. The engine has one index, the alerts another one with a kind of their own.
 *
 * Invariants: at most one trigger per (id, kind); a taken trigger is removed. About 60 bytes each, in flat arrays, so
 * that a million of them do not burden the garbage collector. Known limitation: the arrays never shrink.
 */
import { grown } from './typed-arrays.ts';
import { hashOf, parseUuid, UuidColumn, type UuidWords } from './uuids.ts';

/** In the order in which crossings of one price apply to one account (liquidation first). */
export const triggerKinds = [
  'liquidation',
  'stop_loss',
  'take_profit',
  'close_at_reopen',
  'follow',
  'limit',
  'stop',
  'margin_warning',
  'margin_recovered',
] as const;
type TriggerKind = (typeof triggerKinds)[number];

export interface Trigger<Kind extends string = TriggerKind> {
  readonly symbol: string;
  readonly kind: Kind;
  /** The id of the position, the order or the alert. */
  readonly id: string;
  readonly accountId: string;
  /** 1e-8 units of the quote currency. */
  readonly price: bigint;
  /** `rises`: fires at this price and above; `falls`: at this price and below. */
  readonly when: 'rises' | 'falls';
}

const firstCapacity = 1024;
const noSlot = -1;

/** One heap of slots; the root fires first. */
interface Heap {
  readonly symbol: string;
  readonly when: Trigger['when'];
  slots: Int32Array;
  length: number;
}

export class TriggerIndex<Kind extends string = TriggerKind> {
  readonly #kinds: readonly Kind[];
  readonly #heaps: Heap[] = [];
  readonly #heapOf = new Map<string, { readonly rises: number; readonly falls: number }>();
  #capacity = firstCapacity;
  #size = 0;
  /** Prices below 2^53 units, so a float holds them exactly. */
  #price = new Float64Array(firstCapacity);
  #kind = new Uint8Array(firstCapacity);
  #heap = new Uint16Array(firstCapacity);
  /** The slot's place in its heap; in a free slot, the next free one. */
  #heapPosition = new Int32Array(firstCapacity);
  readonly #ids = new UuidColumn(firstCapacity);
  readonly #accounts = new UuidColumn(firstCapacity);
  #free = noSlot;
  #used = 0;
  /** Open addressing by (id, kind), at most half full; slot + 1, 0 is empty. */
  #table = new Int32Array(firstCapacity * 2);

  /** At most 256 kinds. */
  constructor(kinds: readonly Kind[]) {
    this.#kinds = kinds;
  }

  get size(): number {
    return this.#size;
  }

  /** Symbols with an armed trigger. */
  get symbols(): readonly string[] {
    const armed: string[] = [];
    for (const [symbol, { rises, falls }] of this.#heapOf) {
      if (this.#heaps[rises]?.length || this.#heaps[falls]?.length) armed.push(symbol);
    }
    return armed;
  }

  /**
   * Arms `trigger` in place of one with the same id and kind. @throws RangeError for a price that is not exact as a
   * float.
   */
  arm(trigger: Trigger<Kind>): void {
    if (trigger.price <= 0n || trigger.price > BigInt(Number.MAX_SAFE_INTEGER)) {
      throw new RangeError(`not a trigger price: ${trigger.price}`);
    }
    const id = parseUuid(trigger.id);
    const kind = this.#kinds.indexOf(trigger.kind);
    const known = this.#find(id, kind);
    if (known !== noSlot) this.#remove(known);

    const slot = this.#takeSlot();
    this.#price[slot] = Number(trigger.price);
    this.#kind[slot] = kind;
    this.#ids.write(slot, id);
    this.#accounts.write(slot, parseUuid(trigger.accountId));
    this.#link(slot);
    const heap = this.#heapFor(trigger.symbol)[trigger.when];
    this.#heap[slot] = heap;
    this.#push(heap, slot);
    this.#size += 1;
  }

  /** False when there was none. */
  disarm(id: string, kind: Kind): boolean {
    const slot = this.#find(parseUuid(id), this.#kinds.indexOf(kind));
    if (slot === noSlot) return false;
    this.#remove(slot);
    return true;
  }

  /** Disarms everything of a position or an order. */
  disarmAll(id: string): void {
    const uuid = parseUuid(id);
    for (let kind = 0; kind < this.#kinds.length; kind += 1) {
      const slot = this.#find(uuid, kind);
      if (slot !== noSlot) this.#remove(slot);
    }
  }

  /** Disarms everything of accounts whose id ends with one of these bytes; one pass over all triggers. */
  disarmAccounts(lastBytes: ReadonlySet<number>): void {
    const found: number[] = [];
    for (const entry of this.#table) {
      if (entry !== 0 && lastBytes.has(this.#accounts.lastByte(entry - 1))) found.push(entry - 1);
    }
    for (const slot of found) this.#remove(slot);
  }

  /** Whether `price` crosses anything. */
  isCrossed(symbol: string, price: bigint): boolean {
    const heaps = this.#heapOf.get(symbol);
    if (!heaps) return false;
    const at = Number(price);
    return this.#fires(heaps.rises, at) || this.#fires(heaps.falls, at);
  }

  /** Takes at most `max` triggers that `price` crosses: the nearest prices first on either side. */
  take(symbol: string, price: bigint, max: number): Trigger<Kind>[] {
    const heaps = this.#heapOf.get(symbol);
    const taken: Trigger<Kind>[] = [];
    if (!heaps) return taken;
    const at = Number(price);
    for (const index of [heaps.rises, heaps.falls]) {
      while (taken.length < max && this.#fires(index, at)) {
        const slot = this.#heaps[index]?.slots[0] ?? noSlot;
        taken.push(this.#read(slot));
        this.#remove(slot);
      }
    }
    return taken;
  }

  #fires(index: number, price: number): boolean {
    const heap = this.#heaps[index];
    if (!heap || heap.length === 0) return false;
    const root = this.#price[heap.slots[0] ?? 0] ?? 0;
    return heap.when === 'rises' ? price >= root : price <= root;
  }

  #read(slot: number): Trigger<Kind> {
    const heap = this.#heaps[this.#heap[slot] ?? 0];
    const kind = this.#kinds[this.#kind[slot] ?? 0];
    if (!heap || !kind) throw new Error(`no trigger in slot ${slot}`);
    return {
      symbol: heap.symbol,
      kind,
      id: this.#ids.read(slot),
      accountId: this.#accounts.read(slot),
      price: BigInt(this.#price[slot] ?? 0),
      when: heap.when,
    };
  }

  #heapFor(symbol: string): { readonly rises: number; readonly falls: number } {
    const known = this.#heapOf.get(symbol);
    if (known) return known;
    const made = { rises: this.#heaps.length, falls: this.#heaps.length + 1 };
    for (const when of ['rises', 'falls'] as const) {
      this.#heaps.push({ symbol, when, slots: new Int32Array(16), length: 0 });
    }
    this.#heapOf.set(symbol, made);
    return made;
  }

  // Slots

  #takeSlot(): number {
    if (this.#free !== noSlot) {
      const slot = this.#free;
      this.#free = this.#heapPosition[slot] ?? noSlot;
      return slot;
    }
    if (this.#used === this.#capacity) this.#grow();
    this.#used += 1;
    return this.#used - 1;
  }

  #grow(): void {
    this.#capacity *= 2;
    this.#price = grown(this.#price, Float64Array, this.#capacity);
    this.#kind = grown(this.#kind, Uint8Array, this.#capacity);
    this.#heap = grown(this.#heap, Uint16Array, this.#capacity);
    this.#heapPosition = grown(this.#heapPosition, Int32Array, this.#capacity);
    this.#ids.grow(this.#capacity);
    this.#accounts.grow(this.#capacity);
    const slots = this.#table.filter((entry) => entry !== 0);
    this.#table = new Int32Array(this.#capacity * 2);
    for (const entry of slots) this.#link(entry - 1);
  }

  #remove(slot: number): void {
    this.#unlink(slot);
    this.#removeAt(this.#heap[slot] ?? 0, this.#heapPosition[slot] ?? 0);
    this.#heapPosition[slot] = this.#free;
    this.#free = slot;
    this.#size -= 1;
  }

  // Lookup by id and kind

  #hashSlot(hash: number, kind: number): number {
    return Math.imul(hash + kind, 0x9e3779b1) >>> 0;
  }

  #find(id: UuidWords, kind: number): number {
    const mask = this.#table.length - 1;
    for (let at = this.#hashSlot(hashOf(id), kind) & mask; ; at = (at + 1) & mask) {
      const slot = (this.#table[at] ?? 0) - 1;
      if (slot === noSlot) return noSlot;
      if (this.#kind[slot] === kind && this.#ids.holds(slot, id)) return slot;
    }
  }

  #link(slot: number): void {
    const mask = this.#table.length - 1;
    let at = this.#home(slot);
    while (this.#table[at] !== 0) at = (at + 1) & mask;
    this.#table[at] = slot + 1;
  }

  #home(slot: number): number {
    return this.#hashSlot(this.#ids.hash(slot), this.#kind[slot] ?? 0) & (this.#table.length - 1);
  }

  /** Deletion that closes the gap, so that no tombstones pile up (Knuth 6.4, algorithm R). */
  #unlink(slot: number): void {
    const table = this.#table;
    const mask = table.length - 1;
    let gap = this.#home(slot);
    while (table[gap] !== slot + 1) gap = (gap + 1) & mask;
    for (let at = (gap + 1) & mask; table[at] !== 0; at = (at + 1) & mask) {
      const home = this.#home((table[at] ?? 0) - 1);
      if (((at - home) & mask) >= ((at - gap) & mask)) {
        table[gap] = table[at] ?? 0;
        gap = at;
      }
    }
    table[gap] = 0;
  }

  // Heaps

  /** Whether the slot `a` fires before the slot `b`. */
  #precedes(heap: Heap, a: number, b: number): boolean {
    const first = this.#price[a] ?? 0;
    const second = this.#price[b] ?? 0;
    return heap.when === 'rises' ? first < second : first > second;
  }

  #push(index: number, slot: number): void {
    const heap = this.#heaps[index];
    if (!heap) throw new Error(`no heap ${index}`);
    if (heap.length === heap.slots.length) heap.slots = grown(heap.slots, Int32Array, heap.length * 2);
    heap.length += 1;
    this.#rise(heap, heap.length - 1, slot);
  }

  /** Removes the entry at `at` from the heap; its last slot moves there. */
  #removeAt(index: number, at: number): void {
    const heap = this.#heaps[index];
    if (!heap) throw new Error(`no heap ${index}`);
    heap.length -= 1;
    if (at === heap.length) return;
    const moved = heap.slots[heap.length] ?? 0;
    const parent = heap.slots[(at - 1) >> 1] ?? 0;
    if (at > 0 && this.#precedes(heap, moved, parent)) this.#rise(heap, at, moved);
    else this.#sink(heap, at, moved);
  }

  #rise(heap: Heap, from: number, slot: number): void {
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap.slots[above] ?? 0;
      if (!this.#precedes(heap, slot, parent)) break;
      this.#put(heap, at, parent);
      at = above;
    }
    this.#put(heap, at, slot);
  }

  #sink(heap: Heap, from: number, slot: number): void {
    let at = from;
    for (let below = 2 * at + 1; below < heap.length; below = 2 * at + 1) {
      const right = below + 1;
      if (right < heap.length && this.#precedes(heap, heap.slots[right] ?? 0, heap.slots[below] ?? 0))
        below = right;
      const child = heap.slots[below] ?? 0;
      if (!this.#precedes(heap, child, slot)) break;
      this.#put(heap, at, child);
      at = below;
    }
    this.#put(heap, at, slot);
  }

  #put(heap: Heap, at: number, slot: number): void {
    heap.slots[at] = slot;
    this.#heapPosition[slot] = at;
  }
}
