/**
 * An account inside one batch: the committed state with this batch's decisions on top. The committed state does not
 * change; a failed batch discards its drafts.
 */
import {
  type Account,
  type AccountTerms,
  type Effects,
  isWaiting,
  NET_LEVERAGE,
  nextOwnDay,
  OpenSides,
  type Order,
  type OrderChange,
  type OwnStanding,
  type Position,
  type PositionChange,
  type Price,
  type Wallet,
} from '@fulcrum/domain';
import type { AccountStanding, AccountTrade } from './store.ts';

/** A committed account. Only the cache changes it. */
export interface CommittedAccount extends AccountStanding {
  readonly wallet: Wallet;
  readonly restricted: boolean;
  readonly own?: OwnStanding | null;
  /** Open ones, by id. */
  readonly positions: ReadonlyMap<string, Position>;
  /** Waiting ones, by id. */
  readonly orders: ReadonlyMap<string, Order>;
  readonly leverages: ReadonlyMap<string, number>;
  readonly trades: readonly AccountTrade[];
}

/** Closed positions and final orders that commands of a batch name, by id, of any owner. */
export interface NamedRows {
  readonly positions: ReadonlyMap<string, Position>;
  readonly orders: ReadonlyMap<string, Order>;
}

const isOpen = (position: Position | null): boolean => position?.closing === null;

export class Draft implements Account {
  readonly committed: CommittedAccount;
  readonly #named: NamedRows;
  readonly #positions = new Map<string, PositionChange>();
  readonly #orders = new Map<string, OrderChange>();
  #wallet: Wallet;
  #restricted: boolean;
  #ownStanding: OwnStanding | null;
  #openPositions: number;
  #openOrders: number;
  #isDeleted = false;
  #isEnded = false;
  #hasCorrected = false;
  readonly changedLeverages = new Map<string, number>();
  readonly #trades: AccountTrade[] = [];
  /** Null until a position closes. */
  #sides: OpenSides | null = null;

  constructor(committed: CommittedAccount, named: NamedRows) {
    this.committed = committed;
    this.#named = named;
    this.#wallet = committed.wallet;
    this.#restricted = committed.restricted;
    this.#ownStanding = committed.own ?? null;
    this.#openPositions = committed.positions.size;
    this.#openOrders = committed.orders.size;
  }

  get wallet(): Wallet {
    return this.#wallet;
  }

  /** Whether it is its owner's main account (A112). */
  get isMain(): boolean {
    return this.committed.ownerId === this.#wallet.accountId;
  }

  get terms(): AccountTerms {
    return this.committed.terms;
  }

  get own(): OwnStanding | null {
    return this.#ownStanding;
  }

  get restricted(): boolean {
    return this.#restricted;
  }

  /** Whether a decision of this batch was applied. */
  get isChanged(): boolean {
    return this.#wallet !== this.committed.wallet;
  }

  /** Removed by a decision of this batch (A73). */
  get isDeleted(): boolean {
    return this.#isDeleted;
  }

  /** Its challenge was decided in this batch: nothing else is. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** A decision of this batch changed a position that was closed before (A09). */
  get hasCorrected(): boolean {
    return this.#hasCorrected;
  }

  /** One change per position, however often it changed: the stored state, and the final one of the batch. */
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

  leverageOf(symbol: string): number {
    return this.changedLeverages.get(symbol) ?? this.committed.leverages.get(symbol) ?? NET_LEVERAGE;
  }

  *ownTrades(symbol: string): Generator<AccountTrade, void> {
    for (const trades of [this.#trades, this.committed.trades]) {
      for (let i = trades.length - 1; i >= 0; i -= 1) {
        const trade = trades[i];
        if (trade?.symbol === symbol) yield trade;
      }
    }
  }

  /** With those of this batch. */
  get trades(): readonly AccountTrade[] {
    return this.#trades.length === 0 ? this.committed.trades : [...this.committed.trades, ...this.#trades];
  }

  holdsBothSides(symbol: string): boolean {
    return this.#openSides().isHedged(symbol);
  }

  exhaustedAt(symbol: string, price: Price): readonly Position[] {
    return this.#openSides().exhaustedAt(symbol, price);
  }

  #openSides(): OpenSides {
    this.#sides ??= new OpenSides(() => this.openPositions());
    return this.#sides;
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
      if (isWaiting(now.status)) yield now;
    }
    for (const { before, after } of this.#orders.values()) {
      if (before === null && isWaiting(after.status)) yield after;
    }
  }

  /** `at`: the time of the decision. */
  apply(effects: Effects, at: number): void {
    const { wallet, positions, orders, executions, leverage, restricted, verdict, deletes } = effects;
    if (this.#ownStanding)
      this.#ownStanding = { ...this.#ownStanding, day: nextOwnDay(this.#ownStanding.day, effects, at) };
    this.#wallet = wallet;
    for (const { before, after } of positions) {
      const first = this.#positions.get(after.id);
      this.#positions.set(after.id, { before: first ? first.before : before, after });
      this.#openPositions += Number(isOpen(after)) - Number(isOpen(before));
      this.#sides?.record(before, after);
      // Also of a close of this batch.
      if (before?.closing) this.#hasCorrected = true;
    }
    for (const { before, after } of orders) {
      const first = this.#orders.get(after.id);
      this.#orders.set(after.id, { before: first ? first.before : before, after });
      this.#openOrders +=
        Number(isWaiting(after.status)) - Number(before !== null && isWaiting(before.status));
    }
    if (leverage) this.changedLeverages.set(leverage.symbol, leverage.leverage);
    if (this.terms.rules === 'perpetual') {
      for (const { symbol, side, size, liquidity } of executions) {
        this.#trades.push({ symbol, side, size, isMaker: liquidity === 'maker', at });
      }
    }
    if (restricted !== null) this.#restricted = restricted;
    if (verdict) this.#isEnded = true;
    if (deletes) this.#isDeleted = true;
  }

  #own<Row extends { readonly accountId: string }>(row: Row | undefined): Row | undefined {
    return row?.accountId === this.#wallet.accountId ? row : undefined;
  }
}
