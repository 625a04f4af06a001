/**
 * The one queue of all changes of the accounts in its slots: commands of clients and crossings of ticks. Everything that waits while a
 * batch is being written forms the next batch. The domain decides it in memory, one statement writes it, and each
 * command gets its own outcome after the commit. No decision uses outdated state, so a second close, a click against
 * a stop loss or a repeated id needs no lock.
 *
 * Invariants: the engine answers and announces nothing before it is committed; memory holds the committed state;
 * decisions are armed before the next tick. A decision that breaks an invariant is not written and halts trading,
 * with its reason in `state()`, until it is resumed. Clock, randomness and timers come from outside.
 */
import { busy } from '@fulcrum/contract';
import {
  asPrice,
  type Command,
  InvariantViolation,
  isWaiting,
  type MarketView,
  type RuleSetName,
} from '@fulcrum/domain';
import type { Bus } from '../../../platform/bus/index.ts';
import { currentRequestId, outsideRequests } from '../../../platform/request/index.ts';
import type { Judgement } from '../triggers/equity-book.ts';
import { TriggerRegistry } from '../triggers/registry.ts';
import type { Trigger } from '../triggers/trigger-index.ts';
import { toRowChange } from '../wire.ts';
import { AccountCache } from './account-cache.ts';
import { announcementsOf } from './announcements.ts';
import { AnswerCache } from './answer-cache.ts';
import { type Arming, armPage, armWaiting } from './arm-waiting.ts';
import { batchOf } from './batch.ts';
import { Challenges } from './challenges.ts';
import { walletColumns } from './columns/wallet.ts';
import { type DecidedBatch, Decider, type DeciderDependencies, type InTransit } from './decider.ts';
import { crossedInGap, type Waiting } from './gap.ts';
import { type Halt, type HaltCause, haltedError, isMoreSevere, toHalt } from './halt.ts';
import type { EngineLimits } from './limits.ts';
import { type EngineObserver, noObserver } from './observer.ts';
import { accountIdOf, type CommandOrigin, isCrossing, Queue, type QueueItem } from './queue.ts';
import type { RecentTicks } from './recent-ticks.ts';
import { OutcomeUnknown, SlotMoved } from './router-errors.ts';
import { settleRequests, toClientError } from './settlement.ts';
import { allSlots, slotOf } from './slots.ts';
import {
  type Answer,
  CommitUnknown,
  EpochExpired,
  HaltInForce,
  type IdempotencyKey,
  RepeatedCommand,
  type Store,
  type StoredAccount,
  StoreUnreachable,
} from './store.ts';

export type { CommandOrigin } from './queue.ts';

/** Accounts that one recovery reads after a failure. */
const recoveryBatchMax = 1_000;

export interface EngineDependencies extends DeciderDependencies {
  /** Of main accounts: nothing of theirs may wait under other ones (A01). */
  readonly rules: RuleSetName;
  readonly store: Store;
  readonly bus: Bus;
  readonly limits: EngineLimits;
  readonly observer?: EngineObserver;
  /**
   * In a cluster: whether the engine may still believe that it lives. Otherwise it takes no command and fires no trigger. Without it the
   * engine believes so until a commit is refused.
   */
  readonly lease?: { isHeld(): boolean };
  /** In a cluster: what the process saw lately, for slots that had no engine meanwhile. */
  readonly recentTicks?: RecentTicks;
  /** The engine has halted by itself: a broken invariant, its end, or a halt that its commit met. */
  readonly onHalt?: (cause: HaltCause, reason: string) => void;
}

export interface EngineState {
  /** Why trading is halted (`Halt.reason`); null while it is not. */
  readonly halted: string | null;
  readonly haltCause: HaltCause | null;
  /** ISO 8601 UTC. */
  readonly haltedAt: string | null;
  readonly running: boolean;
  readonly epoch: number;
  /** Commands and crossings. */
  readonly queued: number;
  /** In memory: accounts, their open positions, their waiting orders. */
  readonly accounts: number;
  readonly positions: number;
  readonly orders: number;
  /** Armed prices, of all accounts. */
  readonly armed: number;
  /** Accounts to read again after a failed batch. */
  readonly staleAccounts: number;
  /** Since the start; `commands` changed something, `crossings` are those of them that ticks caused. */
  readonly batches: number;
  readonly commands: number;
  readonly crossings: number;
}

/** Why a batch failed whose outcome could not be read. */
const causeOf = (error: unknown): unknown => (error instanceof OutcomeUnknown ? error.cause : error);

