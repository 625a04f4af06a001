/**
 * Keeps a timeline complete. Whoever is told that something may have been missed calls `catchUp`: the first time the latest
 * page is read, then page after page behind the last message until there are none. What is announced meanwhile is offered
 * at once and waits in the timeline. Invariant: one reading at a time; a call during one causes another after it, because
 * the answer on its way may be older than what caused the call. A reading that fails is tried again with a growing pause
 * until it works or the conversation is left.
 */
import type { ChatMessage, ChatSession } from './terms.ts';
import {
  continued,
  emptyTimeline,
  hasEarlier,
  hasGap,
  lastSeqOf,
  opened,
  type Page,
  preceded,
  type Timeline,
  withMessage,
  withSession,
} from './timeline.ts';

export interface SyncNeeds {
  readonly readAfter: (seq: number) => Promise<Page>;
  readonly readBefore: (seq: number | null) => Promise<Page>;
  readonly onChange: () => void;
  /** A reading failed; `isFinal` when trying again is of no use. */
  readonly onFailure: (cause: unknown) => void;
  readonly isFinal: (cause: unknown) => boolean;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

const pauseMs = (failures: number): number => Math.min(30_000, 500 * 3 ** (failures - 1));
/** Until this many failures in a row an opening is still called loading. */
const quietFailures = 2;

export class Sync {
  timeline: Timeline = emptyTimeline;
  /** Everything that was missed has been read, as far as anybody knows. */
  isComplete: boolean = false;
  hasFailed: boolean = false;
  isReadingEarlier: boolean = false;
  readonly #needs: SyncNeeds;
  readonly #left = new AbortController();
  #isReading: boolean = false;
  #isAskedAgain: boolean = false;
  /** Ends the pause after a failure. */
  #pause: AbortController | undefined;

  constructor(needs: SyncNeeds) {
    this.#needs = needs;
  }

  offerMessage(row: ChatMessage): void {
    this.#become(withMessage(this.timeline, row));
  }

  offerSession(session: ChatSession): void {
    this.#become(withSession(this.timeline, session));
  }

  /** What is held may have a hole that nobody announced. */
  catchUp(): void {
    this.#isAskedAgain = true;
    this.#pause?.abort();
    if (this.#isReading || this.#left.signal.aborted) return;
    this.#isReading = true;
    // Nothing in it rejects: failures are told and tried again.
    void this.#readUntilComplete();
  }

  /** As long as the link is down nobody knows whether something is missing. */
  doubt(): void {
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
      if (!this.#left.signal.aborted) this.timeline = preceded(this.timeline, page);
    } catch (cause) {
      this.#needs.onFailure(cause);
    } finally {
      this.isReadingEarlier = false;
      this.#needs.onChange();
    }
  }

  leave(): void {
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
    while (this.#isAskedAgain && !this.#left.signal.aborted) {
      this.#isAskedAgain = false;
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
    if (!this.timeline.isOpened) this.timeline = opened(this.timeline, await readBefore(null));
    for (let isMore = true; isMore && !this.#left.signal.aborted; ) {
      const after = lastSeqOf(this.timeline);
      const page = await readAfter(after);
      this.timeline = continued(this.timeline, after, page);
      // A page that brings nothing on is the last one, whatever it says.
      isMore = page.has_more && lastSeqOf(this.timeline) > after;
      if (isMore) onChange();
    }
    if (this.#left.signal.aborted) return;
    this.hasFailed = false;
    this.isComplete = !this.#isAskedAgain;
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
    this.#isAskedAgain = true;
    this.#pause = new AbortController();
    await this.#needs.wait(pauseMs(failures), AbortSignal.any([this.#pause.signal, this.#left.signal]));
    this.#pause = undefined;
  }
}
