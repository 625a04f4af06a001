/**
 * The engine's interface to a database: PostgreSQL in production (`postgres-store.ts`), memory with failures on
 * demand in the simulator. Invariants of every implementation: a batch is written whole or not at all, and only while its engine
 * has not been ended, owns the slots of its accounts, and no halt is in force.
 */
import type { AuditAction } from '@fulcrum/contract';
import type {
  AccountTerms,
  ChallengeState,
  ChallengeVerdict,
  Execution,
  JudgeCommand,
  LedgerGroup,
  Money,
  Notification,
  Order,
  OrderChange,
  OwnStanding,
  OwnTrade,
  Position,
  PositionChange,
  QuotedBook,
  Transaction,
  Wallet,
} from '@fulcrum/domain';
import type { PriceNumber } from '../../market/index.ts';

/** The store refused the batch: nothing of it is written. */
export class CommitRefused extends Error {
  override readonly name: string = 'CommitRefused';
}
/** A client id of the batch has a stored answer already. */
export class RepeatedCommand extends CommitRefused {
  override readonly name = 'RepeatedCommand';
}
/** The actor of a staff command in the batch is not (or no longer) staff of that account. */
export class AuthorityLost extends CommitRefused {
  override readonly name = 'AuthorityLost';
}
/** The connection broke: the batch is written or not, and only `isWritten` can tell. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown';
}
/** The store, or its lock, was not available within the limit. */
export class StoreUnreachable extends Error {
  override readonly name: string = 'StoreUnreachable';
}
/**
 * The store answers and cannot write, for example because it is full. Nothing of the batch is written, and no other
 * batch would be.
 */
export class WritesRefused extends StoreUnreachable {
  override readonly name = 'WritesRefused';
}
/** Writing failed, possibly because of this batch alone. Nothing of it is written. */
export class CommitFailed extends Error {
  override readonly name = 'CommitFailed';
}
/** This engine was ended, or does not own the accounts that it writes; it must never write again. */
export class EpochExpired extends Error {
  override readonly name = 'EpochExpired';
}

/** Causes of a halt that is a row: it holds for every engine, and over restarts. */
export type StoredHaltCause = 'staff' | 'ledger';
/** A halt is in force: nothing of the batch is written. The message is its reason. */
export class HaltInForce extends Error {
  override readonly name = 'HaltInForce';
  readonly haltCause: StoredHaltCause;
  constructor(haltCause: StoredHaltCause, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.haltCause = haltCause;
  }
}

/** A client's id of a command. `ownerId` is its actor: the trader, or the staff member of a staff command. */
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

/** The right that a staff command needs: `assigned` is the account's own manager or an admin. */
export type Authority = 'assigned' | 'admin';

/** An action on another user's account. */
export interface AuditEntry {
  /** Null for the server itself. */
  readonly actorId: string | null;
  /** The owner whom the actor impersonated (A45); null for staff in their own name. */
  readonly onBehalfOf: string | null;
  readonly subjectId: string;
  readonly action: AuditAction;
  /** The position, order or line of funds that the action changed. */
  readonly objectId: string | null;
  /** The request of the command. */
  readonly requestId: string | null;
  readonly reason: string | null;
  readonly detail: Answer;
  /** The commit checks it again; null during impersonation, which has the owner's rights. */
  readonly authority: Authority | null;
}

/** What decided the challenge of an account, and when. */
export interface VerdictEntry {
  readonly accountId: string;
  readonly verdict: ChallengeVerdict;
  /** The marks at the instant of the verdict. */
  readonly marks: JudgeCommand['marks'];
}

/** The amounts that the batch adds to the counters of its day; USDT. */
export interface Totals {
  /** Entry price × size of opened positions, and its changes by edits (A75). */
  readonly volume: Money;
  readonly opened: number;
  readonly closed: number;
  readonly realizedPnl: Money;
  readonly deposits: Money;
  /** Zero or negative, because a withdrawal is stored with a minus sign (A10). */
  readonly withdrawals: Money;
  readonly fees: Money;
  readonly balance: Money;
}

/** A book that `get_book` answers for its id. */
export interface NamedBook extends Omit<QuotedBook, 'minuteVolume'> {
  readonly symbol: string;
}