/** A trailing stop is followed to its best price, whatever the tick. */
const toCrossing = (trigger: Trigger, tick: bigint, crossedAt: number): QueueItem => ({
  trigger,
  price: asPrice(trigger.kind === 'follow' ? trigger.price : tick),
  crossedAt,
});

export class Engine {
  readonly #deps: EngineDependencies;
  readonly #observer: EngineObserver;
  readonly #accounts: AccountCache;
  readonly #answers: AnswerCache;
  readonly #triggers: TriggerRegistry;
  readonly #decider: Decider;
  readonly #challenges: Challenges;
  readonly #queue = new Queue();
  /** Trades whose latency is not over, the earliest first; a crash forgets them, and nobody was answered. */
  #inTransit: readonly InTransit[] = [];
  #pumping: Promise<void> | undefined;
  /** Committed batches whose commands are not answered yet. */
  #unanswered = 0;
  /** Crossings of the batch that is being decided and written. */
  #crossingsInWork = 0;
  #settledWaiters: (() => void)[] = [];
  /** Accounts that were written past this engine, to be read again between two batches. */
  readonly #writtenOutside = new Set<string>();
  #mayCacheBeStale: boolean = false;
  /** Slots whose commands are accepted and whose prices are checked. */
  readonly #slots = new Set<number>();
  /** What is done between two batches, in order. */
  readonly #interludes: (() => Promise<void>)[] = [];
  /** Whether the next iteration reads stale accounts again. */
  #isRecoveryDue: boolean = false;
  #phase: 'starting' | 'running' | 'stopped' = 'starting';
  #halted: Halt | null = null;
  #batches = 0;
  #commands = 0;
  #crossings = 0;

  constructor(deps: EngineDependencies) {
    this.#deps = deps;
    this.#observer = deps.observer ?? noObserver;
    this.#accounts = new AccountCache(deps.store, deps.limits);
    this.#answers = new AnswerCache(deps.store);
    this.#triggers = new TriggerRegistry((symbol) => deps.marketAt(deps.clock.now()).pair(symbol)?.type);
    const memory = { accounts: this.#accounts, answers: this.#answers, triggers: this.#triggers };
    this.#decider = new Decider(deps, memory);
    this.#challenges = new Challenges({
      ...deps,
      equity: this.#triggers.equity,
      isTrading: () => this.#isTrading(),
      enqueue: (judgements) => this.#judge(judgements),
      betweenBatches: (work) => this.#betweenBatches(work),
      servedSlots: () => [...this.#slots],
      reload: (accountIds) => this.reload(accountIds),
    });
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
    this.#phase = 'running';
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
    for (const slot of slots) this.#slots.add(slot);
  }

