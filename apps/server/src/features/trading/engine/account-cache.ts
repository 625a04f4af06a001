/**
 * Accounts in memory: wallet, restriction, open positions, waiting orders. Only a cache of the committed state: a
 * batch decides on drafts, and the cache adopts them after the commit. Bounded: the longest idle accounts are evicted
 * first and reloaded when needed.
 */
import { AppError, texts } from '@fulcrum/contract';
import {
  firstEquityWithinMs,
  InvariantViolation,
  isWaiting,
  minuteMs,
  type Order,
  type OwnStanding,
  type Position,
  utcDayStart,
  type Wallet,
} from '@fulcrum/domain';
import { Draft, type NamedRows } from './draft.ts';
import { slotOf } from './slots.ts';
import type { AccountStanding, AccountTrade, RowReference, Store, StoredAccount } from './store.ts';

interface CachedAccount extends AccountStanding {
  /** Ms since the epoch. */
  readonly readAt: number;
  wallet: Wallet;
  restricted: boolean;
  own?: OwnStanding | null;
  readonly positions: Map<string, Position>;
  readonly orders: Map<string, Order>;
  leverages: ReadonlyMap<string, number>;
  trades: readonly AccountTrade[];
}

export interface CacheLimits {
  readonly accounts: number;
  /** Open positions and waiting orders together. */
  readonly positions: number;
}

/** Those that still bear on the next ones, as of the newest; a few more, so that not each trade copies all of them. */
function recentOf(trades: readonly AccountTrade[]): readonly AccountTrade[] {
  const [oldest, newest] = [trades[0], trades.at(-1)];
  if (!oldest || !newest || oldest.at > newest.at - 2 * minuteMs) return trades;
  return trades.filter(({ at }) => at > newest.at - minuteMs);
}

function hasOutdatedDay({ own, readAt }: CachedAccount, now: number): boolean {
  if (!own) return false;
  const settledAt = own.day.start + firstEquityWithinMs;
  return own.day.start < utcDayStart(now) || (readAt < settledAt && now >= settledAt);
}

export class AccountCache {
  readonly #store: Store;
  readonly #limits: CacheLimits;
  /** In order of last use, the longest idle first. */
  readonly #accounts = new Map<string, CachedAccount>();
  #positions = 0;
  #orders = 0;

  constructor(store: Store, limits: CacheLimits) {
    this.#store = store;
    this.#limits = limits;
  }

