/**
 * Orders that wait for an instant (A113): the end of a GTD order, the arrival of one with latency. Invariant: `next` is not later than the
 * first of them, so asking costs a comparison.
 */
import type { Order } from '@fulcrum/domain';
import { slotOf } from '../engine/slots.ts';

type DueKind = 'expire' | 'arrive';

export interface DueOrder {
  readonly kind: DueKind;
  readonly id: string;
  readonly accountId: string;
  readonly symbol: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Those of one kind. */
class Due {
  readonly #orders = new Map<string, DueOrder>();
  #next = Number.POSITIVE_INFINITY;

  get all(): Iterable<DueOrder> {
    return this.#orders.values();
  }

  arm(order: DueOrder): void {
    this.#orders.set(order.id, order);
    this.#next = Math.min(this.#next, order.at);
  }

  disarm(id: string): void {
    this.#orders.delete(id);
  }

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

export class DueOrders {
  /** Apart, so that an arrival does not walk over the many that end some day. */
  readonly #ofKind = { arrive: new Due(), expire: new Due() } as const satisfies Record<DueKind, Due>;

  get symbols(): string[] {
    return [...this.#all()].map(({ symbol }) => symbol);
  }

  /** Does nothing for an order without an instant. `earliest`: not before, whatever the order says. */
  arm({ id, accountId, symbol, dueAt, expiresAt }: Order, earliest = 0): void {
    this.disarm(id);
    const instant = dueAt ?? expiresAt;
    if (instant === null) return;
    const kind = dueAt === null ? 'expire' : 'arrive';
    this.#ofKind[kind].arm({ kind, id, accountId, symbol, at: Math.max(instant, earliest) });
  }

  disarm(id: string): void {
    for (const due of Object.values(this.#ofKind)) due.disarm(id);
  }

  forgetSlots(slots: ReadonlySet<number>): void {
    for (const { id, accountId } of [...this.#all()]) if (slots.has(slotOf(accountId))) this.disarm(id);
  }

  /** Takes at most `max` whose instant has come; the rest is found again. */
  take(now: number, max: number): DueOrder[] {
    const ended = this.#ofKind.expire.take(now, max);
    return [...ended, ...this.#ofKind.arrive.take(now, max - ended.length)];
  }

  *#all(): Generator<DueOrder, void> {
    for (const due of Object.values(this.#ofKind)) yield* due.all;
  }
}
