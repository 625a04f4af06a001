/**
 * When each open net position next pays or receives what holding it costs (A113). Positions are kept by their due instant, so a look
 * costs what is due, not what is open. An entry is a hint, as that of the trigger index: the decision judges the position.
 */
import {
  type MarketType,
  nextDueInstant,
  type Position,
  timeCostKindOf,
  timeCostKinds,
} from '@fulcrum/domain';
import { slotOf } from '../engine/slots.ts';

/** The kind tells it from a trigger of the index. */
export interface DueCost {
  readonly kind: 'fund';
  readonly id: string;
  readonly accountId: string;
  readonly symbol: string;
}

export class DueCosts {
  readonly #typeOf: (symbol: string) => MarketType | undefined;
  /** By instant, then by the position's id. There are few instants: the next two, and those that could not be booked. */
  readonly #byInstant = new Map<number, Map<string, DueCost>>();
  readonly #instantOf = new Map<string, number>();

  /** `typeOf`: undefined for a symbol that is not listed now; the earlier of both kinds then counts. */
  constructor(typeOf: (symbol: string) => MarketType | undefined) {
    this.#typeOf = typeOf;
  }

  /** The number of positions. */
  get size(): number {
    return this.#instantOf.size;
  }

  /** In place of the position's last entry; none for a closed one and for one of another rule set. */
  arm({ id, accountId, symbol, entryValue, closing, fundedAt, createdAt }: Position): void {
    this.disarm(id);
    if (entryValue === null || closing) return;
    const type = this.#typeOf(symbol);
    const kinds = type === undefined ? timeCostKinds : [timeCostKindOf(type)];
    const at = Math.min(...kinds.map((kind) => nextDueInstant(kind, fundedAt ?? createdAt)));
    const due = this.#byInstant.get(at) ?? new Map<string, DueCost>();
    this.#byInstant.set(at, due);
    due.set(id, { kind: 'fund', id, accountId, symbol });
    this.#instantOf.set(id, at);
  }

  disarm(id: string): void {
    const at = this.#instantOf.get(id);
    if (at === undefined) return;
    this.#instantOf.delete(id);
    const due = this.#byInstant.get(at);
    due?.delete(id);
    if (due?.size === 0) this.#byInstant.delete(at);
  }

  forgetSlots(slots: ReadonlySet<number>): void {
    for (const due of [...this.#byInstant.values()]) {
      for (const { id, accountId } of [...due.values()]) if (slots.has(slotOf(accountId))) this.disarm(id);
    }
  }

  /** Takes at most `max` positions that are due at `now` and whose symbol has a price to book at; the others stay. */
  take(now: number, hasPrice: (symbol: string) => boolean, max: number): DueCost[] {
    const taken: DueCost[] = [];
    for (const [at, due] of this.#byInstant) {
      if (at > now) continue;
      for (const cost of due.values()) {
        if (taken.length >= max) break;
        if (hasPrice(cost.symbol)) taken.push(cost);
      }
    }
    for (const { id } of taken) this.disarm(id);
    return taken;
  }
}
