/**
 * The engine's tables in memory. `write` does what `app.engine_write_v<n>` does: the same guards in the
 * same order, whole or not at all.
 *
 * Known limitation: values are stored as they are, so nothing proves that PostgreSQL's columns can hold them.
 */
import {
  type AccountTerms,
  type ChallengeState,
  type Execution,
  isWaiting,
  type Order,
  type Position,
  type StoredOwnLimits,
  type Transaction,
  type Wallet,
} from '@fulcrum/domain';
import { type LedgerRow, ledgerRowsOf } from '../../src/features/trading/engine/ledger-rows.ts';
import { allSlots, slotOf } from '../../src/features/trading/engine/slots.ts';
import {
  type AuditEntry,
  AuthorityLost,
  type Batch,
  CommitRefused,
  EpochExpired,
  RepeatedCommand,
  type StoredAnswer,
} from '../../src/features/trading/engine/store.ts';

export interface MemoryUser {
  readonly id: string;
  readonly role: 'trader' | 'manager' | 'admin';
  managerId: string | null;
  restricted: boolean;
}

export interface MemoryAccount {
  readonly ownerId: string;
  /** Null: those of main accounts. */
  readonly terms: AccountTerms | null;
  isArchived: boolean;
}

/** One entry of the ledger, and the batch that wrote it. */
export interface WrittenRow extends LedgerRow {
  readonly batchId: string;
  readonly at: number;
}

export interface WrittenBatch extends Batch {
  readonly epoch: number;
}

export interface TransactionRow extends Omit<Transaction, 'amount'> {
  readonly accountId: string;
  amount: bigint;
}

export interface NotificationRow {
  readonly id: string;
  readonly accountId: string;
  readonly kind: string;
  readonly positionId: string | null;
  readonly orderId: string | null;
}

/** The owner's id holds no blank. */
export const answerKey = (ownerId: string, clientId: string): string => `${ownerId} ${clientId}`;
const refused = (why: string): never => {
  throw new CommitRefused(why);
};

/** The tables. Outlives engines and their stores. */
export class MemoryDatabase {
  /** The starts of engines; those that were not ended. */
  #starts = 0;
  readonly #living = new Set<number>();
  /** The engine of each slot, by its epoch; 0 of a free one. */
  readonly #engines = allSlots.map(() => 0);
  readonly users = new Map<string, MemoryUser>();
  readonly accounts = new Map<string, MemoryAccount>();
  /** Of accounts that are gone, too. */
  readonly #userOf = new Map<string, string>();
  /** Versions of accounts that were made past their engine: an archiving, limits of the owner. */
  readonly changedOutside = new Map<string, number[]>();
  readonly wallets = new Map<string, Wallet>();
  readonly positions = new Map<string, Position>();
  readonly orders = new Map<string, Order>();
  /** In the order of the fills. */
  executions: (Execution & { readonly at: number })[] = [];
  /** Of accounts with net positions, by account and symbol. */
  readonly leverages = new Map<string, ReadonlyMap<string, number>>();
  /** Live ones that executions name, by symbol and id. */
  readonly quotedBooks = new Map<string, WrittenBatch['quotedBooks'][number]>();
  readonly ledger: WrittenRow[] = [];
  readonly transactions = new Map<string, TransactionRow>();
  readonly notifications = new Map<string, NotificationRow>();
  /** Of accounts in challenges: where their days began, and their peaks. */
  readonly challengeStates = new Map<string, ChallengeState>();
  readonly verdicts = new Map<string, WrittenBatch['verdicts'][number]>();
  readonly ownLimits = new Map<string, StoredOwnLimits>();
  readonly snapshots: { readonly accountId: string; readonly at: number; readonly equity: bigint }[] = [];
  /** The newest of each account. */
  readonly equity = new Map<
    string,
    { readonly at: number; readonly balance: bigint; readonly equity: bigint }
  >();
  readonly answers = new Map<string, StoredAnswer>();
  readonly audits: (AuditEntry & { readonly batchId: string })[] = [];
  readonly batches: WrittenBatch[] = [];
  readonly #written = new Set<string>();

