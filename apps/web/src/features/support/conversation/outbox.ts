/**
 * Sends what was written, first in first out and one at a time, until the server has answered for each. Invariant: an item
 * leaves the kept queue only when its message stands in a conversation on this page, was taken while none shows it, or the
 * person discards it; until then
 * a reload, a second tab or a lost answer repeats it under the same `clientId`. Failures that may pass are tried again with
 * a growing pause, at once when the link is back; a refusal stops the queue until the person decides.
 *
 * Known limitation: where the browser keeps nothing, a reload loses what was not sent. Without locks (plain http) two tabs
 * may ask the server for the same item; it answers both with the same message.
 */

import { changed, enqueue, nextOf, type Queue, type Queued, without } from './queue.ts';
import type { ChatMessage } from './terms.ts';

/** What became of an attempt. */
export type Attempt =
  | { readonly kind: 'sent'; readonly message: ChatMessage }
  /** May pass by itself; `waitMs` when the server said how long. */
  | { readonly kind: 'missed'; readonly error: string; readonly waitMs: number | null }
  | { readonly kind: 'refused'; readonly error: string }
  /** That conversation takes no more messages. */
  | { readonly kind: 'closed'; readonly error: string };

export interface OutboxNeeds {
  readonly read: () => Queue;
  readonly write: (queue: Queue) => void;
  readonly send: (item: Queued) => Promise<Attempt>;
  /** It is known without asking that this conversation takes no more messages. */
  readonly isEnded: (sessionId: string) => boolean;
  /** The conversation to go on in when one is closed; null when that is for the person to decide. Rejects as a miss. */
  readonly reopen: (() => Promise<string>) | null;
  readonly onSent: (message: ChatMessage) => void;
  readonly onChange: () => void;
  /** Runs `work` while no other tab runs its own. */
  readonly alone: (work: () => Promise<void>) => Promise<void>;
  readonly onBroken: (cause: unknown) => void;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly missedText: string;
}

const pauseMs = (misses: number): number => Math.min(30_000, 1_000 * 2 ** (misses - 1));
/** After so many misses in a row the person is told, and it is tried on. */
const quietMisses = 2;

export class Outbox {
  readonly #needs: OutboxNeeds;
  /** Taken by the server, but not yet in a conversation here. */
  readonly #answered = new Set<string>();
  readonly #left = new AbortController();
  #isSending: boolean = false;
  #inFlight: string | null = null;
  #misses = 0;
  #pause: AbortController | undefined;

  constructor(needs: OutboxNeeds) {
    this.#needs = needs;
  }

  get queue(): Queue {
    return this.#needs.read();
  }

  add(item: Queued): void {
    this.#change((queue) => enqueue(queue, item));
    this.flush();
  }

  /** Sends what waits, without the rest of a pause. */
  flush(): void {
    this.#pause?.abort();
    if (this.#isSending || this.#left.signal.aborted) return;
    this.#isSending = true;
    // What fails is told with its item; a lock that the browser refuses is not, and the next flush asks for it again.
    this.#sendAll().catch(this.#needs.onBroken);
  }

  retry(clientId: string): void {
    this.#misses = 0;
    this.#change((queue) => changed(queue, clientId, { error: null, isRefused: false }));
    this.flush();
  }

  /** One that is on its way cannot be taken back. */
  discard(clientId: string): void {
    if (clientId === this.#inFlight) return;
    this.#change((queue) => without(queue, clientId));
    this.flush();
  }

  /** The message of that item stands in a conversation. */
  settle(clientId: string): void {
    this.#answered.delete(clientId);
    this.#change((queue) => without(queue, clientId));
  }

  /** Nothing more is sent from here. */
  leave(): void {
    this.#left.abort();
    this.#pause?.abort();
  }

  #change(become: (queue: Queue) => Queue): void {
    const before = this.#needs.read();
    const after = become(before);
    if (after === before) return;
    this.#needs.write(after);
    this.#needs.onChange();
  }

  #next(): Queued | null {
    return this.#left.signal.aborted ? null : nextOf(this.#needs.read(), this.#answered);
  }

  async #sendAll(): Promise<void> {
    try {
      while (this.#next() !== null) {
        let pause: number | null = null;
        await this.#needs.alone(async () => {
          // Another tab may have sent it meanwhile.
          const item = this.#next();
          if (item !== null) pause = await this.#attempt(item);
        });
        if (pause !== null && !this.#left.signal.aborted) await this.#rest(pause);
      }
    } finally {
      this.#isSending = false;
    }
  }

  async #rest(ms: number): Promise<void> {
    this.#pause = new AbortController();
    await this.#needs.wait(ms, AbortSignal.any([this.#pause.signal, this.#left.signal]));
    this.#pause = undefined;
  }

  /** How long to wait before the next one; null: not at all. */
  async #attempt(item: Queued): Promise<number | null> {
    const { reopen } = this.#needs;
    // What was tried may be in it: only the server can tell.
    if (!item.isTried && reopen !== null && this.#needs.isEnded(item.sessionId)) {
      return this.#redirect(item, reopen);
    }
    this.#inFlight = item.clientId;
    if (!item.isTried) this.#change((queue) => changed(queue, item.clientId, { isTried: true }));
    const attempt = await this.#needs.send(item);
    this.#inFlight = null;
    if (this.#left.signal.aborted) return null;
    if (attempt.kind === 'sent') return this.#sent(item, attempt.message);
    if (attempt.kind === 'missed') return this.#missed(item, attempt.error, attempt.waitMs);
    if (attempt.kind === 'closed' && reopen !== null) return this.#redirect(item, reopen);
    this.#change((queue) => changed(queue, item.clientId, { error: attempt.error, isRefused: true }));
    return null;
  }

  #sent(item: Queued, message: ChatMessage): null {
    this.#misses = 0;
    this.#answered.add(item.clientId);
    this.#change((queue) => changed(queue, item.clientId, { error: null }));
    this.#needs.onSent(message);
    return null;
  }

  #missed(item: Queued, error: string, waitMs: number | null): number {
    // Being told to wait is no failure.
    if (waitMs !== null) return waitMs;
    this.#misses += 1;
    if (this.#misses > quietMisses && item.error === null) {
      this.#change((queue) => changed(queue, item.clientId, { error }));
    }
    return pauseMs(this.#misses);
  }

  /** A66: the closed conversation has not taken it, so it begins the next, and what waits behind it follows. */
  async #redirect(item: Queued, reopen: () => Promise<string>): Promise<number | null> {
    try {
      const sessionId = await reopen();
      if (this.#left.signal.aborted) return null;
      // Closed again before it could be used: what follows is as after any other miss.
      if (sessionId === item.sessionId) return this.#missed(item, this.#needs.missedText, null);
      this.#change((queue) =>
        queue.map((one) =>
          one.sessionId === item.sessionId && !this.#answered.has(one.clientId) ? { ...one, sessionId } : one,
        ),
      );
      return null;
    } catch {
      // Told with the item, as any other miss.
      return this.#missed(item, this.#needs.missedText, null);
    }
  }
}
