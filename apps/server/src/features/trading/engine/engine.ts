/**
 * The one queue through which every change of an account goes. Commands that wait while a batch is being written form
 * the next batch: they are decided in memory by the domain and written by one statement, and each is answered after the
 * commit with its own outcome. One command is never decided on a state that another has changed meanwhile, so a second
 * close, a spent balance or a repeated id needs no lock.
 *
 * Invariants: nothing is answered or announced before it is committed; memory holds what is committed; a decision that
 * breaks an invariant is not written and halts trading, with its reason in `state()`, until the process is restarted.
 */
import { randomUUID } from 'node:crypto';
import { AppError, busy, type PositionRow, type RowChange } from '@fulcrum/contract';
import {
  type Command,
  type Decision,
  decide,
  InvariantViolation,
  type MarketView,
  type Percent,
  type Price,
  type RuleSetName,
} from '@fulcrum/domain';
import type { Bus } from '../../../platform/bus/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import { refusalError } from '../refusals.ts';
import { positionChange, positionRow, walletChange } from '../wire.ts';
import { AccountCache, type CacheLimits, type Draft } from './accounts.ts';
import {
  Answers,
  answerKey,
  type IdempotencyKey,
  idempotencyConflict,
  type StoredAnswer,
} from './answers.ts';
import type { Batch } from './commit.ts';
import { CommitRefused, CommitUnknown, EpochOver, RepeatedCommand, Unreachable, Writer } from './writer.ts';

export interface EngineLimits extends CacheLimits {
  /** Commands that may wait; the next one is told that the service is busy. */
  readonly queue: number;
  /** Commands of one batch. */
  readonly batch: number;
}
export const defaultLimits: EngineLimits = {
  queue: 10_000,
  batch: 256,
  accounts: 20_000,
  positions: 400_000,
};

export interface EngineDependencies {
  readonly db: Database;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly log: Log;
  /** Prices as of one moment: every command of a batch sees the same ones. */
  readonly marketAt: (now: number) => MarketView;
  readonly rules: RuleSetName;
  readonly priceTolerance: Percent;
  readonly limits: EngineLimits;
}

export interface EngineState {
  /** Why trading stands still; null while it does not. */
  readonly halted: string | null;
  readonly running: boolean;
  readonly epoch: number;
  readonly queued: number;
  readonly accounts: number;
  readonly positions: number;
  /** Since the start. */
  readonly batches: number;
  readonly commands: number;
}

/** Whose account a command acts on, and who gave it: another one while staff act as the owner (A45). */
export interface CommandOf {
  readonly userId: string;
  readonly actorId: string;
}

interface Pending extends CommandOf {
  readonly command: Command;
  readonly key: IdempotencyKey | null;
  readonly resolve: (answer: PositionRow) => void;
  readonly reject: (error: Error) => void;
}

type Accepted = Extract<Decision, { outcome: 'accepted' }> & {
  readonly pending: Pending;
  readonly markPrice: Price | undefined;
  /** `position` as it is answered. */
  readonly row: PositionRow;
};

/** A batch in memory: what is to be written, and what everyone is told once it is. */
interface DecidedBatch {
  readonly id: string;
  readonly at: number;
  readonly accepted: readonly Accepted[];
  readonly drafts: ReadonlyMap<string, Draft>;
  readonly settle: readonly (() => void)[];
}

/** Answers a repeated client id: the stored answer for the same body, a conflict for another one. */
function repeat({ key, resolve, reject }: Pending, stored: StoredAnswer): void {
  if (stored.bodyHash === key?.bodyHash) resolve(stored.answer);
  else reject(idempotencyConflict());
}

export class Engine {
  readonly #deps: EngineDependencies;
  readonly #writer: Writer;
  readonly #accounts: AccountCache;
  readonly #answers: Answers;
  #queue: Pending[] = [];
  #pumping: Promise<void> | undefined;
  #phase: 'starting' | 'running' | 'stopped' = 'starting';
  #halted: string | null = null;
  #batches = 0;
  #commands = 0;

  constructor(deps: EngineDependencies) {
    this.#deps = deps;
    this.#writer = new Writer(deps.db, deps.log);
    this.#accounts = new AccountCache(this.#writer, deps.limits);
    this.#answers = new Answers(this.#writer);
  }

  /** @throws StartError when another engine runs on this database. */
  async start(): Promise<void> {
    await this.#writer.start();
    this.#phase = 'running';
  }

  /** Finishes what is queued, then refuses. */
  async stop(): Promise<void> {
    this.#phase = 'stopped';
    await this.#pumping;
    await this.#writer.stop();
  }

  state(): EngineState {
    return {
      halted: this.#halted,
      running: this.#phase === 'running',
      epoch: this.#writer.epoch,
      queued: this.#queue.length,
      ...this.#accounts.size,
      batches: this.#batches,
      commands: this.#commands,
    };
  }