/** One decided batch. */
export interface Batch {
  readonly id: string;
  /** Milliseconds since the epoch: the time of every row. */
  readonly at: number;
  /** The `priceNumber` of `DecidedBatch`. */
  readonly priceNumber: PriceNumber | null;
  /** Commands that changed something. */
  readonly commands: number;
  /** One per account. */
  readonly wallets: readonly { readonly before: Wallet; readonly after: Wallet }[];
  /** One per position: `before` is the stored state (null for a new one), `after` that of the batch's end. */
  readonly positions: readonly PositionChange[];
  /** One per order, likewise. */
  readonly orders: readonly OrderChange[];
  readonly executions: readonly (Execution & { readonly at: number })[];
  /** The live books that they name, each once: nothing computes them again. */
  readonly quotedBooks: readonly NamedBook[];
  readonly leverages: readonly {
    readonly accountId: string;
    readonly symbol: string;
    readonly leverage: number;
  }[];
  readonly ledger: readonly { readonly accountId: string; readonly group: LedgerGroup }[];
  readonly transactions: readonly { readonly wallet: Wallet; readonly transaction: Transaction }[];
  readonly notifications: readonly {
    readonly accountId: string;
    readonly notification: Notification;
    readonly message: string;
  }[];
  /** Accounts with a close or a change of funds, at the batch's end (A108). */
  readonly equity: readonly { readonly accountId: string; readonly balance: Money; readonly equity: Money }[];
  readonly amended: readonly {
    readonly accountId: string;
    readonly positionId: string;
    readonly amount: Money;
  }[];
  readonly restrictions: readonly { readonly accountId: string; readonly restricted: boolean }[];
  /** Users to be removed with everything except the ledger. */
  readonly deletions: readonly string[];
  readonly answers: readonly { readonly key: IdempotencyKey; readonly answer: Answer }[];
  readonly audits: readonly AuditEntry[];
  /** On accounts in challenges, which they end. */
  readonly verdicts: readonly VerdictEntry[];
  readonly totals: Totals;
}

/** What an account is, besides what it holds. It changes outside the engine only, together with the wallet's version. */
export interface AccountStanding {
  /** The user. Of a main account it is the account's own id (A112). */
  readonly ownerId: string;
  /** It can be read, and nothing of it changes any more. */
  readonly isArchived: boolean;
  readonly terms: AccountTerms;
}

/** A trade of an account with net positions, which bears on its next ones for a minute (A114). */
export interface AccountTrade extends OwnTrade {
  readonly symbol: string;
}

/** A stored account: its open positions and its waiting orders. */
export interface StoredAccount extends AccountStanding {
  readonly wallet: Wallet;
  readonly restricted: boolean;
  /** The limits that its owner has set, with the day so far; absent or null without any. */
  readonly own?: OwnStanding | null;
  readonly positions: readonly Position[];
  readonly orders: readonly Order[];
  /** By symbol; empty but in an account with net positions, as `trades`. */
  readonly leverages: ReadonlyMap<string, number>;
  /** Of the last two minutes at the most, the oldest first. */
  readonly trades: readonly AccountTrade[];
}

/** One row of an account, named by its id. */
export interface RowReference {
  readonly accountId: string;
  readonly id: string;
}

/** A page of what waits for a price, by id. */
export interface WaitingPage {
  readonly positions: readonly Position[];
  readonly orders: readonly Order[];
  /** Of the accounts on the page those that are no main account, whose rules are their own (A112). */
  readonly apart: ReadonlySet<string>;
  /** Accounts in challenges, whose equity may reach a limit. */
  readonly challenges?: readonly StoredAccount[];
  /** Where the next page starts; null after the last. */
  readonly next: string | null;
}

export interface Store {
  /** The number of this engine's start; a later start has a higher one. */
  readonly epoch: number;
  /** Begins this engine, which owns no slot yet. @throws StartError when another server runs. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Takes slots that no other engine owns. A repeat changes nothing. @throws CommitRefused, CommitUnknown, EpochExpired. */
  take(slots: readonly number[]): Promise<void>;
  /** Frees those of these slots that the engine owns, after its last batch of them. @throws CommitUnknown, EpochExpired. */
  give(slots: readonly number[]): Promise<void>;
  /** Ensures a connection that may write. @throws EpochExpired, Unreachable. */
  ready(): Promise<void>;
  /**
   * @throws CommitRefused, RepeatedCommand, AuthorityLost, CommitUnknown, CommitFailed, EpochExpired, HaltInForce, Unreachable,
   * WritesRefused.
   */
  commit(batch: Batch): Promise<void>;
  /** Whether the batch is written; call after `ready`. */
  isWritten(batchId: string): Promise<boolean>;
  /** Accounts by id; one without a wallet gets it (RULE-26), an unknown one is left out. `now`: whose day counts. */
  readAccounts(accountIds: readonly string[], now: number): Promise<readonly StoredAccount[]>;
  /** The accounts of a user by their ids, the main one first; none for an unknown one. */
  readAccountIds(ownerId: string): Promise<readonly string[]>;
  /** Of these rows those that exist and belong to that account, open or not. */
  readPositions(named: readonly RowReference[]): Promise<readonly Position[]>;
  readOrders(named: readonly RowReference[]): Promise<readonly Order[]>;
  readAnswers(
    named: readonly { readonly ownerId: string; readonly clientId: string }[],
  ): Promise<
    readonly { readonly ownerId: string; readonly clientId: string; readonly stored: StoredAnswer }[]
  >;
  /** Where days began and peaks of these accounts, as of `at`. @throws EpochExpired, CommitUnknown */
  writeChallenges(
    states: readonly { readonly accountId: string; readonly state: ChallengeState }[],
    at: number,
  ): Promise<void>;
  /** Accounts of these slots that are in a challenge which is not decided. */
  readChallengeIds(slots: readonly number[]): Promise<readonly string[]>;
  /** Of the accounts of these slots; from the start with null. */
  readWaiting(slots: readonly number[], from: string | null): Promise<WaitingPage>;
}
