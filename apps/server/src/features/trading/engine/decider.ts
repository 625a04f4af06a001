/**
 * Decides a batch in memory: commands and crossings in their order, each on what the ones before it left. Invariants: one
 * moment and one view of the prices for the whole batch; a MARKET order is followed by its fill at once, so that none ever
 * waits; what the batch opened, changed or closed is armed and disarmed as soon as it is decided.
 */
import { AppError, texts } from '@fulcrum/contract';
import {
  type Command,
  type Context,
  type Decision,
  decide,
  type FeeRate,
  InvariantViolation,
  type MarketView,
  type Percent,
  type Price,
  type RuleSetName,
  type Wallet,
} from '@fulcrum/domain';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import { refusalError } from '../refusals.ts';
import type { Watch } from '../triggers/watch.ts';
import { answerRow } from '../wire.ts';
import type { AccountCache } from './accounts.ts';
import { type Answers, answerKey } from './answers.ts';
import type { Draft, NamedRows } from './draft.ts';
import { type Crossing, commandOf, isCrossing, type Request, userOf, type Waiting } from './queue.ts';
import type { Answer, IdempotencyKey, Named, StoredAccount, StoredAnswer } from './store.ts';
import { noting, type Tape, type TapedCommand } from './tape.ts';

/** A price that was fresh when it crossed something may not be by the time the crossing is decided (A37). */
const crossingMaxAgeMs = 5_000;

export interface DecidingDependencies {
  readonly clock: Clock;
  readonly log: Log;
  /** A fresh uuid with each call. */
  readonly newId: () => string;
  /** Prices as of one moment: every command of a batch sees the same ones. */
  readonly marketAt: (now: number) => MarketView;
  readonly rules: RuleSetName;
  readonly feeRate: FeeRate;
  readonly priceTolerance: Percent;
  readonly tape?: Tape;
}

export type Accepted = Extract<Decision, { outcome: 'accepted' }>;
export interface Step {
  readonly command: Command;
  readonly decision: Accepted;
}
/** One that changed something: its decision, and for a MARKET order also that of its fill. */
export interface Done {
  readonly waiting: Waiting;
  readonly userId: string;
  readonly steps: readonly [Step, ...Step[]];
  /** Of a client's command: its row in wire form. */
  readonly answer: Answer | null;
}
interface Refused {
  readonly request: Request;
  readonly error: Error;
}

/** A batch in memory: what is to be written, and what everyone is told once it is. */
export interface DecidedBatch {
  readonly id: string;
  readonly at: number;
  readonly market: MarketView;
  readonly done: readonly Done[];
  readonly refused: readonly Refused[];
  /** Of client ids that were answered before. */
  readonly repeats: readonly { readonly request: Request; readonly stored: StoredAnswer }[];
  /** Accounts that changed. */
  readonly drafts: readonly Draft[];
  readonly taped: readonly TapedCommand[];
}

export class Decider {
  readonly #deps: DecidingDependencies;
  readonly #accounts: AccountCache;
  readonly #answers: Answers;
  readonly #watch: Watch;

  constructor(
    deps: DecidingDependencies,
    memory: { accounts: AccountCache; answers: Answers; watch: Watch },
  ) {
    this.#deps = deps;
    this.#accounts = memory.accounts;
    this.#answers = memory.answers;
    this.#watch = memory.watch;
  }

  /**
   * Brings accounts into memory, and the triggers of those that were in doubt in line with them. Resolves with those that
   * were not in memory.
   */
  async load(userIds: ReadonlySet<string>): Promise<readonly StoredAccount[]> {
    const read = await this.#accounts.load(userIds);
    if (read.length === 0) return read;
    for (const account of read) this.#watch.restore(account);
    this.#deps.tape?.({ kind: 'read', accounts: read, positions: [], orders: [] });
    return read;
  }

