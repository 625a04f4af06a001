/**
 * Decides, writes and answers one batch at a time. Invariants: nothing is answered or announced before it is committed; memory takes
 * over what is committed; the next batch is sent to the store before the last one is answered.
 */
import { InvariantViolation, isWaiting } from '@fulcrum/domain';
import { announcementsOf } from './announcements.ts';
import { batchOf } from './batch.ts';
import type { DecidedBatch } from './batch-decision.ts';
import type { Challenges } from './challenges.ts';
import type { Crossings } from './crossings.ts';
import type { EngineParts } from './dependencies.ts';
import type { Failures } from './failures.ts';
import { isCrossing, type QueueItem } from './queue.ts';
import type { Recovery } from './recovery.ts';
import { OutcomeUnknown, SlotMoved } from './router-errors.ts';
import { settleRequests } from './settlement.ts';
import { CommitUnknown, EpochExpired, HaltInForce, RepeatedCommand } from './store.ts';

interface BatchRunnerDependencies
  extends Pick<
    EngineParts,
    | 'accounts'
    | 'answers'
    | 'bus'
    | 'commandLog'
    | 'decider'
    | 'inTransit'
    | 'lifecycle'
    | 'log'
    | 'observer'
    | 'store'
  > {
  readonly crossings: Crossings;
  readonly challenges: Challenges;
  readonly failures: Failures;
  readonly recovery: Recovery;
}

export class BatchRunner {
  readonly #deps: BatchRunnerDependencies;
  readonly #counts = { batches: 0, commands: 0, crossings: 0 };
  #crossingsInWork = 0;
  #unanswered = 0;

  constructor(deps: BatchRunnerDependencies) {
    this.#deps = deps;
  }

  /** Since the start. */
  get counts(): { readonly batches: number; readonly commands: number; readonly crossings: number } {
    return this.#counts;
  }

  /** Crossings of the batch that is being decided and written. */
  get crossingsInWork(): number {
    return this.#crossingsInWork;
  }

  /** Committed batches whose commands are not answered yet. */
  get unanswered(): number {
    return this.#unanswered;
  }

  /** Every command of the batch is answered when this resolves; it never rejects. */
  async run(batch: readonly QueueItem[]): Promise<void> {
    this.#crossingsInWork = batch.filter(isCrossing).length;
    try {
      await this.#process(batch, 'at once');
    } catch (error) {
      this.#deps.failures.failUnreachable(batch, [], error as Error);
    }
    this.#crossingsInWork = 0;
  }

  async #processEach(batch: readonly QueueItem[]): Promise<void> {
    for (const [i, waiting] of batch.entries()) {
      try {
        await this.#process([waiting], 'alone');
      } catch (error) {
        if (this.#deps.failures.failUnreachable([waiting], batch.slice(i + 1), error as Error)) return;
      }
    }
  }

