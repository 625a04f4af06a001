/**
 * A database of the engine in memory, which does what `app.engine_write` (migration 0008) does: the same guards in the same
 * order, whole or not at all. It fails on demand before and after it has written, and it can take its time.
 *
 * Known limitations: a value is kept as it was given, so nothing proves that PostgreSQL's columns hold it; the isolation of
 * two sessions is not modelled, because an engine writes one batch at a time.
 */
import type { Order, Position, Transaction, Wallet } from '@fulcrum/domain';
import {
  AuthorityLost,
  type Batch,
  CommitRefused,
  CommitUnknown,
  EpochOver,
  type Named,
  RepeatedCommand,
  type Store,
  type StoredAccount,
  type StoredAnswer,
  Unreachable,
  type WaitingPage,
  type WrittenAudit,
} from '../../src/features/trading/engine/store.ts';
import { type LedgerRow, ledgerRowsOf } from '../../src/features/trading/replay.ts';

export interface MemoryUser {
  readonly id: string;
  readonly role: 'trader' | 'manager' | 'admin';
  managerId: string | null;
  restricted: boolean;
}

/** One entry of the ledger, and the batch that wrote it. */
export interface WrittenRow extends LedgerRow {
  readonly batchId: string;
}

export interface TransactionRow extends Omit<Transaction, 'amount'> {
  readonly userId: string;
  amount: bigint;
}

export interface NotificationRow {
  readonly id: string;
  readonly userId: string;
  readonly kind: string;
  readonly positionId: string | null;
  readonly orderId: string | null;
}

const answerKey = (ownerId: string, clientId: string): string => `${ownerId} ${clientId}`;
const refused = (why: string): never => {
  throw new CommitRefused(why);
};

/** The tables. Outlives engines and their stores. */
export class MemoryDatabase {
  epoch = 0;
  readonly users = new Map<string, MemoryUser>();
  readonly wallets = new Map<string, Wallet>();
  readonly positions = new Map<string, Position>();
  readonly orders = new Map<string, Order>();
  readonly ledger: WrittenRow[] = [];
  readonly transactions = new Map<string, TransactionRow>();
  readonly notifications = new Map<string, NotificationRow>();
  /** Of each account the newest. */
  readonly equity = new Map<
    string,
    { readonly at: number; readonly balance: bigint; readonly equity: bigint }
  >();
  readonly answers = new Map<string, StoredAnswer>();
  readonly audits: (WrittenAudit & { readonly batchId: string })[] = [];
  readonly batches: Batch[] = [];
  readonly #written = new Set<string>();

  has(batchId: string): boolean {
    return this.#written.has(batchId);
  }

  /** All or nothing. @throws CommitRefused, RepeatedCommand, AuthorityLost, EpochOver. */
  write(epoch: number, batch: Batch): void {
    if (epoch !== this.epoch) throw new EpochOver(`engine epoch ${epoch} is over`);
    this.#checkAuthority(batch);
    this.#checkWallets(batch);
    this.#checkPositions(batch);
    this.#checkOrders(batch);
    this.#checkBooks(batch);
    this.#checkRest(batch);
    this.#apply(batch);
  }

