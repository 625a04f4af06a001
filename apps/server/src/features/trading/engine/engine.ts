/**
 * The one queue of all changes of the accounts in its slots: commands of clients and crossings of ticks (`crossings.ts`).
 * Everything that waits while a batch is being written forms the next batch. The domain decides it in memory, one
 * statement writes it, and each command gets its own outcome after the commit. No decision uses outdated state, so a
 * second close, a click against a stop loss or a repeated id needs no lock.
 *
 * Invariants: the engine answers and announces nothing before it is committed; memory holds the committed state;
 * decisions are armed before the next tick. A decision that breaks an invariant is not written and halts trading,
 * with its reason in `state()`, until it is resumed. Clock, randomness and timers come from outside.
 */
import { busy } from '@fulcrum/contract';
import type { Command } from '@fulcrum/domain';
import { currentRequestId, outsideRequests } from '../../../platform/request/index.ts';
import { TriggerRegistry } from '../triggers/registry.ts';
import { AccountCache } from './account-cache.ts';
import { AnswerCache } from './answer-cache.ts';
import { type Arming, armPage, armWaiting } from './arm-waiting.ts';
import { BatchRunner } from './batch-runner.ts';
import { Challenges } from './challenges.ts';
import { Crossings } from './crossings.ts';
import { Decider } from './decider.ts';
import type { EngineDependencies, EngineParts } from './dependencies.ts';
import { Failures } from './failures.ts';
import { type HaltCause, isMoreSevere } from './halt.ts';
import { Lifecycle } from './lifecycle.ts';
import { type EngineObserver, noObserver } from './observer.ts';
import { accountIdOf, type CommandOrigin, isCrossing, Queue } from './queue.ts';
import { Recovery } from './recovery.ts';
import { SlotMoved } from './router-errors.ts';
import { allSlots, slotOf } from './slots.ts';
import { type EngineState, haltState } from './state.ts';
import type { Answer, IdempotencyKey } from './store.ts';
import { TradesInTransit } from './trades-in-transit.ts';

export class Engine {
  readonly #deps: EngineDependencies;
  readonly #lifecycle: Lifecycle;
  readonly #observer: EngineObserver;
  readonly #accounts: AccountCache;
  readonly #triggers: TriggerRegistry;
  readonly #challenges: Challenges;
  readonly #queue = new Queue();
  readonly #inTransit = new TradesInTransit();
  readonly #crossings: Crossings;
  readonly #failures: Failures;
  readonly #recovery: Recovery;
  readonly #batchRunner: BatchRunner;
  #pumping: Promise<void> | undefined;
  #settledWaiters: (() => void)[] = [];
  /** What is done between two batches, in order. */
  readonly #interludes: (() => Promise<void>)[] = [];

  constructor(deps: EngineDependencies) {
    this.#deps = deps;
    this.#lifecycle = new Lifecycle(deps.lease);
    this.#observer = deps.observer ?? noObserver;
    this.#accounts = new AccountCache(deps.store, deps.limits);
    const answers = new AnswerCache(deps.store);
    this.#triggers = new TriggerRegistry((symbol) => deps.marketAt(deps.clock.now()).pair(symbol)?.type);
    const memory = { accounts: this.#accounts, answers, triggers: this.#triggers };
    const parts: EngineParts = {
      ...{ ...deps, ...memory, decider: new Decider(deps, memory), observer: this.#observer },
      ...{ lifecycle: this.#lifecycle, queue: this.#queue, inTransit: this.#inTransit },
      start: () => this.#start(),
    };
    this.#crossings = new Crossings(parts);
    this.#failures = new Failures({ ...parts, halt: (cause, reason) => this.halt(cause, reason) });
    this.#recovery = new Recovery({ ...parts, failures: this.#failures });
    this.#challenges = new Challenges({
      ...{ ...parts, crossings: this.#crossings, recovery: this.#recovery },
      betweenBatches: (work) => this.#betweenBatches(work),
    });
    this.#batchRunner = new BatchRunner({
      ...{ ...parts, crossings: this.#crossings, challenges: this.#challenges },
      ...{ failures: this.#failures, recovery: this.#recovery },
    });
  }

  /** A lane of a server alone is its engine. */
  get engine(): this {
    return this;
  }

  /**
   * Arms everything that waits in these slots, then checks every price once.
   * @throws StartError when another server runs on this store, or something waits under another rule set (A01).
   */
  async start(slots: readonly number[] = allSlots): Promise<void> {
    const { store } = this.#deps;
    await store.start();
    try {
      await this.#begin(slots);
    } catch (error) {
      await store.stop();
      throw error;
    }
    this.#lifecycle.start();
    this.sweep();
  }

  /** Takes free slots: arms everything that waits there, then serves their accounts. After a failure it may be repeated. */
  async take(slots: readonly number[]): Promise<void> {
    await this.#betweenBatches(async () => {
      await this.#deps.store.ready();
      await this.#begin(slots);
    });
    this.sweep();
  }

