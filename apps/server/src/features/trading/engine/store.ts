/**
 * What the engine needs of a database, and nothing else: PostgreSQL in production (`postgres-store.ts`), memory with failures on
 * demand in the simulator. Invariant of every implementation: a batch is written whole or not at all, and only while no
 * later engine has started.
 */
import type {
  LedgerGroup,
  Money,
  Notification,
  Order,
  OrderChange,
  Position,
  PositionChange,
  Transaction,
  Wallet,
} from '@fulcrum/domain';

/** The store refused the batch: nothing of it is written. */
export class CommitRefused extends Error {
  override readonly name: string = 'CommitRefused';
}
/** A client id of the batch has a stored answer already. */
export class RepeatedCommand extends CommitRefused {
  override readonly name = 'RepeatedCommand';
}
/** Somebody who gave a staff command of the batch is not (or no longer) staff of that account. */
export class AuthorityLost extends CommitRefused {
  override readonly name = 'AuthorityLost';
}
/** The connection broke: the batch is written or not, and only `has` can tell. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown';
}
/** The store, or the lock in it, was not to be had within the limit. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}
/** Another engine has started on this store; this one must never write again. */
export class EpochOver extends Error {
  override readonly name = 'EpochOver';
}

/** A client-made id of a command. `ownerId` is who made it: the trader, or the staff member of a staff command. */
export interface IdempotencyKey {
  readonly ownerId: string;
  readonly clientId: string;
  readonly procedure: string;
  /** SHA-256 of procedure and body, hex. */
  readonly bodyHash: string;
}

/** An answer as it is stored: a row in its wire form. */
export type Answer = Readonly<Record<string, unknown>>;
export interface StoredAnswer {
  readonly bodyHash: string;
  readonly answer: Answer;
}

/** Whose right a staff command needs: the account's own manager or an admin, or an admin. */
export type Authority = 'assigned' | 'admin';

/** What somebody did to an account that is not their own. */
export interface WrittenAudit {
  readonly actorId: string;
  /** The owner, as whom the actor acted (A45); null for staff in their own name. */
  readonly onBehalfOf: string | null;
  readonly subjectId: string;
  readonly action: string;
  /** The position, order or line of funds that it was about. */
  readonly objectId: string | null;
  /** Of the request that gave the command. */
  readonly requestId: string | null;
  readonly reason: string | null;
  readonly detail: Answer;
  /** Proven again by the commit; null while acting as the owner, whose rights they are. */
  readonly authority: Authority | null;
}

/** What the batch adds to the counters of its day; USDT. */
export interface Totals {
  /** Entry price × size of what was opened, and what edits changed of it (A75). */
  readonly volume: Money;
  readonly opened: number;
  readonly closed: number;
  readonly realizedPnl: Money;
  readonly deposits: Money;
  /** Zero or negative (A10). */
  readonly withdrawals: Money;
  readonly fees: Money;
  readonly balance: Money;
}

/** One decided batch. */
export interface Batch {
  readonly id: string;
  /** Milliseconds since the epoch: the time of every row. */
  readonly at: number;
  /** Commands that changed something. */
  readonly commands: number;
  /** One per account. */
  readonly wallets: readonly { readonly before: Wallet; readonly after: Wallet }[];
  /** One per position: `before` as it is stored (null for a new one), `after` as the batch leaves it. */
  readonly positions: readonly PositionChange[];
  /** One per order, likewise. */
  readonly orders: readonly OrderChange[];
  readonly ledger: readonly { readonly userId: string; readonly group: LedgerGroup }[];
  readonly transactions: readonly { readonly wallet: Wallet; readonly transaction: Transaction }[];
  readonly notifications: readonly {
    readonly userId: string;
    readonly notification: Notification;
    readonly message: string;
  }[];
  /** Accounts that closed something or were given or taken funds, as the batch leaves them (A108). */
  readonly equity: readonly { readonly userId: string; readonly balance: Money; readonly equity: Money }[];
  readonly amended: readonly {
    readonly userId: string;
    readonly positionId: string;
    readonly amount: Money;
  }[];
  readonly restrictions: readonly { readonly userId: string; readonly restricted: boolean }[];
  /** Users to be removed with everything but the books. */
  readonly deletions: readonly string[];
  readonly answers: readonly { readonly key: IdempotencyKey; readonly answer: Answer }[];
  readonly audits: readonly WrittenAudit[];
  readonly totals: Totals;
}

/** An account as it is stored: its open positions and its orders that wait. */
export interface StoredAccount {
  readonly wallet: Wallet;
  readonly restricted: boolean;
  readonly positions: readonly Position[];
  readonly orders: readonly Order[];
}

/** One row of an account, named by its id. */
export interface Named {
  readonly userId: string;
  readonly id: string;
}

/** A page of what waits for a price, of all accounts, by id. */
export interface WaitingPage {
  readonly positions: readonly Position[];
  readonly orders: readonly Order[];
  /** Where the next page starts; null after the last. */
  readonly next: string | null;
}

export interface Store {
  readonly epoch: number;
  /** Becomes the one engine of this store. @throws StartError when another one runs. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Makes sure that there is a connection that may write. @throws EpochOver, Unreachable. */
  ready(): Promise<void>;
  /** @throws CommitRefused, RepeatedCommand, AuthorityLost, CommitUnknown, EpochOver, Unreachable. */
  commit(batch: Batch): Promise<void>;
  /** Whether the batch is written; call after `ready`. */
  has(batchId: string): Promise<boolean>;
  /** Accounts by user id; a user without a wallet gets one (RULE-26), an unknown user is left out. */
  readAccounts(userIds: readonly string[]): Promise<readonly StoredAccount[]>;
  /** Of these rows those that exist and belong to that user, open or not. */
  readPositions(named: readonly Named[]): Promise<readonly Position[]>;
  readOrders(named: readonly Named[]): Promise<readonly Order[]>;
  readAnswers(
    named: readonly { readonly ownerId: string; readonly clientId: string }[],
  ): Promise<
    readonly { readonly ownerId: string; readonly clientId: string; readonly stored: StoredAnswer }[]
  >;
  /** From the start with null. */
  readWaiting(from: string | null): Promise<WaitingPage>;
}