  #checkAuthority({ audits }: Batch): void {
    for (const { actorId, subjectId, authority } of audits) {
      if (authority === null) continue;
      const actor = this.users.get(actorId);
      const isOwnManager =
        authority === 'assigned' &&
        actor?.role === 'manager' &&
        this.users.get(subjectId)?.managerId === actorId;
      if (actor?.role !== 'admin' && !isOwnManager) throw new AuthorityLost('not this account’s staff');
    }
  }

  #checkWallets({ wallets }: Batch): void {
    const seen = new Set<string>();
    for (const { before, after } of wallets) {
      const stored = this.wallets.get(after.userId);
      if (!stored || stored.version !== before.version || seen.has(after.userId)) {
        refused(`wallet of ${after.userId} changed meanwhile`);
      }
      seen.add(after.userId);
      if (after.available < 0n || after.margin < 0n || after.orderMargin < 0n) refused('a negative balance');
    }
  }

  #checkPositions({ positions }: Batch): void {
    const seen = new Set<string>();
    for (const { after } of positions) {
      const stored = this.positions.get(after.id);
      if (seen.has(after.id)) refused(`position ${after.id} twice`);
      seen.add(after.id);
      if (!this.users.has(after.userId)) refused(`nobody has position ${after.id}`);
      if (after.margin < 0n || after.size <= 0n || after.entryPrice <= 0n || after.liquidationPrice <= 0n) {
        refused(`no position: ${after.id}`);
      }
      if (!stored) continue;
      const mayFollow =
        stored.userId === after.userId &&
        stored.version < after.version &&
        (stored.closing === null || after.closing !== null);
      if (!mayFollow) refused(`position ${after.id} changed meanwhile`);
    }
  }

  #checkOrders({ orders }: Batch): void {
    const seen = new Set<string>();
    for (const { after } of orders) {
      const stored = this.orders.get(after.id);
      if (seen.has(after.id)) refused(`order ${after.id} twice`);
      seen.add(after.id);
      if (!this.users.has(after.userId)) refused(`nobody has order ${after.id}`);
      const isSound =
        after.reserved >= 0n &&
        after.size > 0n &&
        (after.type === 'MARKET' || after.price !== null) &&
        (after.status === 'REJECTED') === (after.rejection !== null) &&
        (after.status === 'FILLED') === (after.positionId !== null) &&
        (after.status === 'NEW' || after.reserved === 0n);
      if (!isSound) refused(`no order: ${after.id}`);
      if (!stored) continue;
      const mayFollow =
        stored.userId === after.userId && stored.version < after.version && stored.status === 'NEW';
      if (!mayFollow) refused(`order ${after.id} changed meanwhile`);
    }
  }

  #checkBooks({ ledger, transactions }: Batch): void {
    for (const { group } of ledger) {
      if (group.entries.reduce((sum, { amount }) => sum + amount, 0n) !== 0n) refused('a group off balance');
    }
    for (const { transaction } of transactions) {
      if (this.transactions.has(transaction.id)) refused('a transaction twice');
    }
  }

  #checkRest({ id, answers, amended, deletions }: Batch): void {
    const seen = new Set<string>();
    for (const { key } of answers) {
      const name = answerKey(key.ownerId, key.clientId);
      if (this.answers.has(name) || seen.has(name)) throw new RepeatedCommand(name);
      seen.add(name);
      if (!this.users.has(key.ownerId)) refused(`nobody has the answer ${name}`);
    }
    for (const { positionId } of amended) {
      if (!this.#closingLine(positionId)) refused('no line of an edited position');
    }
    for (const userId of deletions) if (!this.users.has(userId)) refused(`no user ${userId}`);
    if (this.#written.has(id)) refused('a batch twice');
  }

  #closingLine(positionId: string): TransactionRow | undefined {
    const group = this.ledger.find(({ kind, sourceId }) => kind === 'close' && sourceId === positionId);
    const line = group && this.transactions.get(group.groupId);
    return line?.type === 'position_closed' ? line : undefined;
  }

  #apply(batch: Batch): void {
    const { id: batchId, at } = batch;
    for (const { after } of batch.wallets) this.wallets.set(after.userId, after);
    for (const { after } of batch.positions) {
      const stored = this.positions.get(after.id);
      // Columns that an update leaves alone.
      const { symbol, rules, feeRate, splitFrom } = stored ?? after;
      this.positions.set(after.id, { ...after, symbol, rules, feeRate, splitFrom, updatedAt: at });
    }
    for (const { after } of batch.orders) {
      const stored = this.orders.get(after.id) ?? after;
      const { reserved, status, rejection, positionId, version, accountVersion } = after;
      this.orders.set(after.id, {
        ...stored,
        ...{ reserved, status, rejection, positionId, version, accountVersion, updatedAt: at },
      });
    }
    for (const { userId, group } of batch.ledger) {
      for (const row of ledgerRowsOf(userId, group)) this.ledger.push({ ...row, batchId });
    }
    for (const { wallet, transaction } of batch.transactions) {
      this.transactions.set(transaction.id, { ...transaction, userId: wallet.userId });
    }
    for (const { userId, notification } of batch.notifications) {
      const { id, kind, position, order } = notification;
      const about = { positionId: position?.id ?? null, orderId: order?.id ?? null };
      this.notifications.set(id, { id, userId, kind, ...about });
    }
    for (const { userId, balance, equity } of batch.equity) this.equity.set(userId, { at, balance, equity });
    for (const { key, answer } of batch.answers) {
      const stored = { bodyHash: key.bodyHash, answer };
      this.answers.set(answerKey(key.ownerId, key.clientId), stored);
    }
    for (const audit of batch.audits) this.audits.push({ ...audit, batchId });
    for (const { userId, restricted } of batch.restrictions) {
      const user = this.users.get(userId);
      if (user) user.restricted = restricted;
    }
    for (const { positionId, amount } of batch.amended) {
      const line = this.#closingLine(positionId);
      if (line) line.amount = amount;
    }
    for (const userId of batch.deletions) this.#delete(userId);
    this.batches.push(batch);
    this.#written.add(batchId);
  }

  /** A73: the books, the audit log and the history stay. */
  #delete(userId: string): void {
    this.users.delete(userId);
    this.wallets.delete(userId);
    this.equity.delete(userId);
    for (const table of [this.positions, this.orders, this.notifications]) {
      for (const [id, row] of table) if (row.userId === userId) table.delete(id);
    }
    for (const key of this.answers.keys()) if (key.startsWith(`${userId} `)) this.answers.delete(key);
  }
}