  /**
   * Arms the next page of what waits in those of these slots that are still served, between two batches, so that no decision is older
   * than what is armed. Returns where the next page starts; null after the last, when the caller sweeps. After a failure it may be repeated.
   */
  armNext(slots: readonly number[], from: string | null): Promise<string | null> {
    return this.#betweenBatches(async () => {
      const served = slots.filter((slot) => this.#slots.has(slot));
      if (served.length === 0) return null;
      const foreign = { positions: 0, orders: 0 };
      const { next, ...waiting } = await armPage(this.#arming, served, from, foreign);
      this.#showGap(waiting);
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
    if (this.#isTrading()) this.#writeFollowed(this.#deps.clock.now());
    for (const slot of leaving) this.#slots.delete(slot);
    this.#rejectInTransit(
      () => new SlotMoved(),
      ({ request }) => leaving.has(slotOf(request.origin.accountId)),
    );
    let isFree = false;
    while (!isFree) {
      isFree = await this.#betweenBatches(async () => {
        if (this.#queue.holds(leaving)) return false;
        await this.#deps.store.ready();
        if (this.#halted?.cause !== 'epoch')
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
    if (this.#isTrading()) this.#writeFollowed(this.#deps.clock.now());
    this.#phase = 'stopped';
    this.#rejectInTransit(() => new SlotMoved());
    this.#notifySettled();
    await this.idle();
    if (this.#halted?.cause !== 'epoch')
      await this.#challenges
        .handOver(() => true)
        .catch((error: unknown) =>
          this.#deps.log.warn({ err: error }, 'the last peaks of challenges were not written'),
        );
    await this.#deps.store.stop();
  }

  /** Resolves when nothing waits and everything that was committed is answered and announced. */
  async idle(): Promise<void> {
    while (this.#pumping || this.#unanswered > 0) {
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
    return this.#slots.has(slot);
  }

  /** The slots whose commands it takes now. */
  servedSlots(): number[] {
    return this.#isRunning() && this.#halted?.cause !== 'epoch' ? [...this.#slots] : [];
  }

  state(): EngineState {
    return {
      halted: this.#halted?.reason ?? null,
      haltCause: this.#halted?.cause ?? null,
      haltedAt: this.#halted && new Date(this.#halted.at).toISOString(),
      running: this.#phase === 'running',
      epoch: this.#deps.store.epoch,
      queued: this.#queue.length,
      ...this.#accounts.size,
      armed: this.#triggers.size,
      staleAccounts: this.#triggers.staleAccounts.size,
      batches: this.#batches,
      commands: this.#commands,
      crossings: this.#crossings,
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
    if (!isMoreSevere(cause, this.#halted)) return;
    this.#halted = { cause, reason, at: this.#deps.clock.now() };
    const isExpected = cause === 'staff' || (cause === 'epoch' && this.#deps.lease !== undefined);
    this.#deps.log[isExpected ? 'warn' : 'fatal']({ cause, reason }, 'trading is halted');
    this.#rejectInTransit(() => this.#haltedError());
    for (const waiting of this.#queue.drain()) {
      // The trigger is neither armed nor decided now: it is armed again when trading resumes.
      if (isCrossing(waiting)) this.#triggers.markStale(accountIdOf(waiting));
      else waiting.reject(this.#haltedError());
    }
    this.#notifySettled();
  }

  /** Resumes with the stored state, at the current prices. False where this engine can never write again. */
  async resume(): Promise<boolean> {
    // Memory may forget accounts only between two batches, because a batch holds drafts of them.
    await this.idle();
    if (this.#halted?.cause === 'epoch') return false;
    if (this.#halted?.cause === 'ledger') this.#accounts.forgetAll();
    if (this.#halted !== null) this.#deps.log.warn('trading is resumed');
    this.#halted = null;
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
      if (this.#halted !== null) return reject(this.#haltedError());
      if (!this.#isRunning() || !this.#owns(origin.accountId)) return reject(new SlotMoved());
      const { queue, queuePerUser } = this.#deps.limits;
      const inTransit = this.#inTransit.filter(({ request }) => request.origin.ownerId === origin.ownerId);
      const isFull =
        this.#queue.requests + this.#inTransit.length >= queue ||
        this.#queue.requestsOf(origin.ownerId) + inTransit.length >= queuePerUser;
      if (isFull) return reject(busy());
      this.#queue.push({ origin, command, key, requestId: currentRequestId(), until, resolve, reject });
      this.#start();
    });
  }

  /** Handles a new price of this symbol: its crossings join the queue. */
  tick(symbol: string): void {
    const now = this.#deps.clock.now();
    const market = this.#deps.marketAt(now);
    this.#checkCrossings(symbol, market, now);
    this.#challenges.tick(symbol, market, now);
    this.checkDue();
  }

  /** Whatever waited for an instant that has come joins the queue. The caller calls it as often as orders may be late. */
  checkDue(): void {
    if (!this.#isTrading()) return;
    const now = this.#deps.clock.now();
    const due = this.#triggers.takeDue(now, this.#capacity);
    for (const trigger of due) if (this.#owns(trigger.accountId)) this.#queue.push({ trigger });
    const arrived = this.#inTransit.filter(({ at }) => at <= now);
    if (arrived.length > 0) this.#inTransit = this.#inTransit.filter(({ at }) => at > now);
    for (const { request } of arrived) {
      if (this.#owns(request.origin.accountId)) this.#queue.push(request);
      else request.reject(new SlotMoved());
    }
    if (due.length + arrived.length > 0) this.#start();
  }

  /** Nothing of them has happened. */
  #rejectInTransit(error: () => Error, isConcerned: (trade: InTransit) => boolean = () => true): void {
    const [rejected, left] = [[] as InTransit[], [] as InTransit[]];
    for (const trade of this.#inTransit) (isConcerned(trade) ? rejected : left).push(trade);
    this.#inTransit = left;
    for (const { request } of rejected) request.reject(error());
  }

  /** Further crossings that may be queued. */
  get #capacity(): number {
    return this.#deps.limits.queuedCrossings - this.#queue.crossings;
  }

  /**
   * The caller calls it about once a second. Checks the current price of everything that waits, which finds crossings
   * without a tick (a reopened market, a newly armed trigger), and what holding positions costs. Also reads the
   * accounts again that a failure left stale.
   */
  sweep(): void {
    if (!this.#isTrading()) return;
    const now = this.#deps.clock.now();
    const market = this.#deps.marketAt(now);
    this.#triggers.wake(now);
    for (const symbol of this.#triggers.symbols) {
      this.#checkCrossings(symbol, market, now);
      this.#challenges.tick(symbol, market, now);
    }
    this.#challenges.sweep(market, now);
    this.checkDue();
    this.#writeFollowed(now);
    this.#checkCosts(market, now);
    if (this.#triggers.staleAccounts.size === 0) return;
    this.#isRecoveryDue = true;
    this.#start();
  }

  /** The best prices of trailing stops are written with the next batch. */
  #writeFollowed(now: number): void {
    const followed = this.#triggers.followed().slice(0, Math.max(0, this.#capacity));
    for (const trigger of followed) {
      if (this.#owns(trigger.accountId)) this.#queue.push(toCrossing(trigger, trigger.price, now));
    }
    if (followed.length > 0) this.#start();
  }

  /** Reads accounts again that were written past this engine, arms what waits there and announces their wallets. */
  reload(accountIds: Iterable<string>): void {
    for (const accountId of accountIds) {
      if (!this.#owns(accountId)) continue;
      this.#writtenOutside.add(accountId);
      this.#triggers.markStale(accountId);
    }
    if (!this.#isTrading() || this.#triggers.staleAccounts.size === 0) return;
    this.#isRecoveryDue = true;
    this.#start();
  }

  /** Forgets what is cached of all accounts between two batches: a message that one was written past this engine may have been lost. */
  forgetCached(): void {
    this.#mayCacheBeStale = true;
    this.#isRecoveryDue = true;
    if (this.#isTrading()) this.#start();
  }

  #owns(accountId: string): boolean {
    return this.#slots.has(slotOf(accountId));
  }

  #isSettling(): boolean {
    const crossings = this.#queue.crossings + this.#crossingsInWork;
    return this.#isTrading() && (crossings > 0 || this.#triggers.staleAccounts.size > 0);
  }

  #notifySettled(): void {
    if (this.#isSettling()) return;
    for (const resolve of this.#settledWaiters.splice(0)) resolve();
  }

  #isTrading(): boolean {
    return this.#isRunning() && this.#halted === null;
  }

  #isRunning(): boolean {
    return this.#phase === 'running' && this.#deps.lease?.isHeld() !== false;
  }

  /** In a cluster another engine goes on with the accounts of one that is over. */
  #haltedError(): Error {
    return this.#halted?.cause === 'epoch' && this.#deps.lease ? new SlotMoved() : haltedError();
  }

  /** Only a tradable price crosses: fresh, in an open market (A37, A98). */
  #checkCrossings(symbol: string, market: MarketView, now: number): void {
    if (!this.#isTrading()) return;
    const quote = market.quote(symbol);
    if (!quote || quote.stale || !quote.marketOpen) return;
    const { price } = quote;
    // Without room the next tick or sweep finds it, at the price of that time.
    const capacity = this.#capacity;
    if (capacity <= 0 || !this.#triggers.isCrossed(symbol, price)) return;
    for (const trigger of this.#triggers.take(symbol, price, capacity)) {
      // Of a slot that is given back, the next owner arms it.
      if (this.#owns(trigger.accountId)) this.#queue.push(toCrossing(trigger, price, now));
    }
    this.#deps.commandLog?.({ kind: 'tick', symbol, price, at: now });
    this.#start();
  }

  /** At most one of an account waits. */
  #judge(judgements: readonly Judgement[]): void {
    const owned = judgements.filter(({ trigger }) => this.#owns(trigger.accountId));
    for (const judgement of owned) this.#queue.push(judgement);
    if (owned.length > 0) this.#start();
  }

  /** What was crossed while the slot had no engine joins the queue at that price; without room the present price decides. */
  #showGap(waiting: Waiting): void {
    const { recentTicks, clock, marketAt, commandLog } = this.#deps;
    if (!recentTicks || !this.#isTrading()) return;
    const now = clock.now();
    const market = marketAt(now);
    const typeOf = (symbol: string) => market.pair(symbol)?.type;
    const { crossings, followed } = crossedInGap(waiting, recentTicks.at(now), typeOf);
    for (const { trigger, price, at } of crossings.slice(0, Math.max(0, this.#capacity))) {
      commandLog?.({ kind: 'tick', symbol: trigger.symbol, price, at });
      this.#queue.push(toCrossing(trigger, price, at));
    }
    for (const trigger of followed.slice(0, Math.max(0, this.#capacity)))
      this.#queue.push(toCrossing(trigger, trigger.price, now));
    if (crossings.length + followed.length > 0) this.#start();
  }

  /** A price that is held or missing is none to book at: what is due then waits for it (A110). */
  #checkCosts(market: MarketView, now: number): void {
    const capacity = this.#capacity;
    if (capacity <= 0) return;
    const hasPrice = (symbol: string): boolean => market.quote(symbol)?.held === false;
    const due = this.#triggers.costs.take(now, hasPrice, capacity);
    for (const trigger of due) if (this.#owns(trigger.accountId)) this.#queue.push({ trigger });
    if (due.length > 0) this.#start();
  }

  #start(): void {
    this.#pumping ??= outsideRequests(() => this.#pump());
  }

  /** Runs `work` while nothing is decided or written. @throws what it throws, busy once the engine has stopped */
  #betweenBatches<T>(work: () => Promise<T>): Promise<T> {
    if (this.#phase === 'stopped') return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      this.#interludes.push(() =>
        work().then(resolve, (error: unknown) => {
          this.#haltOn(error);
          reject(error);
        }),
      );
      this.#start();
    });
  }

  #hasWork(): boolean {
    return this.#queue.length > 0 || this.#isRecoveryDue || this.#interludes.length > 0;
  }

  async #pump(): Promise<void> {
    // Requests that arrived together join the first batch.
    await new Promise(setImmediate);
    do {
      while (this.#hasWork()) {
        await this.#interludes.shift()?.();
        // Between two batches: under a load that never lets the queue run empty, accounts would otherwise stay stale.
        if (this.#isRecoveryDue) await this.#recover();
        this.#notifySettled();
        if (this.#queue.length > 0) await this.#processBatch(this.#queue.take(this.#deps.limits));
      }
      // The last batch is answered in between.
      await new Promise(setImmediate);
    } while (this.#hasWork());
    this.#pumping = undefined;
  }

  /**
   * Reads a limited number of stale accounts again, which arms them; the others follow after the next batch. An
   * account that cannot be read stays stale until the next sweep.
   */
  async #recover(): Promise<void> {
    this.#isRecoveryDue = false;
    // Between two batches nothing holds a draft of them.
    if (this.#mayCacheBeStale) this.#accounts.forgetAll();
    else this.#accounts.forget(this.#writtenOutside);
    this.#mayCacheBeStale = false;
    this.#writtenOutside.clear();
    const accountIds = new Set([...this.#triggers.staleAccounts].slice(0, recoveryBatchMax));
    // One in memory would not be read, and only a read arms it: a halt takes crossings out of the queue.
    this.#accounts.forget(accountIds);
    try {
      await this.#deps.store.ready();
      this.#announceReloaded(await this.#decider.load(accountIds));
      for (const accountId of accountIds) this.#triggers.clearStale(accountId);
      this.#accounts.evictIdle();
      this.#isRecoveryDue = this.#isTrading() && this.#triggers.staleAccounts.size > 0;
    } catch (error) {
      this.#deps.log.warn({ err: error, accounts: accountIds.size }, 'accounts could not be read again');
      this.#haltOn(error);
      if (error instanceof StoreUnreachable) this.#fail(this.#queue.drain(), error);
    }
  }

  /**
   * A batch of unknown fate may be committed: a client with an older version of the wallet detects the gap by this
   * announcement.
   */
  #announceReloaded(accounts: readonly StoredAccount[]): void {
    if (accounts.length === 0) return;
    const at = this.#deps.clock.now();
    const changes = accounts.map(({ ownerId, wallet }) => ({
      ...toRowChange('wallets', walletColumns.toWire(wallet, at), 'UPDATE', at),
      isOfOtherAccount: ownerId !== wallet.accountId,
    }));
    this.#deps.bus.publish('account.changed', { changes });
  }

  /** Every command of the batch is answered when this resolves; it never rejects. */
  async #processBatch(batch: readonly QueueItem[]): Promise<void> {
    this.#crossingsInWork = batch.filter(isCrossing).length;
    try {
      await this.#process(batch, 'at once');
    } catch (error) {
      this.#failUnreachable(batch, [], error as Error);
    }
    this.#crossingsInWork = 0;
    this.#notifySettled();
  }

  async #processEach(batch: readonly QueueItem[]): Promise<void> {
    for (const [i, waiting] of batch.entries()) {
      try {
        await this.#process([waiting], 'alone');
      } catch (error) {
        if (this.#failUnreachable([waiting], batch.slice(i + 1), error as Error)) return;
      }
    }
  }

  /**
   * Without the store every other command would wait out the same limit: what waits behind it has not been tried, and fails with it. False for
   * another error.
   */
  #failUnreachable(tried: readonly QueueItem[], behind: readonly QueueItem[], error: Error): boolean {
    this.#fail(tried, error);
    const cause = causeOf(error);
    if (!(cause instanceof StoreUnreachable)) return false;
    const untried = [...behind, ...this.#queue.drain()];
    if (untried.length > 0) this.#fail(untried, cause);
    return true;
  }

  #haltOn(error: unknown): void {
    const halt = toHalt(causeOf(error));
    if (!halt) return;
    this.halt(halt.cause, halt.reason);
    this.#deps.onHalt?.(halt.cause, halt.reason);
  }

  #fail(batch: readonly QueueItem[], error: Error): void {
    this.#decider.abandon(batch, []);
    this.#haltOn(error);
    if (this.#halted === null) this.#deps.log.error({ err: error }, 'commands failed');
    const answer = this.#answerTo(error);
    for (const waiting of batch) if (!isCrossing(waiting)) waiting.reject(answer);
  }

  #answerTo(error: Error): Error {
    if (error instanceof OutcomeUnknown && (this.#halted === null || this.#deps.lease)) return error;
    return this.#halted === null ? toClientError(error) : this.#haltedError();
  }

  /**
   * `at once` assumes that no client id is a repeat, which the commit itself checks. `looked up` is the second try
   * after a repeat. `alone` is that of a single command after its batch failed otherwise, so that it fails for its
   * own reason.
   */
  async #process(batch: readonly QueueItem[], attempt: 'at once' | 'looked up' | 'alone'): Promise<void> {
    if (this.#halted !== null) throw this.#haltedError();
    const { store } = this.#deps;
    await store.ready();
    const committed = this.#observer.begin();
    let decided: DecidedBatch | null = null;
    this.#challenges.passDay();
    try {
      decided = await this.#decider.decide(batch, attempt !== 'at once');
      this.#recheckArmed(decided);
      // At the prices of the decision: after the next line they may differ.
      const written = decided.applied.length > 0 ? batchOf(decided) : null;
      // A refusal may be the repeat of a committed command: a second close, an order that spent the balance.
      await this.#answers.lookUp(decided.refused.flatMap(({ request: { key } }) => key ?? []));
      if (written) await store.commit(written);
    } catch (error) {
      this.#decider.abandon(batch, decided?.drafts ?? []);
      if (
        error instanceof EpochExpired ||
        error instanceof HaltInForce ||
        error instanceof InvariantViolation
      )
        throw error;
      if (decided && error instanceof CommitUnknown && (await this.#isWritten(decided.id))) {
        // Recorded before the next read, which shows its result.
        this.#record(decided);
        await this.#recover();
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
    this.#accounts.takeOver(decided.drafts);
    this.#decider.confirm(decided.drafts);
    this.#accounts.evictIdle();
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
    for (const symbol of symbols) this.#checkCrossings(symbol, market, at);
    if (this.#isTrading()) this.#challenges.recheck(drafts, market, at);
  }

  #record({ recorded }: DecidedBatch): void {
    for (const entry of recorded) this.#deps.commandLog?.(entry);
  }

  /** The work after a commit. Answering a full batch takes a while, so the next batch is sent to the store first. */
  #finish(decided: DecidedBatch): void {
    if (decided.inTransit.length > 0) {
      this.#inTransit = [...this.#inTransit, ...decided.inTransit];
      // It may have stopped or been halted while the batch was written.
      if (this.#phase === 'stopped') this.#rejectInTransit(() => new SlotMoved());
      else if (this.#halted !== null) this.#rejectInTransit(() => this.#haltedError());
      else
        this.#rejectInTransit(
          () => new SlotMoved(),
          ({ request }) => !this.#owns(request.origin.accountId),
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
    settleRequests(decided, this.#answers);
    if (applied.length === 0) return;
    this.#batches += 1;
    this.#commands += applied.length;
    this.#crossings += applied.filter(({ waiting }) => isCrossing(waiting)).length;
    this.#deps.bus.publish('account.changed', { changes: announcementsOf(decided) });
    for (const { wallet, isEnded } of decided.drafts)
      if (isEnded) this.#deps.bus.publish('account.archived', { accountId: wallet.accountId });
  }
}
