/**
 * The engine's store of a past that is being computed: it keeps accounts in memory and records the batches, so that they
 * can be written later in one transaction. Invariant: it changes no database.
 */
import { InvariantViolation, isWaiting, type Order, type Position } from '@fulcrum/domain';
import type { Batch, RowReference, Store, StoredAccount } from '../engine/store.ts';

const isOpen = ({ closing }: Position): boolean => closing === null;

export class RecordedStore implements Store {
  readonly epoch = 0;
  readonly batches: Batch[] = [];
  readonly #accounts: Map<string, Omit<StoredAccount, 'positions' | 'orders'>>;
  /** Positions of all accounts by id, closed ones included; likewise orders. */
  readonly #positions: Map<string, Position>;
  readonly #orders: Map<string, Order>;

  constructor(accounts: readonly StoredAccount[]) {
    this.#accounts = new Map(accounts.map((account) => [account.wallet.accountId, account]));
    this.#positions = new Map(accounts.flatMap(({ positions }) => positions).map((row) => [row.id, row]));
    this.#orders = new Map(accounts.flatMap(({ orders }) => orders).map((row) => [row.id, row]));
  }

  get accountIds(): readonly string[] {
    return [...this.#accounts.keys()];
  }

  get positions(): Iterable<Position> {
    return this.#positions.values();
  }

  get orders(): Iterable<Order> {
    return this.#orders.values();
  }

  account(accountId: string): StoredAccount {
    const account = this.#accounts.get(accountId);
    if (!account) throw new InvariantViolation(`the past has account ${accountId}`);
    const isOwn = (row: Position | Order): boolean => row.accountId === accountId;
    return {
      ...account,
      positions: [...this.#positions.values()].filter((row) => isOwn(row) && isOpen(row)),
      orders: [...this.#orders.values()].filter((row) => isOwn(row) && isWaiting(row.status)),
    };
  }

  async start(): Promise<void> {}
  async stop(): Promise<void> {}
  /** A past has one engine. */
  async take(): Promise<void> {}
  async give(): Promise<void> {}
  async ready(): Promise<void> {}

  async commit(batch: Batch): Promise<void> {
    for (const { after } of batch.wallets) {
      this.#accounts.set(after.accountId, { ...this.account(after.accountId), wallet: after });
    }
    for (const { accountId, restricted } of batch.restrictions) {
      this.#accounts.set(accountId, { ...this.account(accountId), restricted });
    }
    for (const { after } of batch.positions) this.#positions.set(after.id, after);
    for (const { after } of batch.orders) this.#orders.set(after.id, after);
    this.batches.push(batch);
  }

  async isWritten(batchId: string): Promise<boolean> {
    return this.batches.some(({ id }) => id === batchId);
  }

  async readAccounts(accountIds: readonly string[]): Promise<readonly StoredAccount[]> {
    return accountIds.filter((id) => this.#accounts.has(id)).map((id) => this.account(id));
  }

  /** A past is of main accounts, whose ids are their owners'. */
  async readAccountIds(ownerId: string): Promise<readonly string[]> {
    return [ownerId];
  }

  async readPositions(named: readonly RowReference[]): Promise<readonly Position[]> {
    return named.flatMap(({ accountId, id }) => {
      const position = this.#positions.get(id);
      return position?.accountId === accountId ? [position] : [];
    });
  }

  async readOrders(named: readonly RowReference[]): Promise<readonly Order[]> {
    return named.flatMap(({ accountId, id }) => {
      const order = this.#orders.get(id);
      return order?.accountId === accountId ? [order] : [];
    });
  }

  /** No command of the past has a client id. */
  async readAnswers(): Promise<Awaited<ReturnType<Store['readAnswers']>>> {
    return [];
  }

  /** Nothing of the past is in a challenge. */
  async writeChallenges(): Promise<void> {}
  async readChallengeIds() {
    return [];
  }

  /** Everything is armed as it is decided. */
  async readWaiting() {
    return { positions: [], orders: [], apart: new Set<string>(), next: null };
  }
}