export type CommitFault = 'refused' | 'unreachable' | 'lost before' | 'lost after';

/** What the next calls of a store run into. */
export class Weather {
  readonly #faults: CommitFault[] = [];
  readonly #held: { readonly release: () => void }[] = [];
  #holdNext = false;
  /** `ready` fails this many times more. */
  unreadyFor = 0;
  /** Reads fail this many times more. */
  unreadableFor = 0;
  /** Calls that failed, on demand or because the database refused. */
  failures = 0;
  readonly #onFailure: () => void;

  constructor(onFailure: () => void) {
    this.#onFailure = onFailure;
  }

  fail(): void {
    this.failures += 1;
    this.#onFailure();
  }

  /** The next commit meets it, then the one after the next fault given. */
  fault(fault: CommitFault): void {
    this.#faults.push(fault);
  }

  /** The next commit waits until it is released. */
  hold(): void {
    this.#holdNext = true;
  }

  get isHolding(): boolean {
    return this.#held.length > 0;
  }

  release(): void {
    for (const { release } of this.#held.splice(0)) release();
  }

  /** What comes next is not held any more; what is held goes on. */
  calm(): void {
    this.#holdNext = false;
    this.release();
  }

  forgetFaults(): void {
    this.#faults.length = 0;
  }

  clear(): void {
    this.#faults.length = 0;
    this.#holdNext = false;
    this.unreadyFor = 0;
    this.unreadableFor = 0;
    this.release();
  }

  /** @throws Unreachable. */
  passReady(): void {
    if (this.unreadyFor === 0) return;
    this.unreadyFor -= 1;
    this.fail();
    throw new Unreachable('the simulated database is away');
  }

  /** @throws Error, as a read on a lost connection does. */
  passRead(): void {
    if (this.unreadableFor === 0) return;
    this.unreadableFor -= 1;
    this.fail();
    throw new Error('the simulated connection is lost');
  }

  takeFault(): CommitFault | undefined {
    return this.#faults.shift();
  }

  async passHold(): Promise<void> {
    if (!this.#holdNext) return;
    this.#holdNext = false;
    await new Promise<void>((release) => {
      this.#held.push({ release });
    });
  }
}

/** Rows of one page, few enough that a scenario needs several. */
const pageSize = 3;

export class MemoryStore implements Store {
  readonly #database: MemoryDatabase;
  readonly #weather: Weather;
  #epoch = 0;
  #isDead = false;

  constructor(database: MemoryDatabase, weather: Weather) {
    this.#database = database;
    this.#weather = weather;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** The process is gone: nothing more is written, and what is written can still be told apart for the record. */
  die(): void {
    this.#isDead = true;
  }

  async start(): Promise<void> {
    this.#database.epoch += 1;
    this.#epoch = this.#database.epoch;
  }

  async stop(): Promise<void> {}

  async ready(): Promise<void> {
    this.#weather.passReady();
    if (this.#database.epoch !== this.#epoch) throw new EpochOver(`engine epoch ${this.#epoch} is over`);
  }

  async commit(batch: Batch): Promise<void> {
    await this.#weather.passHold();
    if (this.#isDead) throw new EpochOver('the process is gone');
    try {
      this.#commit(batch);
    } catch (error) {
      this.#weather.fail();
      throw error;
    }
  }

  #commit(batch: Batch): void {
    switch (this.#weather.takeFault()) {
      case 'refused':
        throw new CommitRefused('refused on demand');
      case 'unreachable':
        throw new Unreachable('unreachable on demand');
      case 'lost before':
        throw new CommitUnknown('lost before it was written');
      case 'lost after':
        this.#database.write(this.#epoch, batch);
        throw new CommitUnknown('lost after it was written');
      case undefined:
        this.#database.write(this.#epoch, batch);
    }
  }

  async has(batchId: string): Promise<boolean> {
    this.#weather.passRead();
    return this.#database.has(batchId);
  }

  async readAccounts(userIds: readonly string[]): Promise<readonly StoredAccount[]> {
    this.#weather.passRead();
    const { users, wallets, positions, orders } = this.#database;
    return [...new Set(userIds)].flatMap((userId) => {
      const user = users.get(userId);
      if (!user) return [];
      const wallet = wallets.get(userId) ?? emptyWallet(userId);
      wallets.set(userId, wallet);
      return [
        {
          wallet,
          restricted: user.restricted,
          positions: [...positions.values()].filter((row) => row.userId === userId && row.closing === null),
          orders: [...orders.values()].filter((row) => row.userId === userId && row.status === 'NEW'),
        },
      ];
    });
  }

  async readPositions(named: readonly Named[]): Promise<readonly Position[]> {
    this.#weather.passRead();
    return found(this.#database.positions, named);
  }

  async readOrders(named: readonly Named[]): Promise<readonly Order[]> {
    this.#weather.passRead();
    return found(this.#database.orders, named);
  }

  async readAnswers(
    named: readonly { readonly ownerId: string; readonly clientId: string }[],
  ): Promise<
    readonly { readonly ownerId: string; readonly clientId: string; readonly stored: StoredAnswer }[]
  > {
    this.#weather.passRead();
    return named.flatMap(({ ownerId, clientId }) => {
      const stored = this.#database.answers.get(answerKey(ownerId, clientId));
      return stored ? [{ ownerId, clientId, stored }] : [];
    });
  }

  async readWaiting(from: string | null): Promise<WaitingPage> {
    this.#weather.passRead();
    const { positions, orders } = this.#database;
    const waiting = [
      ...[...positions.values()].filter(({ closing }) => closing === null),
      ...[...orders.values()].filter(({ status }) => status === 'NEW'),
    ]
      .filter(({ id }) => from === null || id >= from)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    const page = new Set(waiting.slice(0, pageSize).map(({ id }) => id));
    return {
      positions: [...positions.values()].filter(({ id }) => page.has(id)),
      orders: [...orders.values()].filter(({ id }) => page.has(id)),
      next: waiting[pageSize]?.id ?? null,
    };
  }
}

function found<Row extends { readonly id: string; readonly userId: string }>(
  table: ReadonlyMap<string, Row>,
  named: readonly Named[],
): Row[] {
  const ids = new Set<string>();
  return named.flatMap(({ id, userId }) => {
    const row = table.get(id);
    if (row?.userId !== userId || ids.has(id)) return [];
    ids.add(id);
    return [row];
  });
}

const emptyWallet = (userId: string): Wallet => ({
  id: `wallet-of-${userId}`,
  userId,
  available: 0n as Wallet['available'],
  margin: 0n as Wallet['margin'],
  orderMargin: 0n as Wallet['orderMargin'],
  version: 0,
});
