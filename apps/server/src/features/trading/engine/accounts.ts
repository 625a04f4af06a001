/**
 * Accounts in memory: wallet, restriction, open positions, orders that wait. A cache of what is committed and never more
 * than that: a batch decides on drafts, and memory takes them over when the store has them. Bounded: idle accounts leave
 * first and are read again when they are needed.
 */
import { AppError, texts } from '@fulcrum/contract';
import { InvariantViolation, type Order, type Position, type Wallet } from '@fulcrum/domain';
import { Draft, type NamedRows } from './draft.ts';
import type { Named, Store, StoredAccount } from './store.ts';

interface Cached {
  wallet: Wallet;
  restricted: boolean;
  readonly positions: Map<string, Position>;
  readonly orders: Map<string, Order>;
}

export interface CacheLimits {
  readonly accounts: number;
  /** Open positions and waiting orders together. */
  readonly positions: number;
}

export class AccountCache {
  readonly #store: Store;
  readonly #limits: CacheLimits;
  /** In order of last use, the longest idle first. */
  readonly #accounts = new Map<string, Cached>();
  #positions = 0;
  #orders = 0;

  constructor(store: Store, limits: CacheLimits) {
    this.#store = store;
    this.#limits = limits;
  }

  get size(): { readonly accounts: number; readonly positions: number; readonly orders: number } {
    return { accounts: this.#accounts.size, positions: this.#positions, orders: this.#orders };
  }

  /** Brings these accounts into memory; one query for all that are missing. Returns those that were read. */
  async load(userIds: Iterable<string>): Promise<readonly StoredAccount[]> {
    const missing: string[] = [];
    for (const userId of userIds) {
      const account = this.#accounts.get(userId);
      if (!account) {
        missing.push(userId);
        continue;
      }
      this.#accounts.delete(userId);
      this.#accounts.set(userId, account);
    }
    if (missing.length === 0) return [];
    const read = await this.#store.readAccounts(missing);
    for (const account of read) this.#add(account);
    return read;
  }

  #add({ wallet, restricted, positions, orders }: StoredAccount): void {
    this.#positions += positions.length;
    this.#orders += orders.length;
    this.#accounts.set(wallet.userId, {
      wallet,
      restricted,
      positions: new Map(positions.map((position) => [position.id, position])),
      orders: new Map(orders.map((order) => [order.id, order])),
    });
  }

  /**
   * Of these named rows the ones that are closed or final. Memory holds only what is open, so a name that it does not know
   * is looked up, in one query for all.
   * @throws InvariantViolation when one is open without memory knowing it.
   */
  async readNamed(positions: readonly Named[], orders: readonly Named[]): Promise<NamedRows> {
    const unknownPositions = positions.filter(
      ({ userId, id }) => !this.#accounts.get(userId)?.positions.has(id),
    );
    const unknownOrders = orders.filter(({ userId, id }) => !this.#accounts.get(userId)?.orders.has(id));
    const closed = unknownPositions.length > 0 ? await this.#store.readPositions(unknownPositions) : [];
    const final = unknownOrders.length > 0 ? await this.#store.readOrders(unknownOrders) : [];
    const open =
      closed.find(({ closing }) => closing === null) ?? final.find(({ status }) => status === 'NEW');
    if (open) throw new InvariantViolation(`memory holds everything that is open: ${open.id} is missing`);
    return {
      positions: new Map(closed.map((position) => [position.id, position])),
      orders: new Map(final.map((order) => [order.id, order])),
    };
  }

  /** @throws AppError when there is no such user. `load` must have been called for it. */
  draft(userId: string, named: NamedRows): Draft {
    const committed = this.#accounts.get(userId);
    if (!committed) throw new AppError('not_found', texts.userNotFound);
    return new Draft(committed, named);
  }

  /** Takes over what a committed batch decided. */
  takeOver(drafts: Iterable<Draft>): void {
    for (const draft of drafts) {
      const { userId } = draft.wallet;
      const account = this.#accounts.get(userId);
      // Only a batch holds drafts, and it forgets nothing before it is committed or given up.
      if (account !== draft.committed || !account)
        throw new InvariantViolation(`memory holds account ${userId}`);
      if (draft.isDeleted) {
        this.forget([userId]);
        continue;
      }
      account.wallet = draft.wallet;
      account.restricted = draft.restricted;
      const { positions, orders } = account;
      this.#positions -= positions.size;
      this.#orders -= orders.size;
      for (const { after } of draft.changedPositions) {
        if (after.closing) positions.delete(after.id);
        else positions.set(after.id, after);
      }
      for (const { after } of draft.changedOrders) {
        if (after.status === 'NEW') orders.set(after.id, after);
        else orders.delete(after.id);
      }
      this.#positions += positions.size;
      this.#orders += orders.size;
    }
  }

  /** Forgets accounts that are gone or whose committed state is in doubt; they are read again when needed. */
  forget(userIds: Iterable<string>): void {
    for (const userId of userIds) {
      const account = this.#accounts.get(userId);
      if (!account) continue;
      this.#positions -= account.positions.size;
      this.#orders -= account.orders.size;
      this.#accounts.delete(userId);
    }
  }

  /** After something that memory knew nothing of. Not while a batch holds drafts. */
  forgetAll(): void {
    this.forget([...this.#accounts.keys()]);
  }

  /** Lets the longest idle accounts go until the limits are kept. Not while a batch holds drafts. */
  evictIdle(): void {
    for (const userId of this.#accounts.keys()) {
      const isWithin =
        this.#accounts.size <= this.#limits.accounts &&
        this.#positions + this.#orders <= this.#limits.positions;
      if (isWithin) return;
      this.forget([userId]);
    }
  }
}