  /**
   * `at once` assumes that no client id is a repeat, which the commit itself checks. `looked up` is the second try
   * after a repeat. `alone` is that of a single command after its batch failed otherwise, so that it fails for its
   * own reason.
   */
  async #process(batch: readonly QueueItem[], attempt: 'at once' | 'looked up' | 'alone'): Promise<void> {
    if (this.#deps.lifecycle.halted !== null) throw this.#deps.lifecycle.haltedError();
    const { store } = this.#deps;
    await store.ready();
    const committed = this.#deps.observer.begin();
    let decided: DecidedBatch | null = null;
    this.#deps.challenges.passDay();
    try {
      decided = await this.#deps.decider.decide(batch, attempt !== 'at once');
      this.#recheckArmed(decided);
      // At the prices of the decision: after the next line they may differ.
      const written = decided.applied.length > 0 ? batchOf(decided) : null;
      // A refusal may be the repeat of a committed command: a second close, an order that spent the balance.
      await this.#deps.answers.lookUp(decided.refused.flatMap(({ request: { key } }) => key ?? []));
      if (written) await store.commit(written);
    } catch (error) {
      this.#deps.decider.abandon(batch, decided?.drafts ?? []);
      if (
        error instanceof EpochExpired ||
        error instanceof HaltInForce ||
        error instanceof InvariantViolation
      )
        throw error;
      if (decided && error instanceof CommitUnknown && (await this.#isWritten(decided.id))) {
        // Recorded before the next read, which shows its result.
        this.#record(decided);
        await this.#deps.recovery.run();
        committed(decided);
        return this.#finish(decided);
      }
      if (attempt === 'at once' && error instanceof RepeatedCommand) return this.#process(batch, 'looked up');
      if (attempt === 'alone') throw error;
      this.#deps.log.warn(
        { err: error, size: batch.length },
        'batch not written; retrying each command alone',
      );
      return this.#processEach(batch);
    }
    this.#deps.accounts.takeOver(decided.drafts);
    this.#deps.decider.confirm(decided.drafts);
    this.#deps.accounts.evictIdle();
    this.#record(decided);
    if (decided.applied.length > 0) committed(decided);
    this.#finish(decided);
  }

  /**
   * After a lost connection, once no session can still be writing: the batch's own row shows whether it is committed.
   * @throws OutcomeUnknown
   */
  async #isWritten(batchId: string): Promise<boolean> {
    const { store } = this.#deps;
    try {
      await store.ready();
      return await store.isWritten(batchId);
    } catch (cause) {
      throw new OutcomeUnknown(cause);
    }
  }

  /**
   * Newly armed triggers may be reached already: a limit order at a better price, a protection that a gap jumped
   * over, an order that a tick did not fill and a later one would while it was in the queue.
   */
  #recheckArmed({ at, market, drafts, rearmed }: DecidedBatch): void {
    const symbols = new Set(rearmed);
    for (const draft of drafts) {
      for (const { after } of draft.changedPositions) if (!after.closing) symbols.add(after.symbol);
      for (const { after } of draft.changedOrders) if (isWaiting(after.status)) symbols.add(after.symbol);
    }
    for (const symbol of symbols) this.#deps.crossings.check(symbol, market, at);
    if (this.#deps.lifecycle.isTrading()) this.#deps.challenges.recheck(drafts, market, at);
  }

  #record({ recorded }: DecidedBatch): void {
    for (const entry of recorded) this.#deps.commandLog?.(entry);
  }

  /** The work after a commit. Answering a full batch takes a while, so the next batch is sent to the store first. */
  #finish(decided: DecidedBatch): void {
    const { inTransit, lifecycle } = this.#deps;
    if (decided.inTransit.length > 0) {
      inTransit.add(decided.inTransit);
      // It may have stopped or been halted while the batch was written.
      if (lifecycle.phase === 'stopped') inTransit.reject(() => new SlotMoved());
      else if (lifecycle.halted !== null) inTransit.reject(() => lifecycle.haltedError());
      else
        inTransit.reject(
          () => new SlotMoved(),
          ({ request }) => !lifecycle.owns(request.origin.accountId),
        );
    }
    this.#unanswered += 1;
    setImmediate(() => {
      this.#answer(decided);
      this.#unanswered -= 1;
    });
  }

  /** Answers every command, then announces the changes. */
  #answer(decided: DecidedBatch): void {
    const { applied } = decided;
    settleRequests(decided, this.#deps.answers);
    if (applied.length === 0) return;
    this.#counts.batches += 1;
    this.#counts.commands += applied.length;
    this.#counts.crossings += applied.filter(({ waiting }) => isCrossing(waiting)).length;
    this.#deps.bus.publish('account.changed', { changes: announcementsOf(decided) });
    for (const { wallet, isEnded } of decided.drafts)
      if (isEnded) this.#deps.bus.publish('account.archived', { accountId: wallet.accountId });
  }
}