  /** Nothing is decided or written from here on: what waits and what comes is refused. */
  halt(reason: string): void {
    if (this.#halted !== null) return;
    this.#halted = reason;
    this.#deps.log.fatal({ reason }, 'trading is halted');
    for (const pending of this.#queue.splice(0)) pending.reject(this.#haltedError());
  }

  #haltedError(): AppError {
    return new AppError('trading_halted', 'Trading is halted.', { details: this.#halted ?? '' });
  }

  /** Resolves with the position once the change is committed; rejects with an AppError when nothing changed. */
  submit({ userId, actorId }: CommandOf, command: Command, key: IdempotencyKey | null): Promise<PositionRow> {
    return new Promise((resolve, reject) => {
      if (this.#halted !== null) return reject(this.#haltedError());
      if (this.#phase !== 'running' || this.#queue.length >= this.#deps.limits.queue) return reject(busy());
      this.#queue.push({ userId, actorId, command, key, resolve, reject });
      this.#pumping ??= this.#pump();
    });
  }

  async #pump(): Promise<void> {
    // Requests that arrived together join the first batch.
    await new Promise(setImmediate);
    do {
      while (this.#queue.length > 0) await this.#settle(this.#queue.splice(0, this.#deps.limits.batch));
      // The last batch is answered in between.
      await new Promise(setImmediate);
    } while (this.#queue.length > 0);
    this.#pumping = undefined;
  }

  /** Every command of the batch is answered when this resolves; it never rejects. */
  async #settle(batch: readonly Pending[]): Promise<void> {
    try {
      await this.#process(batch, 'at once');
    } catch (error) {
      this.#fail(batch, error as Error);
    }
  }

  async #settleEach(batch: readonly Pending[]): Promise<void> {
    for (const [i, pending] of batch.entries()) {
      try {
        await this.#process([pending], 'alone');
      } catch (error) {
        // Without PostgreSQL every other one would wait out the same limit.
        if (error instanceof Unreachable) return this.#fail(batch.slice(i), error);
        this.#fail([pending], error as Error);
      }
    }
  }

  #fail(batch: readonly Pending[], error: Error): void {
    this.#accounts.forget(batch.map(({ userId }) => userId));
    if (error instanceof InvariantViolation) this.halt(`invariant violated: ${error.message}`);
    if (error instanceof EpochOver) this.halt(error.message);
    if (this.#halted === null) this.#deps.log.error({ err: error }, 'commands failed');
    // A refused commit is a fault of the command itself; anything else may be gone at the next try.
    const answer = error instanceof CommitRefused ? error : busy();
    for (const pending of batch) pending.reject(this.#halted === null ? answer : this.#haltedError());
  }

  /**
   * `at once` trusts that no client id is an old one, which the commit itself checks; `looked up` is the second try when
   * one was; `alone` that of a single command after its batch failed otherwise, so that it fails for its own reason.
   */
  async #process(batch: readonly Pending[], attempt: 'at once' | 'looked up' | 'alone'): Promise<void> {
    if (this.#halted !== null) throw this.#haltedError();
    await this.#writer.ready();
    let decided: DecidedBatch | undefined;
    try {
      decided = await this.#decide(batch, attempt !== 'at once');
      await this.#write(decided);
    } catch (error) {
      if (error instanceof EpochOver || error instanceof InvariantViolation) throw error;
      this.#accounts.forget(batch.map(({ userId }) => userId));
      if (decided && error instanceof CommitUnknown && (await this.#isWritten(decided.id))) {
        return this.#finish(decided);
      }
      if (attempt === 'at once' && error instanceof RepeatedCommand) return this.#process(batch, 'looked up');
      if (attempt === 'alone') throw error;
      this.#deps.log.warn(
        { err: error, commands: batch.length },
        'a batch is not written; trying each alone',
      );
      return this.#settleEach(batch);
    }
    this.#accounts.takeOver(decided.drafts.values());
    this.#accounts.evictIdle();
    // Answering takes a while for a full batch: the next one is on its way to PostgreSQL before.
    setImmediate((written: DecidedBatch) => this.#finish(written), decided);
  }

  /** After a lost connection, once nobody can still be writing: the batch's own row says whether it is in. */
  async #isWritten(batchId: string): Promise<boolean> {
    await this.#writer.ready();
    return this.#writer.has(batchId);
  }

  async #decide(batch: readonly Pending[], lookUpAnswers: boolean): Promise<DecidedBatch> {
    await this.#accounts.load(new Set(batch.map(({ userId }) => userId)));
    const closed = await this.#accounts.findClosed(
      batch.flatMap(({ userId, command }) =>
        command.kind === 'close' ? [{ userId, positionId: command.positionId }] : [],
      ),
    );
    if (lookUpAnswers) await this.#answers.lookUp(batch);

    const at = this.#deps.clock.now();
    const market = this.#deps.marketAt(at);
    const drafts = new Map<string, Draft>();
    const accepted: Accepted[] = [];
    const settle: (() => void)[] = [];
    /** Answers that this batch itself is about to store. */
    const own = new Map<string, StoredAnswer>();
    const refused: { readonly pending: Pending; readonly refusal: Error }[] = [];

    for (const pending of batch) {
      const { userId, key } = pending;
      const repeated = key && (this.#answers.recent(userId, key) ?? own.get(answerKey(userId, key.clientId)));
      if (repeated) {
        settle.push(() => repeat(pending, repeated));
        continue;
      }
      const outcome = this.#decideOne(pending, drafts, closed, market, at);
      if (outcome instanceof Error) {
        refused.push({ pending, refusal: outcome });
        continue;
      }
      accepted.push(outcome);
      settle.push(() => pending.resolve(outcome.row));
      if (key) own.set(answerKey(userId, key.clientId), { bodyHash: key.bodyHash, answer: outcome.row });
    }

    // What is refused now may be the repeat of what was done: a second close, an order that spent the balance.
    await this.#answers.lookUp(refused.map(({ pending }) => pending));
    for (const { pending, refusal } of refused) {
      const repeated = pending.key && this.#answers.recent(pending.userId, pending.key);
      settle.push(() => (repeated ? repeat(pending, repeated) : pending.reject(refusal)));
    }
    return { id: randomUUID(), at, accepted, drafts, settle };
  }

  #decideOne(
    pending: Pending,
    drafts: Map<string, Draft>,
    closed: ReadonlyMap<string, ReadonlySet<string>>,
    market: MarketView,
    at: number,
  ): Accepted | Error {
    const { userId, command } = pending;
    try {
      const draft = drafts.get(userId) ?? this.#accounts.draft(userId, closed.get(userId) ?? new Set());
      const decision = decide(draft, command, {
        now: at,
        market,
        rules: this.#deps.rules,
        priceTolerance: this.#deps.priceTolerance,
        ids: { position: randomUUID(), ledgerGroup: randomUUID() },
      });
      if (decision.outcome === 'refused') return refusalError(decision.refusal);
      draft.apply(decision.effects);
      drafts.set(userId, draft);
      const { position } = decision;
      const markPrice = market.quote(position.symbol)?.price;
      return { ...decision, pending, markPrice, row: positionRow(position, markPrice) };
    } catch (error) {
      if (error instanceof InvariantViolation) throw error;
      // The draft is untouched, so what one command cannot stand is no other's concern.
      if (!(error instanceof AppError))
        this.#deps.log.error({ err: error }, 'a command could not be decided');
      return error as Error;
    }
  }

  async #write(decided: DecidedBatch): Promise<void> {
    const { id, at, accepted, drafts } = decided;
    if (accepted.length === 0) return;
    const batch: Omit<Batch, 'epoch'> = {
      id,
      at,
      commands: accepted.length,
      wallets: [...drafts.values()].map(({ committed, wallet }) => ({
        before: committed.wallet,
        after: wallet,
      })),
      positions: accepted.flatMap(({ effects }) => effects.positions),
      ledger: accepted.flatMap(({ pending, effects }) =>
        effects.ledger.map((group) => ({ userId: pending.userId, group })),
      ),
      transactions: accepted.flatMap(({ effects }) =>
        effects.transactions.map((transaction) => ({ wallet: effects.wallet, transaction })),
      ),
      answers: accepted.flatMap(({ pending: { userId, key }, row }) =>
        key ? [{ userId, key, answer: JSON.stringify(row) }] : [],
      ),
      audits: accepted.flatMap(({ pending: { userId, actorId, command }, row }) =>
        actorId === userId
          ? []
          : [{ actorId, userId, action: `position.${command.kind}` as const, detail: JSON.stringify(row) }],
      ),
    };
    await this.#writer.commit(batch);
  }

  /** What follows a commit: everyone is answered, then the changes are announced. */
  #finish({ at, accepted, drafts, settle }: DecidedBatch): void {
    if (accepted.length > 0) {
      this.#batches += 1;
      this.#commands += accepted.length;
    }
    for (const { pending, row } of accepted) {
      const { key, userId } = pending;
      if (key) this.#answers.remember(userId, key, { bodyHash: key.bodyHash, answer: row });
    }
    for (const answer of settle) answer();
    if (accepted.length === 0) return;
    const changes: RowChange[] = accepted.flatMap(({ effects, position, row, markPrice }) =>
      effects.positions.map(({ before, after }) =>
        positionChange(
          after === position ? row : positionRow(after, markPrice),
          before === null ? 'INSERT' : 'UPDATE',
          at,
        ),
      ),
    );
    for (const { wallet } of drafts.values()) changes.push(walletChange(wallet, at));
    this.#deps.bus.publish('account.changed', { changes });
  }
}
