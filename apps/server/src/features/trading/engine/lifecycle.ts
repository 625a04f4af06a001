/** Whether an engine takes commands and decides, and of which slots. */
import { type Halt, haltedError } from './halt.ts';
import { SlotMoved } from './router-errors.ts';
import { slotOf } from './slots.ts';

export class Lifecycle {
  readonly #lease: { isHeld(): boolean } | undefined;
  readonly #slots = new Set<number>();
  #phase: 'starting' | 'running' | 'stopped' = 'starting';
  #halted: Halt | null = null;

  constructor(lease: { isHeld(): boolean } | undefined) {
    this.#lease = lease;
  }

  /** Slots whose commands are accepted and whose prices are checked. */
  get slots(): ReadonlySet<number> {
    return this.#slots;
  }

  get phase(): 'starting' | 'running' | 'stopped' {
    return this.#phase;
  }

  get halted(): Halt | null {
    return this.#halted;
  }

  start(): void {
    this.#phase = 'running';
  }

  stop(): void {
    this.#phase = 'stopped';
  }

  halt(halt: Halt): void {
    this.#halted = halt;
  }

  resume(): void {
    this.#halted = null;
  }

  addSlots(slots: Iterable<number>): void {
    for (const slot of slots) this.#slots.add(slot);
  }

  removeSlots(slots: Iterable<number>): void {
    for (const slot of slots) this.#slots.delete(slot);
  }

  owns(accountId: string): boolean {
    return this.#slots.has(slotOf(accountId));
  }

  isTrading(): boolean {
    return this.isRunning() && this.#halted === null;
  }

  isRunning(): boolean {
    return this.#phase === 'running' && this.#lease?.isHeld() !== false;
  }

  /** In a cluster another engine goes on with the accounts of one that is over. */
  haltedError(): Error {
    return this.#halted?.cause === 'epoch' && this.#lease ? new SlotMoved() : haltedError();
  }
}
