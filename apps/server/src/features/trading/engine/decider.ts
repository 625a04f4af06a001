/**
 * Loads what a batch needs, has it decided (`batch-decision.ts`) and keeps the triggers in step. Invariant: whatever the batch opens,
 * changes or closes is armed and disarmed as soon as it is decided.
 */
import { challengeDayOf, type MarketView, type Quote } from '@fulcrum/domain';
import type { TriggerRegistry } from '../triggers/registry.ts';
import type { AccountCache } from './account-cache.ts';
import type { AnswerCache } from './answer-cache.ts';
import {
  BatchDecision,
  concernsUser,
  type DecidedBatch,
  type DeciderDependencies,
} from './batch-decision.ts';
import type { Draft, NamedRows } from './draft.ts';
import { accountIdOf, isCrossing, isOfChallenge, type QueueItem } from './queue.ts';
import type { IdempotencyKey, RowReference, StoredAccount } from './store.ts';

export class Decider {
  readonly #deps: DeciderDependencies;
  readonly #accounts: AccountCache;
  readonly #answers: AnswerCache;
  readonly #triggers: TriggerRegistry;

  constructor(
    deps: DeciderDependencies,
    memory: { accounts: AccountCache; answers: AnswerCache; triggers: TriggerRegistry },
  ) {
    this.#deps = deps;
    this.#accounts = memory.accounts;
    this.#answers = memory.answers;
    this.#triggers = memory.triggers;
  }

  /**
   * Loads accounts, and reconciles the triggers of the stale ones with them. Resolves with the accounts that were not
   * in memory.
   */
  async load(accountIds: ReadonlySet<string>): Promise<readonly StoredAccount[]> {
    const read = await this.#accounts.load(accountIds, this.#deps.clock.now());
    if (read.length === 0) return read;
    for (const account of read) {
      this.#triggers.restore(account);
      this.#armChallenge(account);
    }
    this.#deps.commandLog?.({ kind: 'read', accounts: read, positions: [], orders: [] });
    return read;
  }

