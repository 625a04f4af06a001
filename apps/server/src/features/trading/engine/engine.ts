/**
 * The one queue through which every change of an account goes: commands of clients and what ticks crossed. What waits
 * while a batch is being written forms the next batch: it is decided in memory by the domain and written by one statement,
 * and each command is answered after the commit with its own outcome. Nothing is decided on a state that something else
 * has changed meanwhile, so a second close, a click against a stop loss or a repeated id needs no lock.
 *
 * Invariants: nothing is answered or announced before it is committed; memory holds what is committed; what was decided
 * is armed before the next tick; a decision that breaks an invariant is not written and halts trading, with its reason in
 * `state()`, until it is resumed. No clock, no randomness and no timer of its own: all come from outside.
 */
import { busy } from '@fulcrum/contract';
import { type Command, InvariantViolation, type MarketView } from '@fulcrum/domain';
import type { Bus } from '../../../platform/bus/index.ts';
import { currentRequestId, outsideRequests } from '../../../platform/request/index.ts';
import { Watch } from '../triggers/watch.ts';
import { walletChange } from '../wire.ts';
import { AccountCache } from './accounts.ts';
import { announcementsOf } from './announcements.ts';
import { Answers } from './answers.ts';
import { armWaiting } from './arm-waiting.ts';
import { batchOf } from './batch.ts';
import { type DecidedBatch, Decider, type DecidingDependencies } from './decider.ts';
import { type Halt, type HaltCause, haltBehind, haltedError, isGraver } from './halt.ts';
import type { EngineLimits } from './limits.ts';
import { failureOf, tellOutcomes } from './outcomes.ts';
import { type CommandOf, isCrossing, Queue, userOf, type Waiting } from './queue.ts';
import {
  type Answer,
  CommitUnknown,
  EpochOver,
  type IdempotencyKey,
  RepeatedCommand,
  type Store,
  type StoredAccount,
  Unreachable,
} from './store.ts';

export type { CommandOf } from './queue.ts';

/** Accounts that are read again at once after a failure. */
const recoveredAtOnce = 1_000;

export interface EngineDependencies extends DecidingDependencies {
  readonly store: Store;
  readonly bus: Bus;
  readonly limits: EngineLimits;
}

export interface EngineState {
  /** Why trading stands still (`Halt.reason`); null while it does not. */
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
  /** Prices at which something is to happen, of all accounts. */
  readonly armed: number;
  /** Accounts that are to be read again after a failed batch. */
  readonly doubtful: number;
  /** Since the start; `commands` changed something, `crossings` are those of them that ticks caused. */
  readonly batches: number;
  readonly commands: number;
  readonly crossings: number;
}

export class Engine {
  readonly #deps: EngineDependencies;
  readonly #accounts: AccountCache;
  readonly #answers: Answers;
  readonly #watch = new Watch();
  readonly #decider: Decider;
  readonly #queue = new Queue();
  #pumping: Promise<void> | undefined;
  /** Committed batches whose commands are not answered yet. */
  #unanswered = 0;
  /** Whether the next turn reads accounts in doubt again. */
  #recovers: boolean = false;
  #phase: 'starting' | 'running' | 'stopped' = 'starting';
  #halted: Halt | null = null;
  #batches = 0;
  #commands = 0;
  #crossings = 0;

