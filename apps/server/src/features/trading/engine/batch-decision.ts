/**
 * The decisions of one batch: commands and crossings in their order, each on the result of the previous ones. Invariants: one moment and one
 * view of the prices for the whole batch. A MARKET order is filled at once, so that none ever waits.
 */
import { AppError, texts } from '@fulcrum/contract';
import {
  type Command,
  type Decision,
  decide,
  InvariantViolation,
  isFundingDue,
  type MarketContext,
  type MarketView,
  type NextCrossing,
  type Order,
  type Percent,
  type Wallet,
} from '@fulcrum/domain';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import type { PriceNumber } from '../../market/index.ts';
import { refusalError } from '../refusals.ts';
import { answerRow, WireRows } from '../wire.ts';
import type { AccountCache } from './account-cache.ts';
import { type AnswerCache, answerKey } from './answer-cache.ts';
import { type CommandLog, type RecordedCommand, recording } from './command-log.ts';
import type { Draft, NamedRows } from './draft.ts';
import { type CommandRequest, type Crossing, commandOf, isOfTick, type QueueItem } from './queue.ts';
import { CommandLate } from './router-errors.ts';
import type { Answer, StoredAnswer } from './store.ts';

/** A price that was fresh at the crossing may be stale when the crossing is decided (A37). */
export const crossingMaxAgeMs = 5_000;

export interface DeciderDependencies {
  readonly clock: Clock;
  readonly log: Log;
  /** A new uuid with each call. */
  readonly newId: () => string;
  /** Prices as of one moment: every command of a batch sees the same ones. */
  readonly marketAt: (now: number) => MarketView;
  /** In a cluster: up to where this process has seen the market; null before it has any price. */
  readonly priceNumber?: () => PriceNumber | null;
  readonly priceTolerance: Percent;
  readonly commandLog?: CommandLog;
}

export type Accepted = Extract<Decision, { outcome: 'accepted' }>;
export interface Step {
  readonly command: Command;
  readonly decision: Accepted;
}
/** A command that changed something: its decision, and for a MARKET order also that of its fill. */
export interface AppliedCommand {
  readonly waiting: QueueItem;
  readonly accountId: string;
  readonly steps: readonly [Step, ...Step[]];
  /** The row of a client's command in wire form. */
  readonly answer: Answer | null;
}
interface Refused {
  readonly request: CommandRequest;
  readonly error: Error;
}

/** A trade that has arrived and is decided again at `at` (A113). */
export interface InTransit {
  readonly request: CommandRequest;
  readonly at: number;
}
class TransitBegins extends Error {
  override readonly name = 'TransitBegins';
  readonly at: number;
  readonly command: Command;
  constructor(command: Command, at: number) {
    super('in transit');
    this.command = command;
    this.at = at;
  }
}

/** A batch in memory: the effects to write, and the answers and announcements after the commit. */
export interface DecidedBatch {
  readonly id: string;
  readonly at: number;
  /**
   * Up to where the process had seen the market: no price of the batch has a later number. Commands took the last prices up to it, and
   * crossings have earlier ones. Null where prices are not numbered.
   */
  readonly priceNumber: PriceNumber | null;
  readonly market: MarketView;
  readonly applied: readonly AppliedCommand[];
  readonly refused: readonly Refused[];
  readonly inTransit: readonly InTransit[];
  /** Repeats of client ids that were answered before. */
  readonly repeats: readonly { readonly request: CommandRequest; readonly stored: StoredAnswer }[];
  /** Accounts that changed. */
  readonly drafts: readonly Draft[];
  readonly recorded: readonly RecordedCommand[];
  /** Symbols of orders that their crossing did not fill, and that are armed at another price. */
  readonly rearmed: ReadonlySet<string>;
  /** What is answered and announced. */
  readonly rows: WireRows;
}

/** A MARKET order never waits, but for its latency. */
const isFilledNext = ({ type, status, dueAt }: Order): boolean =>
  type === 'MARKET' && status === 'NEW' && dueAt === null;

/** Commands about a user change all accounts of theirs in one batch, or none. */
export const concernsUser = ({ kind }: Command): boolean => kind === 'restrict' || kind === 'delete';

/** Staff act in no account of a program, neither in their own name nor in the entrant's. What concerns the user holds for all accounts. */
export function programRefusal({ terms }: Draft, command: Command): AppError | null {
  if (concernsUser(command)) return null;
  if (terms.limits?.setBy === 'contest') return new AppError('contest_account', texts.contestForEntrantsOnly);
  return terms.limits?.setBy === 'challenge'
    ? new AppError('challenge_account', texts.challengeForEntrantsOnly)
    : null;
}