  #armChallenge(account: StoredAccount): void {
    const { accountId } = account.wallet;
    const challenge = account.isArchived ? null : account.terms.limits?.challenge;
    if (challenge) this.#triggers.equity.arm(account, challenge, this.#quoteOf());
    else this.#triggers.equity.disarm(accountId);
  }

  #quoteOf(): (symbol: string) => Quote | undefined {
    const market = this.#deps.marketAt(this.#deps.clock.now());
    return (symbol) => market.quote(symbol);
  }

  /** `readsAnswers`: whether client ids are looked up first; otherwise the commit detects repeats. */
  async decide(batch: readonly QueueItem[], readsAnswers: boolean): Promise<DecidedBatch> {
    const accountsOf = await this.#readAccountsOf(batch);
    await this.load(new Set([...batch.map(accountIdOf), ...[...accountsOf.values()].flat()]));
    const named = await this.#readNamed(batch);
    if (readsAnswers) await this.#answers.lookUp(keysOf(batch));
    const batchDecision = new BatchDecision(this.#deps, this.#accounts, this.#answers, named, accountsOf);
    const { equity } = this.#triggers;
    for (const waiting of batch) {
      if (!isCrossing(waiting)) batchDecision.decideRequest(waiting);
      else if (!isOfChallenge(waiting)) batchDecision.decideCrossing(waiting);
      else if (!equity.isVoid(waiting.command)) {
        const draft = batchDecision.draftOf(accountIdOf(waiting));
        const openedOn = draft && hasOpened(draft) ? challengeDayOf(batchDecision.at) : null;
        batchDecision.decideCrossing(waiting, equity.withOpenings(waiting, openedOn));
      }
    }
    const decided = batchDecision.finish();
    try {
      this.#updateTriggers(batch, decided, batchDecision);
    } catch (error) {
      this.abandon(batch, decided.drafts);
      throw error;
    }
    return decided;
  }

  /**
   * The batch is not written, or its fate is unknown. Memory forgets its accounts, which are reloaded when needed;
   * their triggers follow then or at the next sweep.
   */
  abandon(batch: readonly QueueItem[], drafts: readonly Draft[]): void {
    // A command about a user has drafts of further accounts than the one that it names.
    this.#accounts.forget([...batch.map(accountIdOf), ...drafts.map(({ wallet }) => wallet.accountId)]);
    for (const waiting of batch) if (isCrossing(waiting)) this.#triggers.markStale(accountIdOf(waiting));
    for (const draft of drafts) {
      for (const { after } of draft.changedPositions) this.#triggers.disarm(after.id);
      for (const { after } of draft.changedOrders) this.#triggers.suspend(after.id);
      this.#triggers.markStale(draft.wallet.accountId);
      this.#triggers.equity.abandon(draft.wallet.accountId);
    }
  }

  /** The batch is written. */
  confirm(drafts: readonly Draft[]): void {
    const { equity } = this.#triggers;
    for (const { wallet, isEnded, isDeleted } of drafts)
      if (isEnded || isDeleted) equity.disarm(wallet.accountId);
      else equity.confirm(wallet.accountId);
  }

  /** The accounts of the users that a command of the batch concerns, by user. */
  async #readAccountsOf(batch: readonly QueueItem[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const owners = batch.flatMap((waiting) =>
      !isCrossing(waiting) && concernsUser(waiting.command) ? [waiting.origin.ownerId] : [],
    );
    const read = [...new Set(owners)].map(
      async (ownerId) => [ownerId, await this.#accounts.idsOf(ownerId)] as const,
    );
    return new Map(await Promise.all(read));
  }

  /** Rows that clients name and memory does not hold. A crossing needs no such row: it is not open any more. */
  async #readNamed(batch: readonly QueueItem[]): Promise<NamedRows> {
    const positions: RowReference[] = [];
    const orders: RowReference[] = [];
    for (const waiting of batch) {
      if (isCrossing(waiting)) continue;
      const { command, origin } = waiting;
      if ('positionId' in command) positions.push({ accountId: origin.accountId, id: command.positionId });
      if ('orderId' in command) orders.push({ accountId: origin.accountId, id: command.orderId });
    }
    const named = await this.#accounts.readNamed(positions, orders);
    if (named.positions.size + named.orders.size > 0) {
      const [closed, final] = [[...named.positions.values()], [...named.orders.values()]];
      this.#deps.commandLog?.({ kind: 'read', accounts: [], positions: closed, orders: final });
    }
    return named;
  }

  /** Triggers follow the decisions; a trigger that was taken without a change is armed again. */
  #updateTriggers(
    batch: readonly QueueItem[],
    { at, drafts, market }: DecidedBatch,
    batchDecision: BatchDecision,
  ): void {
    for (const waiting of batch) {
      if (!isCrossing(waiting)) continue;
      const { id, accountId } = waiting.trigger;
      if (isOfChallenge(waiting)) {
        this.#triggers.equity.settle(waiting);
        continue;
      }
      const draft = batchDecision.draftOf(accountId);
      const position = draft?.position(id);
      const order = draft?.order(id);
      if (position) this.#triggers.arm(position);
      else if (order) this.#triggers.armOrder(order, batchDecision.nextCrossings.get(id));
      else this.#triggers.disarm(id);
    }
    for (const draft of drafts) {
      for (const { after } of draft.changedPositions) this.#triggers.arm(after);
      for (const { after } of draft.changedOrders) this.#triggers.armOrder(after);
      this.#followChallenge(draft, market, at);
    }
  }

  #followChallenge(draft: Draft, market: MarketView, at: number): void {
    const { equity } = this.#triggers;
    const { accountId } = draft.wallet;
    if (draft.isEnded || draft.isDeleted) equity.end(accountId);
    else if (equity.has(accountId)) {
      const entrant = { wallet: draft.wallet, positions: draft.openPositions() };
      equity.follow(entrant, hasOpened(draft), at, (symbol) => market.quote(symbol));
    }
  }
}

/** Whether the batch opened a position of the account. */
const hasOpened = ({ changedPositions }: Draft): boolean =>
  [...changedPositions].some(({ before, after }) => before === null && after.splitFrom === null);

const keysOf = (batch: readonly QueueItem[]): IdempotencyKey[] =>
  batch.flatMap((waiting) => (isCrossing(waiting) || !waiting.key ? [] : [waiting.key]));