  /**
   * Serves slots that the store has as this engine's already: takes their commands at once. `armNext` arms what waits there.
   */
  serve(slots: readonly number[]): void {
    this.#lifecycle.addSlots(slots);
  }

  /**
   * Arms the next page of what waits in those of these slots that are still served, between two batches, so that no decision is older
   * than what is armed. Returns where the next page starts; null after the last, when the caller sweeps. After a failure it may be repeated.
   */
  armNext(slots: readonly number[], from: string | null): Promise<string | null> {
    return this.#betweenBatches(async () => {
      const served = slots.filter((slot) => this.#lifecycle.slots.has(slot));
      if (served.length === 0) return null;
      const foreign = { positions: 0, orders: 0 };
      const { next, ...waiting } = await armPage(this.#arming, served, from, foreign);
      this.#crossings.showGap(waiting);
      if (foreign.positions + foreign.orders > 0)
        this.#deps.log.error(foreign, 'what waits in taken slots follows another rule set');
      return next;
    });
  }

  /** Gets a lost connection back without waiting for a command that needs it. @throws as `Store.ready` */
  reconnect(): Promise<void> {
    return this.#betweenBatches(() => this.#deps.store.ready());
  }

  get #arming(): Arming {
    const { store, rules, clock, marketAt } = this.#deps;
    return { store, rules, triggers: this.#triggers, quote: marketAt(clock.now()).quote };
  }

  /**
   * Gives slots back. What waits for their accounts is finished first; from the call on new commands of them are refused as moved
   * and no price is checked. After a failure it may be repeated, or `take` serves them again.
   *
   * Known limitation: without `recentTicks`, a price that is reached only until another engine has taken the slot has no effect, as during
   * a restart.
   */
  async give(slots: readonly number[]): Promise<void> {
    const leaving = new Set(slots);
    if (this.#lifecycle.isTrading()) this.#crossings.writeFollowed(this.#deps.clock.now());
    this.#lifecycle.removeSlots(leaving);
    this.#inTransit.reject(
      () => new SlotMoved(),
      ({ request }) => leaving.has(slotOf(request.origin.accountId)),
    );
    let isFree = false;
    while (!isFree) {
      isFree = await this.#betweenBatches(async () => {
        if (this.#queue.holds(leaving)) return false;
        await this.#deps.store.ready();
        if (this.#lifecycle.halted?.cause !== 'epoch')
          await this.#challenges.handOver((accountId) => leaving.has(slotOf(accountId)));
        await this.#deps.store.give(slots);
        this.#triggers.forgetSlots(leaving);
        this.#accounts.forgetSlots(leaving);
        return true;
      });
    }
  }

  async #begin(slots: readonly number[]): Promise<void> {
    if (slots.length === 0) return;
    await this.#deps.store.take(slots);
    await armWaiting(this.#arming, slots);
    this.serve(slots);
  }