  addUser(user: MemoryUser): void {
    this.users.set(user.id, user);
    this.addAccount(user.id, { ownerId: user.id, terms: null, isArchived: false });
  }

  addAccount(accountId: string, account: MemoryAccount): void {
    this.accounts.set(accountId, account);
    this.#userOf.set(accountId, account.ownerId);
  }

  /** The main account first. */
  accountIdsOf(ownerId: string): string[] {
    return [...this.accounts].flatMap(([id, account]) => (account.ownerId === ownerId ? [id] : []));
  }

  isMain(accountId: string): boolean {
    return this.#userOf.get(accountId) === accountId;
  }

  userOf(accountId: string): string | undefined {
    return this.#userOf.get(accountId);
  }

  /** False when it is no practice account that is still in use, or something of it is open. */
  archive(accountId: string): boolean {
    const account = this.accounts.get(accountId);
    const wallet = this.wallets.get(accountId);
    if (!account || !wallet || account.isArchived || this.isMain(accountId)) return false;
    const isOpen =
      [...this.positions.values()].some((row) => row.accountId === accountId && row.closing === null) ||
      [...this.orders.values()].some((row) => row.accountId === accountId && isWaiting(row.status));
    if (isOpen) return false;
    account.isArchived = true;
    this.#changeOutside(wallet);
    return true;
  }

  /** As its owner sets them; false for an account that is gone or archived. */
  setOwnLimits(accountId: string, limits: StoredOwnLimits): boolean {
    const account = this.accounts.get(accountId);
    const wallet = this.wallets.get(accountId);
    if (!account || !wallet || account.isArchived) return false;
    this.ownLimits.set(accountId, limits);
    this.#changeOutside(wallet);
    return true;
  }

