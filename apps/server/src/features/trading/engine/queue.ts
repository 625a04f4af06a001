/**
 * What waits to be decided, first come, first served: commands of clients, and what ticks crossed. It counts both; the engine
 * keeps them within their limits.
 */
import type { Command, Price } from '@fulcrum/domain';
import type { Trigger } from '../triggers/index.ts';
import type { Answer, Authority, IdempotencyKey } from './store.ts';

/** Whose account a command acts on, who gave it (somebody else when staff do), by what right and why. */
export interface CommandOf {
  readonly userId: string;
  readonly actorId: string;
  /** Proven again by the commit; null for the owner, and for staff who act as the owner (A45). */
  readonly authority: Authority | null;
  readonly reason: string | null;
}

/** A command of a client, and where its answer goes. */
export interface Request {
  readonly of: CommandOf;
  readonly command: Command;
  readonly key: IdempotencyKey | null;
  /** Which HTTP request gave it; null for the server's own. */
  readonly requestId: string | null;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** A trigger that the tick at `price` crossed. */
export interface Crossing {
  readonly trigger: Trigger;
  readonly price: Price;
  /** Milliseconds since the epoch. */
  readonly crossedAt: number;
}

export type Waiting = Request | Crossing;
export const isCrossing = (waiting: Waiting): waiting is Crossing => 'trigger' in waiting;
export const userOf = (waiting: Waiting): string =>
  isCrossing(waiting) ? waiting.trigger.userId : waiting.of.userId;

/** What a crossing asks of the account. */
export function commandOf(waiting: Waiting): Command {
  if (!isCrossing(waiting)) return waiting.command;
  const { trigger, price } = waiting;
  const { kind, id } = trigger;
  if (kind === 'limit' || kind === 'stop') return { kind: 'fill', orderId: id, price };
  return { kind: 'trigger', trigger: kind, positionId: id, price };
}

export interface BatchLimits {
  /** Commands and crossings of one batch. */
  readonly batch: number;
  /** Of a batch of crossings only: nobody waits for an answer. */
  readonly crossings: number;
}

export class Queue {
  #waiting: Waiting[] = [];
  #requests = 0;
  /** Of each account that has some waiting. */
  readonly #requestsOf = new Map<string, number>();

  get length(): number {
    return this.#waiting.length;
  }

  /** Commands of clients among them. */
  get requests(): number {
    return this.#requests;
  }

  requestsOf(userId: string): number {
    return this.#requestsOf.get(userId) ?? 0;
  }

  get crossings(): number {
    return this.#waiting.length - this.#requests;
  }

  push(waiting: Waiting): void {
    this.#waiting.push(waiting);
    if (isCrossing(waiting)) return;
    this.#requests += 1;
    this.#requestsOf.set(waiting.of.userId, this.requestsOf(waiting.of.userId) + 1);
  }

  /** The next batch, in order. */
  take({ batch, crossings }: BatchLimits): Waiting[] {
    const other = this.#waiting.findIndex((waiting) => !isCrossing(waiting));
    const leading = other === -1 ? this.#waiting.length : other;
    return this.#cut(leading > batch ? Math.min(leading, crossings) : batch);
  }

  drain(): Waiting[] {
    return this.#cut(this.#waiting.length);
  }

  #cut(length: number): Waiting[] {
    const cut = this.#waiting.splice(0, length);
    for (const waiting of cut) {
      if (isCrossing(waiting)) continue;
      const { userId } = waiting.of;
      const left = this.requestsOf(userId) - 1;
      this.#requests -= 1;
      if (left === 0) this.#requestsOf.delete(userId);
      else this.#requestsOf.set(userId, left);
    }
    return cut;
  }
}