/** One batch during its decision; nothing in it is asynchronous. */
export class BatchDecision {
  readonly #deps: DeciderDependencies;
  readonly #accounts: AccountCache;
  readonly #answers: AnswerCache;
  readonly #named: NamedRows;
  readonly #accountsOf: ReadonlyMap<string, readonly string[]>;
  readonly #context: MarketContext;
  readonly #rows: WireRows;
  readonly #drafts = new Map<string, Draft>();
  readonly #applied: AppliedCommand[] = [];
  readonly #refused: Refused[] = [];
  readonly #inTransit: InTransit[] = [];
  readonly #repeats: { request: CommandRequest; stored: StoredAnswer }[] = [];
  readonly #recorded: RecordedCommand[] = [];
  /** Answers that this batch itself will store. */
  readonly #ownAnswers = new Map<string, StoredAnswer>();
  /** Of orders that their crossing did not fill, by id. */
  readonly nextCrossings = new Map<string, NextCrossing>();
  readonly #rearmed = new Set<string>();
  #lateCrossings = 0;

  constructor(
    deps: DeciderDependencies,
    accounts: AccountCache,
    answers: AnswerCache,
    named: NamedRows,
    accountsOf: ReadonlyMap<string, readonly string[]>,
  ) {
    this.#deps = deps;
    this.#accounts = accounts;
    this.#answers = answers;
    this.#named = named;
    this.#accountsOf = accountsOf;
    const { priceTolerance, newId } = deps;
    const now = deps.clock.now();
    this.#context = { now, market: deps.marketAt(now), priceTolerance, newId };
    this.#rows = new WireRows(now, this.#context.market);
  }

  get at(): number {
    return this.#context.now;
  }

  /** Undefined for a deleted user. */
  draftOf(accountId: string): Draft | undefined {
    return this.#drafts.get(accountId);
  }