  #changeOutside(wallet: Wallet): void {
    const { accountId, version } = wallet;
    this.wallets.set(accountId, { ...wallet, version: version + 1 });
    this.changedOutside.set(accountId, [...(this.changedOutside.get(accountId) ?? []), version + 1]);
  }

  /** Begins an engine, which owns no slot; returns its epoch. */
  begin(): number {
    this.#starts += 1;
    this.#living.add(this.#starts);
    return this.#starts;
  }

  /** Ends the engine, and frees its slots. */
  end(epoch: number): void {
    this.#living.delete(epoch);
    for (const slot of this.slotsOf(epoch)) this.#engines[slot] = 0;
  }

  isLiving(epoch: number): boolean {
    return this.#living.has(epoch);
  }

  /** The slots of that engine; of 0 the free ones. */
  slotsOf(epoch: number): number[] {
    return allSlots.filter((slot) => this.#engines[slot] === epoch);
  }

  /** The epoch of the engine that owns the account; 0 while none does. */
  ownerOf(accountId: string): number {
    return this.#engines[slotOf(accountId)] ?? 0;
  }

  /** @throws EpochExpired. */
  requireLiving(epoch: number): void {
    if (!this.#living.has(epoch)) throw new EpochExpired(`engine epoch ${epoch} is over`);
  }

  /** All of them or none. @throws EpochExpired, CommitRefused. */
  take(epoch: number, slots: readonly number[]): void {
    this.requireLiving(epoch);
    const isFree = (slot: number): boolean => this.#engines[slot] === 0 || this.#engines[slot] === epoch;
    if (!slots.every(isFree)) refused('a slot of another engine');
    for (const slot of slots) this.#engines[slot] = epoch;
  }

  /** @throws EpochExpired. */
  give(epoch: number, slots: readonly number[]): void {
    this.requireLiving(epoch);
    for (const slot of slots) if (this.#engines[slot] === epoch) this.#engines[slot] = 0;
  }

  has(batchId: string): boolean {
    return this.#written.has(batchId);
  }

  /** All or nothing. @throws CommitRefused, RepeatedCommand, AuthorityLost, EpochExpired. */
  write(epoch: number, batch: Batch): void {
    this.#checkFence(epoch, batch);
    this.#checkAuthority(batch);
    this.#checkWallets(batch);
    this.#checkPositions(batch);
    this.#checkOrders(batch);
    this.#checkLedger(batch);
    this.#checkRest(batch);
    this.#apply({ ...batch, epoch });
  }

  #checkFence(epoch: number, { wallets }: Batch): void {
    this.requireLiving(epoch);
    for (const { after } of wallets) {
      if (this.ownerOf(after.accountId) === epoch) continue;
      throw new EpochExpired(`slot ${slotOf(after.accountId)} is not of engine epoch ${epoch}`);
    }
  }

  #checkAuthority({ audits }: Batch): void {
    for (const { actorId, subjectId, authority } of audits) {
      if (authority === null) continue;
      const actor = actorId === null ? undefined : this.users.get(actorId);
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
      const stored = this.wallets.get(after.accountId);
      if (!stored || stored.version !== before.version || seen.has(after.accountId)) {
        refused(`wallet of ${after.accountId} changed meanwhile`);
      }
      seen.add(after.accountId);
      if (after.available < 0n || after.margin < 0n || after.orderMargin < 0n) refused('a negative balance');
    }
  }

  #checkPositions({ positions }: Batch): void {
    const seen = new Set<string>();
    for (const { after } of positions) {
      const stored = this.positions.get(after.id);
      if (seen.has(after.id)) refused(`position ${after.id} twice`);
      seen.add(after.id);
      if (!this.accounts.has(after.accountId)) refused(`no account of position ${after.id}`);
      if (after.margin < 0n || after.size <= 0n || after.entryPrice <= 0n || after.liquidationPrice <= 0n) {
        refused(`no position: ${after.id}`);
      }
      if (!stored) continue;
      const mayFollow =
        stored.accountId === after.accountId &&
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
      if (!this.accounts.has(after.accountId)) refused(`no account of order ${after.id}`);
      const isSound =
        after.reserved >= 0n &&
        after.size > 0n &&
        (after.type === 'MARKET' || after.price !== null) &&
        (after.status === 'REJECTED') === (after.rejection !== null) &&
        after.filledSize > 0n === (after.positionId !== null) &&
        after.filledSize <= after.size &&
        (after.status === 'FILLED') === (after.filledSize === after.size) &&
        (after.rules === 'perpetual' || after.filledSize === 0n || after.status === 'FILLED') &&
        (isWaiting(after.status) || after.reserved === 0n);
      if (!isSound) refused(`no order: ${after.id}`);
      if (!stored) continue;
      const mayFollow =
        stored.accountId === after.accountId && stored.version < after.version && isWaiting(stored.status);
      if (!mayFollow) refused(`order ${after.id} changed meanwhile`);
    }
  }

  #checkLedger({ ledger, transactions }: Batch): void {
    for (const { group } of ledger) {
      if (group.entries.reduce((sum, { amount }) => sum + amount, 0n) !== 0n) refused('a group off balance');
    }
    for (const { transaction } of transactions) {
      if (this.transactions.has(transaction.id)) refused('a transaction twice');
    }
  }

  #checkRest({ id, answers, amended, deletions, verdicts }: Batch): void {
    const seen = new Set<string>();
    for (const { key } of answers) {
      const name = answerKey(key.ownerId, key.clientId);
      if (this.answers.has(name) || seen.has(name)) throw new RepeatedCommand(name);
      seen.add(name);
      if (!this.accounts.has(key.ownerId)) refused(`no account of the answer ${name}`);
    }
    for (const { positionId } of amended) {
      if (!this.#closingLine(positionId)) refused('no line of an edited position');
    }
    for (const { accountId } of verdicts) {
      const account = this.accounts.get(accountId);
      const isOfOne = account?.terms?.limits?.setBy === 'challenge' && !account.isArchived;
      if (!isOfOne) refused('a verdict on no account in a challenge');
    }
    for (const userId of deletions) if (!this.users.has(userId)) refused(`no user ${userId}`);
    if (this.#written.has(id)) refused('a batch twice');
  }

  #closingLine(positionId: string): TransactionRow | undefined {
    const group = this.ledger.find(({ kind, sourceId }) => kind === 'close' && sourceId === positionId);
    const line = group && this.transactions.get(group.groupId);
    return line?.type === 'position_closed' ? line : undefined;
  }

  #apply(batch: WrittenBatch): void {
    const { id: batchId, at } = batch;
    for (const { after } of batch.wallets) this.wallets.set(after.accountId, after);
    for (const { after } of batch.positions) {
      const stored = this.positions.get(after.id);
      // Columns that an update does not change.
      const { symbol, rules, feeRate, splitFrom } = stored ?? after;
      this.positions.set(after.id, { ...after, symbol, rules, feeRate, splitFrom, updatedAt: at });
    }
    for (const { after } of batch.orders) {
      const stored = this.orders.get(after.id) ?? after;
      // Columns that an update changes.
      const { price, size, status, rejection, reserved, positionId, version, accountVersion } = after;
      const { filledSize, filledValue } = after;
      this.orders.set(after.id, {
        ...{ ...stored, price, size, status, rejection, reserved, positionId, version, accountVersion },
        ...{ filledSize, filledValue, updatedAt: at },
      });
    }
    this.executions.push(...batch.executions);
    for (const book of batch.quotedBooks) this.quotedBooks.set(`${book.symbol} ${book.quoteId}`, book);
    for (const { accountId, symbol, leverage } of batch.leverages)
      this.leverages.set(accountId, new Map([...(this.leverages.get(accountId) ?? []), [symbol, leverage]]));
    for (const { accountId, group } of batch.ledger) {
      for (const row of ledgerRowsOf(accountId, group)) this.ledger.push({ ...row, batchId, at });
    }
    for (const { wallet, transaction } of batch.transactions) {
      this.transactions.set(transaction.id, { ...transaction, accountId: wallet.accountId });
    }
    for (const { accountId, notification } of batch.notifications) {
      const { id, kind, position, order } = notification;
      const about = { positionId: position?.id ?? null, orderId: order?.id ?? null };
      this.notifications.set(id, { id, accountId, kind, ...about });
    }
    for (const { accountId, balance, equity } of batch.equity) {
      this.equity.set(accountId, { at, balance, equity });
      this.snapshots.push({ accountId, at, equity });
    }
    for (const verdict of batch.verdicts) {
      this.verdicts.set(verdict.accountId, verdict);
      const account = this.accounts.get(verdict.accountId);
      if (account) account.isArchived = true;
    }
    for (const { key, answer } of batch.answers) {
      const stored = { bodyHash: key.bodyHash, answer };
      this.answers.set(answerKey(key.ownerId, key.clientId), stored);
    }
    for (const audit of batch.audits) this.audits.push({ ...audit, batchId });
    for (const { accountId, restricted } of batch.restrictions) {
      const user = this.users.get(accountId);
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

  /** A73: the ledger, the audit log and the history stay. */
  #delete(userId: string): void {
    for (const accountId of this.accountIdsOf(userId)) {
      this.accounts.delete(accountId);
      this.wallets.delete(accountId);
      this.equity.delete(accountId);
      this.leverages.delete(accountId);
      for (const table of [this.positions, this.orders, this.notifications]) {
        for (const [id, row] of table) if (row.accountId === accountId) table.delete(id);
      }
      this.executions = this.executions.filter((row) => row.accountId !== accountId);
      for (const key of this.answers.keys()) if (key.startsWith(`${accountId} `)) this.answers.delete(key);
    }
    this.users.delete(userId);
  }
}
