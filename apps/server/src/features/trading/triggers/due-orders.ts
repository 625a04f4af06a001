/**
 * Orders that wait for an instant (A113): the end of a GTD order, the arrival of one with latency. Invariant: `next` is not later than the
 * first of them, so asking costs a comparison.
 */
import type { Order } from '@fulcrum/domain';
import { slotOf } from '../engine/slots.ts';

export type DueKind = 'expire' | 'arrive';

export interface DueOrder {
  readonly kind: DueKind;
  readonly id: string;
  readonly accountId: string;
  readonly symbol: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export class DueOrders {
  readonly #orders = new Map<string, DueOrder>();
  #next = Number.POSITIVE_INFINITY;

  get size(): number {
    return this.#orders.size;
  }

  get symbols(): string[] {
    return [...this.#orders.values()].map(({ symbol }) => symbol);
  }

  /** Does nothing for an order without an instant. `earliest`: not before, whatever the order says. */
  arm({ id, accountId, symbol, dueAt, expiresAt }: Order, earliest = 0): void {
    const instant = dueAt ?? expiresAt;
    if (instant === null) return;
    const at = Math.max(instant, earliest);
    this.#orders.set(id, { kind: dueAt === null ? 'expire' : 'arrive', id, accountId, symbol, at });
    this.#next = Math.min(this.#next, at);
  }

  disarm(id: string): void {
    this.#orders.delete(id);
  }

  forgetSlots(slots: ReadonlySet<number>): void {
    for (const { id, accountId } of this.#orders.values()) {
      if (slots.has(slotOf(accountId))) this.#orders.delete(id);
    }
  }

  /** Takes at most `max` whose instant has come; the rest is found again. */
  take(now: number, max: number): DueOrder[] {
    if (now < this.#next) return [];
    const taken: DueOrder[] = [];
    this.#next = Number.POSITIVE_INFINITY;
    for (const order of this.#orders.values()) {
      if (order.at <= now && taken.length < max) taken.push(order);
      else this.#next = Math.min(this.#next, order.at);
    }
    for (const { id } of taken) this.#orders.delete(id);
    return taken;
  }
}