  /** `looksUp`: whether client ids are looked up first; the commit finds out otherwise. */
  async decide(batch: readonly Waiting[], looksUp: boolean): Promise<DecidedBatch> {
    await this.load(new Set(batch.map(userOf)));
    const named = await this.#readNamed(batch);
    if (looksUp) await this.#answers.lookUp(keysOf(batch));
    const round = new Round(this.#deps, this.#accounts, this.#answers, named);
    for (const waiting of batch) {
      if (isCrossing(waiting)) round.decideCrossing(waiting);
      else round.decideRequest(waiting);
    }
    const decided = round.end();
    try {
      this.#follow(batch, decided, round);
    } catch (error) {
      this.abandon(batch, decided.drafts);
      throw error;
    }
    return decided;
  }

  /**
   * The batch is not written, or nobody knows: memory forgets its accounts, which are read again when they are needed,
   * and their triggers with them or at the next sweep.
   */
  abandon(batch: readonly Waiting[], drafts: readonly Draft[]): void {
    this.#accounts.forget(batch.map(userOf));
    for (const waiting of batch) if (isCrossing(waiting)) this.#watch.doubt(userOf(waiting));
    for (const draft of drafts) {
      for (const { after } of draft.changedPositions) this.#watch.leave(after.id);
      for (const { after } of draft.changedOrders) this.#watch.leave(after.id);
      this.#watch.doubt(draft.wallet.userId);
    }
  }

  /** Rows that clients name and memory does not hold. A crossing of one needs nothing: it is not open any more. */
  async #readNamed(batch: readonly Waiting[]): Promise<NamedRows> {
    const positions: Named[] = [];
    const orders: Named[] = [];
    for (const waiting of batch) {
      if (isCrossing(waiting)) continue;
      const { command, of } = waiting;
      if ('positionId' in command) positions.push({ userId: of.userId, id: command.positionId });
      if ('orderId' in command) orders.push({ userId: of.userId, id: command.orderId });
    }
    const named = await this.#accounts.readNamed(positions, orders);
    if (named.positions.size + named.orders.size > 0) {
      const [closed, final] = [[...named.positions.values()], [...named.orders.values()]];
      this.#deps.tape?.({ kind: 'read', accounts: [], positions: closed, orders: final });
    }
    return named;
  }

  /** Triggers follow what was decided, and those that were taken without a change are armed again. */
  #follow(batch: readonly Waiting[], { drafts }: DecidedBatch, round: Round): void {
    for (const waiting of batch) {
      if (!isCrossing(waiting)) continue;
      const { id, userId } = waiting.trigger;
      const draft = round.draftOf(userId);
      const position = draft?.position(id);
      const order = draft?.order(id);
      if (position) this.#watch.follow(position);
      else if (order) this.#watch.followOrder(order);
      else this.#watch.leave(id);
    }
    for (const draft of drafts) {
      for (const { after } of draft.changedPositions) this.#watch.follow(after);
      for (const { after } of draft.changedOrders) this.#watch.followOrder(after);
    }
  }
}

const keysOf = (batch: readonly Waiting[]): IdempotencyKey[] =>
  batch.flatMap((waiting) => (isCrossing(waiting) || !waiting.key ? [] : [waiting.key]));

/** One batch while it is decided; nothing in it waits. */
class Round {
  readonly #deps: DecidingDependencies;
  readonly #accounts: AccountCache;
  readonly #answers: Answers;
  readonly #named: NamedRows;
  readonly #context: Context;
  readonly #drafts = new Map<string, Draft>();
  readonly #done: Done[] = [];
  readonly #refused: Refused[] = [];
  readonly #repeats: { request: Request; stored: StoredAnswer }[] = [];
  readonly #taped: TapedCommand[] = [];
  /** Answers that this batch itself is about to store. */
  readonly #own = new Map<string, StoredAnswer>();
  #late = 0;

  constructor(deps: DecidingDependencies, accounts: AccountCache, answers: Answers, named: NamedRows) {
    this.#deps = deps;
    this.#accounts = accounts;
    this.#answers = answers;
    this.#named = named;
    const { rules, feeRate, priceTolerance, newId } = deps;
    const now = deps.clock.now();
    this.#context = { now, market: deps.marketAt(now), rules, feeRate, priceTolerance, newId };
  }

  /** Undefined for a user that is gone. */
  draftOf(userId: string): Draft | undefined {
    return this.#drafts.get(userId);
  }

