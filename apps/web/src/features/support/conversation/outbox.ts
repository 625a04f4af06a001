/**
 * Sends messages in order, one at a time, until the server has answered each. Invariant: an item leaves the stored
 * queue in three cases only. Its message is in a conversation on this page, it was accepted while no page shows it,
 * or the user discards it. Until then a reload, a second tab or a lost answer repeats it under the same `clientId`.
 *
 * A transient failure is retried with a growing pause, and at once when the connection is back. A refusal stops the
 * queue until the user decides.
 *
 * Known limitation: without browser storage, a reload loses unsent messages. Without locks (plain http) two tabs may
 * send the same item; the server answers both with the same message.
 */

import { enqueue, getNext, type Queue, type Queued, removeItem, updateItem } from './queue.ts';
import type { ChatMessage } from './types.ts';

/** The result of an attempt. */
export type Attempt =
  | { readonly kind: 'sent'; readonly message: ChatMessage }
  /** A transient failure; `waitMs` when the server named a pause. */
  | { readonly kind: 'missed'; readonly error: string; readonly waitMs: number | null }
  | { readonly kind: 'refused'; readonly error: string }
  /** That conversation accepts no more messages. */
  | { readonly kind: 'closed'; readonly error: string };

export interface OutboxDeps {
  readonly read: () => Queue;
  readonly write: (queue: Queue) => void;
  readonly send: (item: Queued) => Promise<Attempt>;
  /** Whether this conversation is already known to accept no more messages. */
  readonly isEnded: (sessionId: string) => boolean;
  /**
   * Returns the conversation to continue in after a close; null lets the user decide. Rejects like a missed attempt.
   */
  readonly reopen: (() => Promise<string>) | null;
  readonly onSent: (message: ChatMessage) => void;
  readonly onChange: () => void;
  /** Runs `work` while no other tab runs its own. */
  readonly runExclusive: (work: () => Promise<void>) => Promise<void>;
  readonly onError: (cause: unknown) => void;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly missedText: string;
}

const pauseMs = (misses: number): number => Math.min(30_000, 1_000 * 2 ** (misses - 1));
/** After this many misses in a row the user sees the failure; retries continue. */
const quietMisses = 2;

export class Outbox {
  readonly #needs: OutboxDeps;
  /** Accepted by the server, but not yet in a conversation on this page. */
  readonly #answered = new Set<string>();
  readonly #left = new AbortController();
  #isSending: boolean = false;
  #inFlight: string | null = null;
  #misses = 0;
  #pause: AbortController | undefined;

  constructor(needs: OutboxDeps) {
    this.#needs = needs;
  }

  get queue(): Queue {
    return this.#needs.read();
  }

  add(item: Queued): void {
    this.#change((queue) => enqueue(queue, item));
    this.flush();
  }

  /** Sends the pending items at once, without the rest of a pause. */
  flush(): void {
    this.#pause?.abort();
    if (this.#isSending || this.#left.signal.aborted) return;
    this.#isSending = true;
    // A failure is reported with its item. A lock that the browser refuses is not; the next flush requests it again.
    this.#sendAll().catch(this.#needs.onError);
  }

  retry(clientId: string): void {
    this.#misses = 0;
    this.#change((queue) => updateItem(queue, clientId, { error: null, isRefused: false }));
    this.flush();
  }

  /** An item in flight cannot be discarded. */
  discard(clientId: string): void {
    if (clientId === this.#inFlight) return;
    this.#change((queue) => removeItem(queue, clientId));
    this.flush();
  }

  /** Removes the item whose message is in a conversation. */
  settle(clientId: string): void {
    this.#answered.delete(clientId);
    this.#change((queue) => removeItem(queue, clientId));
  }

  /** Stops sending for good. */
  stop(): void {
    this.#left.abort();
    this.#pause?.abort();
  }

  #change(update: (queue: Queue) => Queue): void {
    const before = this.#needs.read();
    const after = update(before);
    if (after === before) return;
    this.#needs.write(after);
    this.#needs.onChange();
  }

  #next(): Queued | null {
    return this.#left.signal.aborted ? null : getNext(this.#needs.read(), this.#answered);
  }

  async #sendAll(): Promise<void> {
    try {
      while (this.#next() !== null) {
        let pause: number | null = null;
        await this.#needs.runExclusive(async () => {
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

  /** Returns how long to wait before the next attempt; null for none. */
  async #attempt(item: Queued): Promise<number | null> {
    const { reopen } = this.#needs;
    // A tried item may be in the conversation: only the server knows.
    if (!item.isTried && reopen !== null && this.#needs.isEnded(item.sessionId)) {
      return this.#redirect(item, reopen);
    }
    this.#inFlight = item.clientId;
    if (!item.isTried) this.#change((queue) => updateItem(queue, item.clientId, { isTried: true }));
    const attempt = await this.#needs.send(item);
    this.#inFlight = null;
    if (this.#left.signal.aborted) return null;
    if (attempt.kind === 'sent') return this.#sent(item, attempt.message);
    if (attempt.kind === 'missed') return this.#missed(item, attempt.error, attempt.waitMs);
    if (attempt.kind === 'closed' && reopen !== null) return this.#redirect(item, reopen);
    this.#change((queue) => updateItem(queue, item.clientId, { error: attempt.error, isRefused: true }));
    return null;
  }

  #sent(item: Queued, message: ChatMessage): null {
    this.#misses = 0;
    this.#answered.add(item.clientId);
    this.#change((queue) => updateItem(queue, item.clientId, { error: null }));
    this.#needs.onSent(message);
    return null;
  }

  #missed(item: Queued, error: string, waitMs: number | null): number {
    // A requested pause is not a failure.
    if (waitMs !== null) return waitMs;
    this.#misses += 1;
    if (this.#misses > quietMisses && item.error === null) {
      this.#change((queue) => updateItem(queue, item.clientId, { error }));
    }
    return pauseMs(this.#misses);
  }

  /**
   * The closed conversation has not accepted the item, so it starts the next one, and the items behind it follow
   * (A66).
   */
  async #redirect(item: Queued, reopen: () => Promise<string>): Promise<number | null> {
    try {
      const sessionId = await reopen();
      if (this.#left.signal.aborted) return null;
      // The new conversation was closed before its use: treated like any other miss.
      if (sessionId === item.sessionId) return this.#missed(item, this.#needs.missedText, null);
      this.#change((queue) =>
        queue.map((one) =>
          one.sessionId === item.sessionId && !this.#answered.has(one.clientId) ? { ...one, sessionId } : one,
        ),
      );
      return null;
    } catch {
      // Reported with the item, like any other miss.
      return this.#missed(item, this.#needs.missedText, null);
    }
  }
}
