/**
 * An account inside one batch: the committed state with this batch's decisions on top. Nothing of the committed state is
 * changed; a batch that fails throws its drafts away.
 */
import type { Account, Effects, Order, OrderChange, Position, PositionChange, Wallet } from '@fulcrum/domain';

/** An account as it is committed. Only the cache changes it. */
export interface Committed {
  readonly wallet: Wallet;
  readonly restricted: boolean;
  /** Open ones, by id. */
  readonly positions: ReadonlyMap<string, Position>;
  /** Those that wait, by id. */
  readonly orders: ReadonlyMap<string, Order>;
}

/** Closed positions and final orders that commands of a batch name, by id, whoever owns them. */
export interface NamedRows {
  readonly positions: ReadonlyMap<string, Position>;
  readonly orders: ReadonlyMap<string, Order>;
}

const isOpen = (position: Position | null): boolean => position?.closing === null;

export class Draft implements Account {
  readonly committed: Committed;
  readonly #named: NamedRows;
  readonly #positions = new Map<string, PositionChange>();
  readonly #orders = new Map<string, OrderChange>();
  #wallet: Wallet;
  #restricted: boolean;
  #openPositions: number;
  #openOrders: number;
  #isDeleted = false;

  constructor(committed: Committed, named: NamedRows) {
    this.committed = committed;
    this.#named = named;
    this.#wallet = committed.wallet;
    this.#restricted = committed.restricted;
    this.#openPositions = committed.positions.size;
    this.#openOrders = committed.orders.size;
  }

  get wallet(): Wallet {
    return this.#wallet;
  }

  get restricted(): boolean {
    return this.#restricted;
  }

  /** Whether a decision of this batch was taken over. */
  get isChanged(): boolean {
    return this.#wallet !== this.committed.wallet;
  }

  /** Removed by a decision of this batch (A73). */
  get isDeleted(): boolean {
    return this.#isDeleted;
  }

  /** One change per position, however often it changed: as it is stored, and as the batch leaves it. */
  get changedPositions(): Iterable<PositionChange> {
    return this.#positions.values();
  }

  get changedOrders(): Iterable<OrderChange> {
    return this.#orders.values();
  }

  get openPositionCount(): number {
    return this.#openPositions;
  }

  get openOrderCount(): number {
    return this.#openOrders;
  }

  position(id: string): Position | undefined {
    const known = this.#positions.get(id)?.after ?? this.committed.positions.get(id);
    return known ?? this.#own(this.#named.positions.get(id));
  }

  order(id: string): Order | undefined {
    const known = this.#orders.get(id)?.after ?? this.committed.orders.get(id);
    return known ?? this.#own(this.#named.orders.get(id));
  }

  *openPositions(): Generator<Position, void> {
    for (const [id, position] of this.committed.positions) {
      const now = this.#positions.get(id)?.after ?? position;
      if (now.closing === null) yield now;
    }
    for (const { before, after } of this.#positions.values()) {
      if (before === null && after.closing === null) yield after;
    }
  }

  *openOrders(): Generator<Order, void> {
    for (const [id, order] of this.committed.orders) {
      const now = this.#orders.get(id)?.after ?? order;
      if (now.status === 'NEW') yield now;
    }
    for (const { before, after } of this.#orders.values()) {
      if (before === null && after.status === 'NEW') yield after;
    }
  }

  apply({ wallet, positions, orders, restricted, deletes }: Effects): void {
    this.#wallet = wallet;
    for (const { before, after } of positions) {
      const first = this.#positions.get(after.id);
      this.#positions.set(after.id, { before: first ? first.before : before, after });
      this.#openPositions += Number(isOpen(after)) - Number(isOpen(before));
    }
    for (const { before, after } of orders) {
      const first = this.#orders.get(after.id);
      this.#orders.set(after.id, { before: first ? first.before : before, after });
      this.#openOrders += Number(after.status === 'NEW') - Number(before?.status === 'NEW');
    }
    if (restricted !== null) this.#restricted = restricted;
    if (deletes) this.#isDeleted = true;
  }

  #own<Row extends { readonly userId: string }>(row: Row | undefined): Row | undefined {
    return row?.userId === this.#wallet.userId ? row : undefined;
  }
}