  constructor(deps: EngineDependencies) {
    this.#deps = deps;
    this.#accounts = new AccountCache(deps.store, deps.limits);
    this.#answers = new Answers(deps.store);
    const memory = { accounts: this.#accounts, answers: this.#answers, watch: this.#watch };
    this.#decider = new Decider(deps, memory);
  }

  /**
   * Arms everything that waits, then looks at every price once.
   * @throws StartError when another engine runs on this store, or something waits under another rule set (A01).
   */
  async start(): Promise<void> {
    const { store, rules } = this.#deps;
    await store.start();
    try {
      await armWaiting(store, this.#watch, rules);
    } catch (error) {
      await store.stop();
      throw error;
    }
    this.#phase = 'running';
    this.sweep();
  }

  /** Finishes what is queued, then refuses. */
  async stop(): Promise<void> {
    this.#phase = 'stopped';
    await this.idle();
    await this.#deps.store.stop();
  }

  /** Resolves when nothing waits and everything that was committed is answered and announced. */
  async idle(): Promise<void> {
    while (this.#pumping || this.#unanswered > 0) {
      await this.#pumping;
      await new Promise(setImmediate);
    }
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
      armed: this.#watch.size,
      doubtful: this.#watch.doubtful.size,
      batches: this.#batches,
      commands: this.#commands,
      crossings: this.#crossings,
    };
  }

  /** Symbols of open positions and waiting orders, of which each waits for some price. */
  symbolsInUse(): ReadonlySet<string> {
    return new Set(this.#watch.symbols);
  }

  /**
   * Nothing more is decided from here on: what waits and what comes is refused. Of several causes the gravest counts, and
   * of one cause the first. What is being written when it begins may still be committed; `idle` tells when it is through.
   */
  halt(cause: HaltCause, reason: string): void {
    if (!isGraver(cause, this.#halted)) return;
    this.#halted = { cause, reason, at: this.#deps.clock.now() };
    this.#deps.log[cause === 'staff' ? 'warn' : 'fatal']({ cause, reason }, 'trading is halted');
    for (const waiting of this.#queue.drain()) {
      // It is armed no longer and was not decided: it is armed again when trading goes on.
      if (isCrossing(waiting)) this.#watch.doubt(userOf(waiting));
      else waiting.reject(haltedError());
    }
  }

  /** Goes on with what is stored, at the prices of this moment. False where this engine can never write again. */
  async resume(): Promise<boolean> {
    // Only between two batches may memory forget what they hold.
    await this.idle();
    if (this.#halted?.cause === 'epoch') return false;
    if (this.#halted?.cause === 'books') this.#accounts.forgetAll();
    if (this.#halted !== null) this.#deps.log.warn('trading is resumed');
    this.#halted = null;
    this.sweep();
    return true;
  }

  /**
   * Resolves with the answer's row once the change is committed; rejects with an AppError when nothing changed. A MARKET
   * order is answered as it was placed (A20).
   */
  submit(of: CommandOf, command: Command, key: IdempotencyKey | null): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#halted !== null) return reject(haltedError());
      const { queue, queuePerAccount } = this.#deps.limits;
      const isFull = this.#queue.requests >= queue || this.#queue.requestsOf(of.userId) >= queuePerAccount;
      if (this.#phase !== 'running' || isFull) return reject(busy());
      this.#queue.push({ of, command, key, requestId: currentRequestId(), resolve, reject });
      this.#start();
    });
  }

  /** A new price of this symbol: what it crosses joins the queue. */
  tick(symbol: string): void {
    const now = this.#deps.clock.now();
    this.#look(symbol, this.#deps.marketAt(now), now);
  }

  /**
   * To be called about once a second: looks at the current price of everything that waits, which finds what no tick of its
   * own will (a market that is open again, something armed anew), and reads accounts again that a failure left in doubt.
   */
  sweep(): void {
    if (!this.#isTrading()) return;
    const now = this.#deps.clock.now();
    const market = this.#deps.marketAt(now);
    for (const symbol of this.#watch.symbols) this.#look(symbol, market, now);
    if (this.#watch.doubtful.size === 0) return;
    this.#recovers = true;
    this.#start();
  }

  #isTrading(): boolean {
    return this.#phase === 'running' && this.#halted === null;
  }

  /** Only a price that may be traded on acts: fresh, in an open market (A37, A98). */
  #look(symbol: string, market: MarketView, now: number): void {
    if (!this.#isTrading()) return;
    const quote = market.quote(symbol);
    if (!quote || quote.stale || !quote.marketOpen) return;
    const { price } = quote;
    // Without room the next tick or sweep finds it, at the price of then.
    const room = this.#deps.limits.queuedCrossings - this.#queue.crossings;
    if (room <= 0 || !this.#watch.isCrossed(symbol, price)) return;
    for (const trigger of this.#watch.take(symbol, price, room)) {
      this.#queue.push({ trigger, price, crossedAt: now });
    }
    this.#deps.tape?.({ kind: 'tick', symbol, price, at: now });
    this.#start();
  }

  #start(): void {
    this.#pumping ??= outsideRequests(() => this.#pump());
  }

  async #pump(): Promise<void> {
    // Requests that arrived together join the first batch.
    await new Promise(setImmediate);
    do {
      while (this.#queue.length > 0 || this.#recovers) {
        // Between two batches: under a load that never lets the queue run empty, accounts would stay in doubt.
        if (this.#recovers) await this.#recover();
        if (this.#queue.length > 0) await this.#settle(this.#queue.take(this.#deps.limits));
      }
      // The last batch is answered in between.
      await new Promise(setImmediate);
    } while (this.#queue.length > 0 || this.#recovers);
    this.#pumping = undefined;
  }

  /**
   * Reads accounts in doubt again, which arms them, so many at once; the others follow after the next batch. Those that
   * cannot be read stay in doubt until the next sweep.
   */
  async #recover(): Promise<void> {
    this.#recovers = false;
    const userIds = new Set([...this.#watch.doubtful].slice(0, recoveredAtOnce));
    try {
      await this.#deps.store.ready();
      this.#tellRead(await this.#decider.load(userIds));
      for (const userId of userIds) this.#watch.forget(userId);
      this.#accounts.evictIdle();
      this.#recovers = this.#isTrading() && this.#watch.doubtful.size > 0;
    } catch (error) {
      this.#deps.log.warn({ err: error, accounts: userIds.size }, 'accounts could not be read again');
      this.#haltBy(error);
      if (error instanceof Unreachable) this.#fail(this.#queue.drain(), error);
    }
  }

  /** A batch whose fate nobody knew may be in: whoever holds an older version of the wallet learns of the gap by it. */
  #tellRead(accounts: readonly StoredAccount[]): void {
    if (accounts.length === 0) return;
    const at = this.#deps.clock.now();
    const changes = accounts.map(({ wallet }) => walletChange(wallet, at));
    this.#deps.bus.publish('account.changed', { changes });
  }

  /** Every command of the batch is answered when this resolves; it never rejects. */
  async #settle(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#process(batch, 'at once');
    } catch (error) {
      // What came meanwhile has waited out the limit already: nobody is to wait it out batch by batch.
      const meanwhile = error instanceof Unreachable ? this.#queue.drain() : [];
      this.#fail([...batch, ...meanwhile], error as Error);
    }
  }

  async #settleEach(batch: readonly Waiting[]): Promise<void> {
    for (const [i, waiting] of batch.entries()) {
      try {
        await this.#process([waiting], 'alone');
      } catch (error) {
        // Without the store every other one would wait out the same limit, those behind this batch too.
        if (error instanceof Unreachable)
          return this.#fail([...batch.slice(i), ...this.#queue.drain()], error);
        this.#fail([waiting], error as Error);
      }
    }
  }

  #haltBy(error: unknown): void {
    const halt = haltBehind(error);
    if (halt) this.halt(halt.cause, halt.reason);
  }

  #fail(batch: readonly Waiting[], error: Error): void {
    this.#decider.abandon(batch, []);
    this.#haltBy(error);
    if (this.#halted === null) this.#deps.log.error({ err: error }, 'commands failed');
    const answer = this.#halted === null ? failureOf(error) : haltedError();
    for (const waiting of batch) if (!isCrossing(waiting)) waiting.reject(answer);
  }

  /**
   * `at once` trusts that no client id is an old one, which the commit itself checks; `looked up` is the second try when
   * one was; `alone` that of a single command after its batch failed otherwise, so that it fails for its own reason.
   */
  async #process(batch: readonly Waiting[], attempt: 'at once' | 'looked up' | 'alone'): Promise<void> {
    if (this.#halted !== null) throw haltedError();
    const { store } = this.#deps;
    await store.ready();
    let decided: DecidedBatch | null = null;
    try {
      decided = await this.#decider.decide(batch, attempt !== 'at once');
      this.#lookAgain(decided);
      // At the prices of the decision: after the next line there may be others.
      const written = decided.done.length > 0 ? batchOf(decided) : null;
      // What is refused now may be the repeat of what was done: a second close, an order that spent the balance.
      await this.#answers.lookUp(decided.refused.flatMap(({ request: { key } }) => key ?? []));
      if (written) await store.commit(written);
    } catch (error) {
      this.#decider.abandon(batch, decided?.drafts ?? []);
      if (error instanceof EpochOver || error instanceof InvariantViolation) throw error;
      if (decided && error instanceof CommitUnknown && (await this.#isWritten(decided.id))) {
        // On the tape before what is read next, which shows it.
        this.#record(decided);
        await this.#recover();
        return this.#finish(decided);
      }
      if (attempt === 'at once' && error instanceof RepeatedCommand) return this.#process(batch, 'looked up');
      if (attempt === 'alone') throw error;
      this.#deps.log.warn({ err: error, size: batch.length }, 'a batch is not written; trying each alone');
      return this.#settleEach(batch);
    }
    this.#accounts.takeOver(decided.drafts);
    this.#accounts.evictIdle();
    this.#record(decided);
    this.#finish(decided);
  }

  /** After a lost connection, once nobody can still be writing: the batch's own row says whether it is in. */
  async #isWritten(batchId: string): Promise<boolean> {
    const { store } = this.#deps;
    await store.ready();
    return store.has(batchId);
  }

  /** What was armed just now may be reached already: a limit order at a better price, a protection that a gap jumped over. */
  #lookAgain({ at, market, drafts }: DecidedBatch): void {
    const symbols = new Set<string>();
    for (const draft of drafts) {
      for (const { after } of draft.changedPositions) if (!after.closing) symbols.add(after.symbol);
      for (const { after } of draft.changedOrders) if (after.status === 'NEW') symbols.add(after.symbol);
    }
    for (const symbol of symbols) this.#look(symbol, market, at);
  }

  #record({ taped }: DecidedBatch): void {
    for (const entry of taped) this.#deps.tape?.(entry);
  }

  /** What follows a commit. Answering takes a while for a full batch: the next one is on its way to the store before. */
  #finish(decided: DecidedBatch): void {
    this.#unanswered += 1;
    setImmediate(() => {
      this.#answer(decided);
      this.#unanswered -= 1;
    });
  }

  /** Everyone is answered, then the changes are announced. */
  #answer(decided: DecidedBatch): void {
    const { done } = decided;
    tellOutcomes(decided, this.#answers);
    if (done.length === 0) return;
    this.#batches += 1;
    this.#commands += done.length;
    this.#crossings += done.filter(({ waiting }) => isCrossing(waiting)).length;
    this.#deps.bus.publish('account.changed', { changes: announcementsOf(decided) });
  }
}
