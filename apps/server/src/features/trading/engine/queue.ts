/**
 * The queue before decisions, in order of arrival: commands of clients, and crossings of ticks. It counts both; the
 * engine enforces their limits.
 */
import type { Command, Price } from '@fulcrum/domain';
import type { DueCost } from '../triggers/due-costs.ts';
import type { DueOrder } from '../triggers/due-orders.ts';
import type { Judgement } from '../triggers/judgements.ts';
import type { Trigger } from '../triggers/trigger-index.ts';
import { slotOf } from './slots.ts';
import type { Answer, Authority, IdempotencyKey } from './store.ts';

/** The account that a command changes, its owner, the actor (a staff member or the owner), the authority and the reason. */
export interface CommandOrigin {
  readonly accountId: string;
  /** The user. */
  readonly ownerId: string;
  readonly actorId: string;
  /** The commit checks it again; null for the owner, and for staff who impersonate the owner (A45). */
  readonly authority: Authority | null;
  readonly reason: string | null;
}

/** A command of a client, and the callbacks of its answer. */
export interface CommandRequest {
  readonly origin: CommandOrigin;
  readonly command: Command;
  readonly key: IdempotencyKey | null;
  /** The HTTP request that gave it; null for the server's own. */
  readonly requestId: string | null;
  /** Milliseconds since the epoch: decided later, it is refused as late. Null without such a time. */
  readonly until: number | null;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** A trigger that the tick at `price` crossed. */
export interface TickCrossing {
  readonly trigger: Trigger;
  readonly price: Price;
  /** Milliseconds since the epoch. */
  readonly crossedAt: number;
}

/** The instant of what holding a position costs, or of what an order waited for, has come (A113). */
export interface DueCrossing {
  readonly trigger: DueCost | DueOrder;
}

/** What the engine gives itself to do. */
export type Crossing = TickCrossing | DueCrossing | Judgement;
export type QueueItem = CommandRequest | Crossing;
export const isOfTick = (crossing: Crossing): crossing is TickCrossing => 'crossedAt' in crossing;
/** Its marks are of its own instant, so it does not age. */
export const isOfChallenge = (crossing: Crossing): crossing is Judgement => 'command' in crossing;
export const isCrossing = (waiting: QueueItem): waiting is Crossing => 'trigger' in waiting;
export const accountIdOf = (waiting: QueueItem): string =>
  isCrossing(waiting) ? waiting.trigger.accountId : waiting.origin.accountId;

/** The command of a crossing. */
export function commandOf(crossing: Crossing): Command {
  if (isOfChallenge(crossing)) return crossing.command;
  if (!isOfTick(crossing)) {
    const { kind, id } = crossing.trigger;
    if (kind === 'fund') return { kind, positionId: id };
    return kind === 'expire' ? { kind, orderId: id } : { kind: 'fill', orderId: id, price: null };
  }
  const { trigger, price } = crossing;
  const { kind, id } = trigger;
  if (kind === 'limit' || kind === 'stop') return { kind: 'fill', orderId: id, price };
  if (kind === 'follow') return { kind, orderId: id, price };
  return { kind: 'trigger', trigger: kind, positionId: id, price };
}

export interface BatchLimits {
  /** Commands and crossings of one batch. */
  readonly batch: number;
  /** Of a batch with crossings only: no client waits for its answer. */
  readonly crossings: number;
}

export class Queue {
  #items: QueueItem[] = [];
  #requests = 0;
  /** The number of waiting commands per user, of all accounts. */
  readonly #requestsOf = new Map<string, number>();

  get length(): number {
    return this.#items.length;
  }

  /** Commands of clients among them. */
  get requests(): number {
    return this.#requests;
  }

  /** Counts the requests of all accounts of the user. */
  requestsOf(ownerId: string): number {
    return this.#requestsOf.get(ownerId) ?? 0;
  }

  get crossings(): number {
    return this.#items.length - this.#requests;
  }

  /** Whether anything waits for an account of these slots. */
  holds(slots: ReadonlySet<number>): boolean {
    return this.#items.some((waiting) => slots.has(slotOf(accountIdOf(waiting))));
  }

  push(waiting: QueueItem): void {
    this.#items.push(waiting);
    if (isCrossing(waiting)) return;
    this.#requests += 1;
    const { ownerId } = waiting.origin;
    this.#requestsOf.set(ownerId, this.requestsOf(ownerId) + 1);
  }

  /** The next batch, in order. */
  take({ batch, crossings }: BatchLimits): QueueItem[] {
    const other = this.#items.findIndex((waiting) => !isCrossing(waiting));
    const leading = other === -1 ? this.#items.length : other;
    return this.#cut(leading > batch ? Math.min(leading, crossings) : batch);
  }

  drain(): QueueItem[] {
    return this.#cut(this.#items.length);
  }

  #cut(length: number): QueueItem[] {
    const cut = this.#items.splice(0, length);
    for (const waiting of cut) {
      if (isCrossing(waiting)) continue;
      const { ownerId } = waiting.origin;
      const left = this.requestsOf(ownerId) - 1;
      this.#requests -= 1;
      if (left === 0) this.#requestsOf.delete(ownerId);
      else this.#requestsOf.set(ownerId, left);
    }
    return cut;
  }
}