  get size(): { readonly accounts: number; readonly positions: number; readonly orders: number } {
    return { accounts: this.#accounts.size, positions: this.#positions, orders: this.#orders };
  }

  /**
   * Loads these accounts; one query for all that are missing. Returns those that were read. An account with limits of its owner is read again
   * each day, and once more when the day's first equity is settled.
   */
  async load(accountIds: Iterable<string>, now: number): Promise<readonly StoredAccount[]> {
    const missing: string[] = [];
    for (const accountId of accountIds) {
      const account = this.#accounts.get(accountId);
      const isOutdated = account !== undefined && hasOutdatedDay(account, now);
      if (isOutdated) this.forget([accountId]);
      if (!account || isOutdated) {
        missing.push(accountId);
        continue;
      }
      this.#accounts.delete(accountId);
      this.#accounts.set(accountId, account);
    }
    if (missing.length === 0) return [];
    const read = await this.#store.readAccounts(missing, now);
    for (const account of read) this.#add(account, now);
    return read;
  }

  #add({ positions, orders, ...account }: StoredAccount, readAt: number): void {
    this.#positions += positions.length;
    this.#orders += orders.length;
    this.#accounts.set(account.wallet.accountId, {
      ...account,
      readAt,
      positions: new Map(positions.map((position) => [position.id, position])),
      orders: new Map(orders.map((order) => [order.id, order])),
    });
  }

  /** The accounts of a user, the main one first. */
  idsOf(ownerId: string): Promise<readonly string[]> {
    return this.#store.readAccountIds(ownerId);
  }

  /**
   * Of these named rows the closed or final ones. Memory holds only open rows, so an unknown id is looked up, in one
   * query for all.
   * @throws InvariantViolation when a row is open that memory does not hold.
   */
  async readNamed(positions: readonly RowReference[], orders: readonly RowReference[]): Promise<NamedRows> {
    const unknownPositions = positions.filter(
      ({ accountId, id }) => !this.#accounts.get(accountId)?.positions.has(id),
    );
    const unknownOrders = orders.filter(
      ({ accountId, id }) => !this.#accounts.get(accountId)?.orders.has(id),
    );
    const closed = unknownPositions.length > 0 ? await this.#store.readPositions(unknownPositions) : [];
    const final = unknownOrders.length > 0 ? await this.#store.readOrders(unknownOrders) : [];
    const open =
      closed.find(({ closing }) => closing === null) ?? final.find(({ status }) => isWaiting(status));
    if (open) throw new InvariantViolation(`memory holds everything that is open: ${open.id} is missing`);
    return {
      positions: new Map(closed.map((position) => [position.id, position])),
      orders: new Map(final.map((order) => [order.id, order])),
    };
  }

  /** @throws AppError when there is no such user. The caller has called `load` for it. */
  draft(accountId: string, named: NamedRows): Draft {
    const committed = this.#accounts.get(accountId);
    if (!committed) throw new AppError('not_found', texts.userNotFound);
    return new Draft(committed, named);
  }

  /** Adopts the decisions of a committed batch. */
  takeOver(drafts: Iterable<Draft>): void {
    for (const draft of drafts) {
      const { accountId } = draft.wallet;
      const account = this.#accounts.get(accountId);
      // Only a batch holds drafts, and it evicts nothing before it is committed or abandoned.
      if (account !== draft.committed || !account)
        throw new InvariantViolation(`memory holds account ${accountId}`);
      // The next read finds it deleted or archived, or its day with the corrected close.
      if (draft.isDeleted || draft.isEnded || (draft.own && draft.hasCorrected)) {
        this.forget([accountId]);
        continue;
      }
      account.wallet = draft.wallet;
      account.restricted = draft.restricted;
      account.own = draft.own;
      if (draft.changedLeverages.size > 0)
        account.leverages = new Map([...account.leverages, ...draft.changedLeverages]);
      account.trades = recentOf(draft.trades);
      const { positions, orders } = account;
      this.#positions -= positions.size;
      this.#orders -= orders.size;
      for (const { after } of draft.changedPositions) {
        if (after.closing) positions.delete(after.id);
        else positions.set(after.id, after);
      }
      for (const { after } of draft.changedOrders) {
        if (isWaiting(after.status)) orders.set(after.id, after);
        else orders.delete(after.id);
      }
      this.#positions += positions.size;
      this.#orders += orders.size;
    }
  }

  /** Evicts accounts that are deleted or whose committed state is unknown; they are reloaded when needed. */
  forget(accountIds: Iterable<string>): void {
    for (const accountId of accountIds) {
      const account = this.#accounts.get(accountId);
      if (!account) continue;
      this.#positions -= account.positions.size;
      this.#orders -= account.orders.size;
      this.#accounts.delete(accountId);
    }
  }

  /** Not while a batch holds drafts. */
  forgetSlots(slots: ReadonlySet<number>): void {
    this.forget([...this.#accounts.keys()].filter((accountId) => slots.has(slotOf(accountId))));
  }

  /** After a change from outside the engine. Not while a batch holds drafts. */
  forgetAll(): void {
    this.forget([...this.#accounts.keys()]);
  }

  /** Evicts the longest idle accounts down to the limits. Not while a batch holds drafts. */
  evictIdle(): void {
    for (const accountId of this.#accounts.keys()) {
      const isWithin =
        this.#accounts.size <= this.#limits.accounts &&
        this.#positions + this.#orders <= this.#limits.positions;
      if (isWithin) return;
      this.forget([accountId]);
    }
  }
}