  decideRequest(request: Request): void {
    const { key, of, command } = request;
    const stored = key && (this.#answers.recent(key) ?? this.#own.get(answerKey(key)));
    if (stored) {
      this.#repeats.push({ request, stored });
      return;
    }
    const error = this.#attempt(of.userId, (draft) => {
      const steps = this.#decide(draft, command);
      if (steps instanceof Error) return steps;
      const answer = this.#answerTo(command, steps[0].decision, of.userId);
      this.#done.push({ waiting: request, userId: of.userId, steps, answer });
      if (key) this.#own.set(answerKey(key), { bodyHash: key.bodyHash, answer });
      return null;
    });
    if (error) this.#refused.push({ request, error });
  }

  decideCrossing(crossing: Crossing): void {
    const { userId } = crossing.trigger;
    this.#attempt(userId, (draft) => {
      if (this.#context.now - crossing.crossedAt > crossingMaxAgeMs) {
        this.#late += 1;
        return null;
      }
      const steps = this.#decide(draft, commandOf(crossing));
      if (!(steps instanceof Error)) this.#done.push({ waiting: crossing, userId, steps, answer: null });
      return null;
    });
  }

  end(): DecidedBatch {
    if (this.#late > 0)
      this.#deps.log.warn({ crossings: this.#late }, 'prices came too late to be acted on; looking again');
    return {
      id: this.#deps.newId(),
      at: this.#context.now,
      market: this.#context.market,
      done: this.#done,
      refused: this.#refused,
      repeats: this.#repeats,
      drafts: [...this.#drafts.values()].filter((draft) => draft.isChanged),
      taped: this.#taped,
    };
  }

  /** What one command cannot stand is no other's concern, unless its draft is half changed: only the batch can drop that. */
  #attempt(userId: string, work: (draft: Draft) => Error | null): Error | null {
    let draft: Draft | undefined;
    let before: Wallet | undefined;
    try {
      draft = this.#draft(userId);
      before = draft.wallet;
      return work(draft);
    } catch (error) {
      if (error instanceof InvariantViolation || draft?.wallet !== before) throw error;
      if (error instanceof AppError) return error;
      this.#deps.log.error({ err: error }, 'a command could not be decided');
      return error as Error;
    }
  }

  #draft(userId: string): Draft {
    const draft = this.#drafts.get(userId) ?? this.#accounts.draft(userId, this.#named);
    // Removed by this very batch.
    if (draft.isDeleted) throw new AppError('not_found', texts.userNotFound);
    this.#drafts.set(userId, draft);
    return draft;
  }

  /** The decision, applied to the draft; or why there is none. */
  #decide(draft: Draft, command: Command): [Step, ...Step[]] | Error {
    const first = this.#decideOne(draft, command);
    if (first.outcome === 'refused') return refusalError(first.refusal);
    draft.apply(first.effects);
    const { subject } = first;
    const step = { command, decision: first };
    if (subject.kind !== 'order' || subject.order.type !== 'MARKET' || subject.order.status !== 'NEW')
      return [step];
    const fill: Command = { kind: 'fill', orderId: subject.order.id, price: null };
    const filled = this.#decideOne(draft, fill);
    if (filled.outcome === 'refused')
      throw new InvariantViolation(`a MARKET order does not wait: ${filled.refusal.code}`);
    draft.apply(filled.effects);
    return [step, { command: fill, decision: filled }];
  }

  #decideOne(draft: Draft, command: Command): Decision {
    if (!this.#deps.tape) return decide(draft, command, this.#context);
    const { context, quotes, ids } = noting(this.#context);
    const decision = decide(draft, command, context);
    const { now, rules, feeRate, priceTolerance } = context;
    const outcome = decision.outcome === 'accepted' ? 'accepted' : decision.refusal.code;
    const { userId } = draft.wallet;
    this.#taped.push({
      kind: 'command',
      userId,
      command,
      now,
      rules,
      feeRate,
      priceTolerance,
      quotes,
      ids,
      outcome,
    });
    return decision;
  }

  #answerTo(command: Command, decision: Accepted, userId: string): Answer {
    const { subject, effects } = decision;
    let mark: Price | undefined;
    if (subject.kind === 'position') mark = this.#context.market.quote(subject.position.symbol)?.price;
    return answerRow(command, decision, { mark, wallet: effects.wallet, userId, at: this.#context.now });
  }
}
