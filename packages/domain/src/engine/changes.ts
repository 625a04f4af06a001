/**
 * Collects the changes of one decision. Invariants by construction: the wallet equals the sum of the booked entries.
 * Two changes of one row become one with the last state, and its version rises by one.
 */
import { asMoney, type Money } from '../money.ts';
import type { ChallengeVerdict } from '../programs/challenge.ts';
import type { Context } from './commands.ts';
import type {
  AmendedTransaction,
  Effects,
  Execution,
  LedgerEntry,
  LedgerGroup,
  LedgerKind,
  Notification,
  NotificationKind,
  OrderChange,
  PositionChange,
  Transaction,
} from './effects.ts';
import type { Fill } from './executions.ts';
import type { Order, Position, Wallet } from './types.ts';

/** The fields of a change of a position or an order; this class adds the versions and the time. */
type Unversioned<Row> = Omit<Row, 'version' | 'accountVersion' | 'updatedAt'>;

export class Changes {
  readonly #context: Pick<Context, 'now' | 'newId' | 'market'>;
  readonly #version: number;
  #wallet: Wallet;
  readonly #positions = new Map<string, PositionChange>();
  readonly #orders = new Map<string, OrderChange>();
  readonly #executions: Execution[] = [];
  readonly #ledger: LedgerGroup[] = [];
  readonly #transactions: Transaction[] = [];
  readonly #amended: AmendedTransaction[] = [];
  readonly #notifications: Notification[] = [];
  #leverage: Effects['leverage'] = null;
  #restricted: boolean | null = null;
  #verdict: ChallengeVerdict | null = null;
  #deletes = false;

  constructor(wallet: Wallet, context: Pick<Context, 'now' | 'newId' | 'market'>) {
    this.#context = context;
    this.#version = wallet.version + 1;
    this.#wallet = { ...wallet, version: this.#version };
  }

  /** The wallet so far. May be negative in the middle of a decision; `assertSound` checks the end. */
  get wallet(): Wallet {
    return this.#wallet;
  }

  /**
   * Books one group without its zero entries and updates the wallet. `sourceId` names the cause; null makes the group
   * its own cause (A12). Returns the group's id, null when nothing moved.
   */
  book(kind: LedgerKind, sourceId: string | null, entries: readonly LedgerEntry[]): string | null {
    const moving = entries.filter(({ amount }) => amount !== 0n);
    if (moving.length === 0) return null;
    const moved = (account: LedgerEntry['account']): bigint =>
      moving.reduce((sum, entry) => (entry.account === account ? sum + entry.amount : sum), 0n);
    const { available, margin, orderMargin } = this.#wallet;
    this.#wallet = {
      ...this.#wallet,
      available: asMoney(available + moved('user:cash')),
      margin: asMoney(margin + moved('user:margin')),
      orderMargin: asMoney(orderMargin + moved('user:order_margin')),
    };
    const id = this.#context.newId();
    this.#ledger.push({ id, kind, sourceId: sourceId ?? id, entries: moving });
    return id;
  }

  /** A line of the history that shows the ledger group of that id. Does nothing for a group that moved nothing. */
  addTransaction(
    type: Transaction['type'],
    amount: Money,
    description: string,
    groupId: string | null,
  ): void {
    if (groupId !== null) this.#transactions.push({ id: groupId, type, amount, description });
  }

  /** Sets the amount of the line of a closed position (A11). */
  amendTransaction(positionId: string, amount: Money): void {
    this.#amended.push({ positionId, amount });
  }

  addExecution(fill: Fill, about: Omit<Execution, keyof Fill | 'id' | 'accountId' | 'marketSource'>): void {
    const { accountId } = this.#wallet;
    const marketSource = this.#context.market.quote(about.symbol)?.source ?? null;
    this.#executions.push({ ...fill, ...about, id: this.#context.newId(), accountId, marketSource });
  }

  /** The state of the position in this decision so far. */
  latest(position: Position): Position {
    return this.#positions.get(position.id)?.after ?? position;
  }

  latestOrder(order: Order): Order {
    return this.#orders.get(order.id)?.after ?? order;
  }

  /** The next state of `before`, or a new position. */
  setPosition(before: Position | null, next: Unversioned<Position>): Position {
    const changed = this.#positions.get(next.id);
    const first = changed ? changed.before : before;
    const after: Position = {
      ...next,
      updatedAt: this.#context.now,
      version: (first?.version ?? 0) + 1,
      accountVersion: this.#version,
    };
    this.#positions.set(next.id, { before: first, after });
    return after;
  }

  /** The next state of `before`, or a new order. */
  setOrder(before: Order | null, next: Unversioned<Order>): Order {
    const changed = this.#orders.get(next.id);
    const first = changed ? changed.before : before;
    const after: Order = {
      ...next,
      updatedAt: this.#context.now,
      version: (first?.version ?? 0) + 1,
      accountVersion: this.#version,
    };
    this.#orders.set(next.id, { before: first, after });
    return after;
  }

  notify(kind: NotificationKind, about: Partial<Omit<Notification, 'id' | 'kind'>> = {}): void {
    this.#notifications.push({
      id: this.#context.newId(),
      kind,
      position: null,
      before: null,
      order: null,
      price: null,
      amount: null,
      ...about,
    });
  }

  setLeverage(symbol: string, leverage: number): void {
    this.#leverage = { symbol, leverage };
  }

  restrict(restricted: boolean): void {
    this.#restricted = restricted;
  }

  judge(verdict: ChallengeVerdict): void {
    this.#verdict = verdict;
  }

  deleteAccount(): void {
    this.#deletes = true;
  }

  effects(): Effects {
    return {
      wallet: this.#wallet,
      positions: [...this.#positions.values()],
      orders: [...this.#orders.values()],
      executions: this.#executions,
      ledger: this.#ledger,
      transactions: this.#transactions,
      amended: this.#amended,
      notifications: this.#notifications,
      leverage: this.#leverage,
      restricted: this.#restricted,
      verdict: this.#verdict,
      deletes: this.#deletes,
    };
  }
}
