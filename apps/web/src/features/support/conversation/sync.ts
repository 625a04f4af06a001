/**
 * Makes a timeline complete. `catchUp` is called whenever messages may have been missed. The first call reads the
 * latest page; later calls read page after page behind the last message until there are no more. Broadcast rows are
 * added at once and wait in the timeline.
 *
 * Invariant: one read at a time. A call during a read causes another one, because the pending answer may be older
 * than the reason for the call. A failed read is retried with a growing pause until it succeeds or the conversation
 * is closed on the page.
 */

import {
  emptyTimeline,
  getLastSeq,
  hasEarlier,
  hasGap,
  type Page,
  type Timeline,
  withEarlierPage,
  withFirstPage,
  withMessage,
  withNextPage,
  withSession,
} from './timeline.ts';
import type { ChatMessage, ChatSession } from './types.ts';

export interface SyncDeps {
  readonly readAfter: (seq: number) => Promise<Page>;
  readonly readBefore: (seq: number | null) => Promise<Page>;
  readonly onChange: () => void;
  /** Called after a failed read; `isFinal` when a retry is pointless. */
  readonly onFailure: (cause: unknown) => void;
  readonly isFinal: (cause: unknown) => boolean;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

const pauseMs = (failures: number): number => Math.min(30_000, 500 * 3 ** (failures - 1));
/** Up to this many failures in a row, an opening conversation still counts as loading. */
const quietFailures = 2;

export class TimelineSync {
  timeline: Timeline = emptyTimeline;
  /** All missed messages have been read, as far as is known. */
  isComplete: boolean = false;
  hasFailed: boolean = false;
  isReadingEarlier: boolean = false;
  readonly #needs: SyncDeps;
  readonly #left = new AbortController();
  #isReading: boolean = false;
  #isRequestedAgain: boolean = false;
  /** Ends the pause after a failure. */
  #pause: AbortController | undefined;

  constructor(needs: SyncDeps) {
    this.#needs = needs;
  }

  offerMessage(row: ChatMessage): void {
    this.#become(withMessage(this.timeline, row));
  }

  offerSession(session: ChatSession): void {
    this.#become(withSession(this.timeline, session));
  }

  /** The timeline may have an unknown gap. */
  catchUp(): void {
    this.#isRequestedAgain = true;
    this.#pause?.abort();
    if (this.#isReading || this.#left.signal.aborted) return;
    this.#isReading = true;
    // Never rejects: failures are reported and retried.
    void this.#readUntilComplete();
  }

  /** While the connection is down, it is unknown whether messages are missing. */
  markIncomplete(): void {
    if (!this.isComplete) return;
    this.isComplete = false;
    this.#needs.onChange();
  }

  async readEarlier(): Promise<void> {
    const first = this.timeline.messages[0];
    if (first === undefined || !hasEarlier(this.timeline) || this.isReadingEarlier) return;
    this.isReadingEarlier = true;
    this.#needs.onChange();
    try {
      const page = await this.#needs.readBefore(first.seq);
      if (!this.#left.signal.aborted) this.timeline = withEarlierPage(this.timeline, page);
    } catch (cause) {
      this.#needs.onFailure(cause);
    } finally {
      this.isReadingEarlier = false;
      this.#needs.onChange();
    }
  }

  stop(): void {
    this.#left.abort();
    this.#pause?.abort();
  }

  #become(timeline: Timeline): void {
    if (timeline === this.timeline) return;
    this.timeline = timeline;
    if (hasGap(timeline)) this.catchUp();
    this.#needs.onChange();
  }

  async #readUntilComplete(): Promise<void> {
    let failures = 0;
    while (this.#isRequestedAgain && !this.#left.signal.aborted) {
      this.#isRequestedAgain = false;
      try {
        await this.#readOnce();
        failures = 0;
      } catch (cause) {
        failures += 1;
        await this.#afterFailure(cause, failures);
      }
    }
    this.#isReading = false;
  }

  async #readOnce(): Promise<void> {
    const { readAfter, readBefore, onChange } = this.#needs;
    if (!this.timeline.isOpened) this.timeline = withFirstPage(this.timeline, await readBefore(null));
    for (let isMore = true; isMore && !this.#left.signal.aborted; ) {
      const after = getLastSeq(this.timeline);
      const page = await readAfter(after);
      this.timeline = withNextPage(this.timeline, after, page);
      // A page without progress counts as the last one, whatever `has_more` states.
      isMore = page.has_more && getLastSeq(this.timeline) > after;
      if (isMore) onChange();
    }
    if (this.#left.signal.aborted) return;
    this.hasFailed = false;
    this.isComplete = !this.#isRequestedAgain;
    onChange();
  }

  async #afterFailure(cause: unknown, failures: number): Promise<void> {
    if (this.#left.signal.aborted) return;
    this.isComplete = false;
    const isFinal = this.#needs.isFinal(cause);
    this.hasFailed = isFinal || failures > quietFailures;
    this.#needs.onFailure(cause);
    this.#needs.onChange();
    if (isFinal) return;
    this.#isRequestedAgain = true;
    this.#pause = new AbortController();
    await this.#needs.wait(pauseMs(failures), AbortSignal.any([this.#pause.signal, this.#left.signal]));
    this.#pause = undefined;
  }
}