  /** Finishes the queue, then refuses commands. */
  async stop(): Promise<void> {
    if (this.#lifecycle.isTrading()) this.#crossings.writeFollowed(this.#deps.clock.now());
    this.#lifecycle.stop();
    this.#inTransit.reject(() => new SlotMoved());
    this.#notifySettled();
    await this.idle();
    if (this.#lifecycle.halted?.cause !== 'epoch')
      await this.#challenges
        .handOver(() => true)
        .catch((error: unknown) =>
          this.#deps.log.warn({ err: error }, 'the last peaks of challenges were not written'),
        );
    await this.#deps.store.stop();
  }

  /** Resolves when nothing waits and everything that was committed is answered and announced. */
  async idle(): Promise<void> {
    while (this.#pumping || this.#batchRunner.unanswered > 0) {
      await this.#pumping;
      await new Promise(setImmediate);
    }
  }

  /**
   * Resolves once all crossings are decided and written, and no account is unarmed after a failure. Null when that is
   * so already, or while the engine decides nothing at all. A replay waits for it before its time continues.
   */
  settled(): Promise<void> | null {
    if (!this.#isSettling()) return null;
    return new Promise((resolve) => this.#settledWaiters.push(resolve));
  }

  /** Whether it serves the slot; one that is halted or over still names its slots. */
  serves(slot: number): boolean {
    return this.#lifecycle.slots.has(slot);
  }

  /** The slots whose commands it takes now. */
  servedSlots(): number[] {
    return this.#lifecycle.isRunning() && this.#lifecycle.halted?.cause !== 'epoch'
      ? [...this.#lifecycle.slots]
      : [];
  }

  state(): EngineState {
    return {
      ...haltState(this.#lifecycle.halted),
      running: this.#lifecycle.phase === 'running',
      epoch: this.#deps.store.epoch,
      queued: this.#queue.length,
      ...this.#accounts.size,
      armed: this.#triggers.size,
      staleAccounts: this.#triggers.staleAccounts.size,
      ...this.#batchRunner.counts,
    };
  }

  /** Symbols of open positions and waiting orders; each of these waits for some price. */
  symbolsInUse(): ReadonlySet<string> {
    return new Set(this.#triggers.symbols);
  }

  /** Those of them that accounts with net positions have used; each trades on the book of its symbol. */
  bookedSymbols(): ReadonlySet<string> {
    return this.#triggers.bookedSymbols();
  }

  /**
   * Stops deciding: waiting and new commands are refused. Of several causes the gravest counts, and of one cause the
   * first. A batch that is being written may still be committed; `idle` resolves after it.
   */
  halt(cause: HaltCause, reason: string): void {
    if (!isMoreSevere(cause, this.#lifecycle.halted)) return;
    this.#lifecycle.halt({ cause, reason, at: this.#deps.clock.now() });
    const isExpected = cause === 'staff' || (cause === 'epoch' && this.#deps.lease !== undefined);
    this.#deps.log[isExpected ? 'warn' : 'fatal']({ cause, reason }, 'trading is halted');
    this.#inTransit.reject(() => this.#lifecycle.haltedError());
    for (const waiting of this.#queue.drain()) {
      // The trigger is neither armed nor decided now: it is armed again when trading resumes.
      if (isCrossing(waiting)) this.#triggers.markStale(accountIdOf(waiting));
      else waiting.reject(this.#lifecycle.haltedError());
    }
    this.#notifySettled();
  }

  /** Resumes with the stored state, at the current prices. False where this engine can never write again. */
  async resume(): Promise<boolean> {
    // Memory may forget accounts only between two batches, because a batch holds drafts of them.
    await this.idle();
    if (this.#lifecycle.halted?.cause === 'epoch') return false;
    if (this.#lifecycle.halted?.cause === 'ledger') this.#accounts.forgetAll();
    if (this.#lifecycle.halted !== null) this.#deps.log.warn('trading is resumed');
    this.#lifecycle.resume();
    // What was reached during the halt has no effect.
    this.#deps.recentTicks?.clear();
    this.sweep();
    return true;
  }

  /**
   * Resolves with the answer's row once the change is committed; rejects with an AppError when nothing changed. The
   * answer of a MARKET order is the placed order (A20). `until`: when the command is no longer wanted, milliseconds since the epoch.
   * @throws SlotMoved, CommandLate: not done; OutcomeUnknown
   */
  submit(
    origin: CommandOrigin,
    command: Command,
    key: IdempotencyKey | null,
    until: number | null = null,
  ): Promise<Answer> {
    return new Promise((resolve, settle) => {
      const reject = (error: Error) => {
        this.#observer.refused(error);
        settle(error);
      };
      if (this.#lifecycle.halted !== null) return reject(this.#lifecycle.haltedError());
      if (!this.#lifecycle.isRunning() || !this.#lifecycle.owns(origin.accountId))
        return reject(new SlotMoved());
      const { queue, queuePerUser } = this.#deps.limits;
      const isFull =
        this.#queue.requests + this.#inTransit.size >= queue ||
        this.#queue.requestsOf(origin.ownerId) + this.#inTransit.countOf(origin.ownerId) >= queuePerUser;
      if (isFull) return reject(busy());
      this.#queue.push({ origin, command, key, requestId: currentRequestId(), until, resolve, reject });
      this.#start();
    });
  }

  /** Handles a new price of this symbol: its crossings join the queue. */
  tick(symbol: string): void {
    const now = this.#deps.clock.now();
    const market = this.#deps.marketAt(now);
    this.#crossings.check(symbol, market, now);
    this.#challenges.tick(symbol, market, now);
    this.checkDue();
  }

  /** Whatever waited for an instant that has come joins the queue. The caller calls it as often as orders may be late. */
  checkDue(): void {
    this.#crossings.checkDue();
  }

  /**
   * The caller calls it about once a second. Checks the current price of everything that waits, which finds crossings
   * without a tick (a reopened market, a newly armed trigger), and what holding positions costs. Also reads the
   * accounts again that a failure left stale.
   */
  sweep(): void {
    if (!this.#lifecycle.isTrading()) return;
    const now = this.#deps.clock.now();
    const market = this.#deps.marketAt(now);
    this.#triggers.wake(now);
    for (const symbol of this.#triggers.symbols) {
      this.#crossings.check(symbol, market, now);
      this.#challenges.tick(symbol, market, now);
    }
    this.#challenges.sweep(market, now);
    this.checkDue();
    this.#crossings.writeFollowed(now);
    this.#crossings.checkCosts(market, now);
    this.#recovery.request();
  }

  /** Reads accounts again that were written past this engine, arms what waits there and announces their wallets. */
  reload(accountIds: Iterable<string>): void {
    this.#recovery.reload(accountIds);
  }

  /** Forgets what is cached of all accounts between two batches: a message that one was written past this engine may have been lost. */
  forgetCached(): void {
    this.#recovery.forgetCached();
  }

  #isSettling(): boolean {
    const crossings = this.#queue.crossings + this.#batchRunner.crossingsInWork;
    return this.#lifecycle.isTrading() && (crossings > 0 || this.#triggers.staleAccounts.size > 0);
  }

  #notifySettled(): void {
    if (this.#isSettling()) return;
    for (const resolve of this.#settledWaiters.splice(0)) resolve();
  }

  #start(): void {
    this.#pumping ??= outsideRequests(() => this.#pump());
  }

  /** Runs `work` while nothing is decided or written. @throws what it throws, busy once the engine has stopped */
  #betweenBatches<T>(work: () => Promise<T>): Promise<T> {
    if (this.#lifecycle.phase === 'stopped') return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      this.#interludes.push(() =>
        work().then(resolve, (error: unknown) => {
          this.#failures.haltOn(error);
          reject(error);
        }),
      );
      this.#start();
    });
  }

  #hasWork(): boolean {
    return this.#queue.length > 0 || this.#recovery.isDue || this.#interludes.length > 0;
  }

  async #pump(): Promise<void> {
    // Requests that arrived together join the first batch.
    await new Promise(setImmediate);
    do {
      while (this.#hasWork()) {
        await this.#interludes.shift()?.();
        // Between two batches: under a load that never lets the queue run empty, accounts would otherwise stay stale.
        if (this.#recovery.isDue) await this.#recovery.run();
        this.#notifySettled();
        if (this.#queue.length === 0) continue;
        await this.#batchRunner.run(this.#queue.take(this.#deps.limits));
        this.#notifySettled();
      }
      // The last batch is answered in between.
      await new Promise(setImmediate);
    } while (this.#hasWork());
    this.#pumping = undefined;
  }
}