  decideRequest(request: CommandRequest): void {
    const { key, origin, command } = request;
    const stored = key && (this.#answers.recent(key) ?? this.#ownAnswers.get(answerKey(key)));
    if (stored) {
      this.#repeats.push({ request, stored });
      return;
    }
    if (request.until !== null && this.#context.now > request.until) {
      this.#refused.push({ request, error: new CommandLate() });
      return;
    }
    const error = this.#attempt(origin.accountId, (draft) => {
      const refusal = origin.actorId === origin.ownerId ? null : programRefusal(draft, command);
      if (refusal !== null) return refusal;
      const others = this.#othersOf(request);
      // Each is judged before any is changed, so that all accounts of the user follow or none.
      for (const other of others) {
        const decision = decide(other, command, this.#context);
        if (decision.outcome === 'refused') return refusalError(decision.refusal);
      }
      const steps = this.#decide(draft, command);
      if (steps instanceof Error) return steps;
      const answer = answerRow(command, steps[0].decision, origin.accountId, this.#rows);
      this.#applied.push({ waiting: request, accountId: origin.accountId, steps, answer });
      for (const other of others) {
        const otherSteps = this.#decide(other, command);
        if (otherSteps instanceof Error)
          throw new InvariantViolation(`decided otherwise: ${otherSteps.message}`);
        const { accountId } = other.wallet;
        this.#applied.push({ waiting: request, accountId, steps: otherSteps, answer: null });
      }
      if (key) this.#ownAnswers.set(answerKey(key), { bodyHash: key.bodyHash, answer });
      return null;
    });
    // It arrived in time.
    if (error instanceof TransitBegins)
      this.#inTransit.push({ request: { ...request, command: error.command, until: null }, at: error.at });
    else if (error) this.#refused.push({ request, error });
  }

  /** The other accounts of the user that the command is about. */
  #othersOf({ origin, command }: CommandRequest): Draft[] {
    if (!concernsUser(command)) return [];
    const ids = this.#accountsOf.get(origin.ownerId) ?? [];
    return ids.filter((id) => id !== origin.accountId).map((id) => this.#draft(id));
  }

  decideCrossing(crossing: Crossing, command: Command = commandOf(crossing)): void {
    const { accountId, id, symbol } = crossing.trigger;
    this.#attempt(accountId, (draft) => {
      // The draft has booked it.
      if (crossing.trigger.kind === 'fund') return null;
      // An instant does not age: what an order waited for is decided at the prices of now.
      if (isOfTick(crossing) && this.#context.now - crossing.crossedAt > crossingMaxAgeMs) {
        this.#lateCrossings += 1;
        return null;
      }
      const steps = this.#decide(draft, command);
      if (!(steps instanceof Error))
        this.#applied.push({ waiting: crossing, accountId, steps, answer: null });
      else if (this.nextCrossings.has(id)) this.#rearmed.add(symbol);
      return null;
    });
  }

  finish(): DecidedBatch {
    if (this.#lateCrossings > 0)
      this.#deps.log.warn(
        { crossings: this.#lateCrossings },
        'crossings are too old to be decided; checking prices again',
      );
    return {
      id: this.#deps.newId(),
      at: this.#context.now,
      // No price can have come since the first decision.
      priceNumber: this.#deps.priceNumber?.() ?? null,
      market: this.#context.market,
      applied: this.#applied,
      refused: this.#refused,
      inTransit: this.#inTransit,
      repeats: this.#repeats,
      drafts: [...this.#drafts.values()].filter((draft) => draft.isChanged),
      recorded: this.#recorded,
      rearmed: this.#rearmed,
      rows: this.#rows,
    };
  }

  /**
   * A fault of one command fails only that command, unless its draft is half changed: then the whole batch is
   * dropped.
   */
  #attempt(accountId: string, work: (draft: Draft) => Error | null): Error | null {
    let draft: Draft | undefined;
    let before: Wallet | undefined;
    try {
      draft = this.#draft(accountId);
      before = draft.wallet;
      return work(draft);
    } catch (error) {
      if (error instanceof InvariantViolation || draft?.wallet !== before) throw error;
      if (error instanceof AppError) return error;
      this.#deps.log.error({ err: error }, 'a command could not be decided');
      return error as Error;
    }
  }

  #draft(accountId: string): Draft {
    const known = this.#drafts.get(accountId);
    const draft = known ?? this.#accounts.draft(accountId, this.#named);
    // Removed by this same batch.
    if (draft.isDeleted) throw new AppError('not_found', texts.userNotFound);
    this.#drafts.set(accountId, draft);
    if (!known) this.#bookDueCosts(draft);
    return draft;
  }

  /**
   * What holding the account's positions has cost until this batch comes before anything else of it, so that no command leaves
   * before a due instant is booked (A113). A batch has one moment: nothing more becomes due in it.
   */
  #bookDueCosts(draft: Draft): void {
    if (draft.terms.rules !== 'perpetual') return;
    const { accountId } = draft.wallet;
    const context = { ...this.#context, limits: draft.terms.limits ?? null };
    for (const { id, symbol } of [...draft.openPositions()]) {
      const trigger = { kind: 'fund', id, accountId, symbol } as const;
      for (let position = draft.position(id); position && isFundingDue(position, context); ) {
        const steps = this.#decide(draft, commandOf({ trigger }));
        if (steps instanceof Error) throw new InvariantViolation(`what is due is booked: ${steps.message}`);
        this.#applied.push({ waiting: { trigger }, accountId, steps, answer: null });
        position = draft.position(id);
      }
    }
  }

  /** The decision, applied to the draft; or why there is none. */
  #decide(draft: Draft, command: Command): [Step, ...Step[]] | Error {
    if ((draft.committed.isArchived || draft.isEnded) && !concernsUser(command)) {
      return new AppError('account_archived', texts.accountArchived);
    }
    const first = this.#decideOne(draft, command);
    if (first.outcome === 'refused') {
      const { refusal } = first;
      if (command.kind === 'fill' && refusal.code === 'not_crossed' && refusal.next)
        this.nextCrossings.set(command.orderId, refusal.next);
      if (refusal.code === 'in_transit')
        return new TransitBegins(
          { ...command, arrivalPrice: refusal.arrivalPrice } as Command,
          refusal.until,
        );
      return refusalError(refusal);
    }
    draft.apply(first.effects, this.#context.now);
    const { subject } = first;
    const step = { command, decision: first };
    if (subject.kind !== 'order' || !isFilledNext(subject.order)) return [step];
    const fill: Command = { kind: 'fill', orderId: subject.order.id, price: null };
    const filled = this.#decideOne(draft, fill);
    if (filled.outcome === 'refused')
      throw new InvariantViolation(`a MARKET order does not wait: ${filled.refusal.code}`);
    draft.apply(filled.effects, this.#context.now);
    return [step, { command: fill, decision: filled }];
  }

  #decideOne(draft: Draft, command: Command): Decision {
    if (!this.#deps.commandLog) return decide(draft, command, this.#context);
    const { context, quotes, bookOf, ids } = recording(this.#context);
    const decision = decide(draft, command, context);
    const { now, priceTolerance } = context;
    const outcome = decision.outcome === 'accepted' ? 'accepted' : decision.refusal.code;
    const { accountId } = draft.wallet;
    this.#recorded.push({
      kind: 'command',
      accountId,
      command,
      now,
      priceTolerance,
      quotes,
      bookOf,
      ids,
      outcome,
    });
    return decision;
  }
}
