/**
 * The order of frames. `RecentFrames` is the leader's memory of the last ones, `FrameOrder` what a mirror may apply next.
 * Invariant: a mirror applies all frames of a term from its snapshot on, each once and in order, or none: what comes after a gap waits
 * until the gap is filled, or a snapshot steps over it. Frames of an earlier term than one that was heard of are never applied.
 */
import type { PriceNumber } from '../price.ts';
import type { Frame } from './wire.ts';

const retainedMs = 10_000;
/** Of one answer, which stays well below what a message may hold. */
const ticksPerAnswer = 1_000;
/** Frames behind a gap; there are fifty a second at most, and beyond this they are asked for again. */
const waitingMax = 1_000;

export class RecentFrames {
  #frames: Frame[] = [];

  push(frame: Frame): void {
    this.#frames.push(frame);
    const oldest = frame.at - retainedMs;
    // A clock that was set back keeps them a little longer, until there are too many.
    while (this.#frames.length > waitingMax || (this.#frames[0]?.at ?? frame.at) < oldest)
      this.#frames.shift();
  }

  /** The frames after `seq`, as many as one answer holds; null where the first of them is gone or yet to come. */
  after(seq: number): Frame[] | null {
    const first = this.#frames[0];
    const last = this.#frames.at(-1);
    if (!first || !last || seq + 1 < first.seq || seq > last.seq) return null;
    const answer: Frame[] = [];
    let ticks = 0;
    for (const frame of this.#frames.slice(seq + 1 - first.seq)) {
      ticks += frame.ticks.length;
      if (answer.length > 0 && ticks > ticksPerAnswer) break;
      answer.push(frame);
    }
    return answer;
  }
}

export class FrameOrder {
  #position: PriceNumber | null = null;
  #term = 0;
  readonly #waiting = new Map<number, Frame>();

  /** What is applied; null before the first snapshot. */
  get position(): PriceNumber | null {
    return this.#position;
  }

  /** The highest term that was heard of. */
  get term(): number {
    return this.#term;
  }

  /** Takes a frame in, unless it is applied already or of an earlier term. */
  offer(frame: Frame): void {
    if (frame.term < this.#term) return;
    this.#raiseTerm(frame.term);
    if (this.#isOfPresentTerm() && frame.seq <= (this.#position?.seq ?? 0)) return;
    if (this.#waiting.size >= waitingMax) this.#waiting.clear();
    this.#waiting.set(frame.seq, frame);
  }

  /** The next frame in order, which counts as applied from now on; undefined while it is missing. */
  take(): Frame | undefined {
    if (!this.#position || !this.#isOfPresentTerm()) return undefined;
    const next = this.#waiting.get(this.#position.seq + 1);
    if (!next) return undefined;
    this.#waiting.delete(next.seq);
    this.#position = { term: next.term, seq: next.seq };
    return next;
  }

  /** Whether something is known to be missing. Ask after `take` has given all that there is. */
  isBehind(): boolean {
    return !this.#position || !this.#isOfPresentTerm() || this.#waiting.size > 0;
  }

  /** Goes on from a snapshot. False, and nothing changes, for one that is older than what is applied or heard of. */
  jumpTo({ term, seq }: PriceNumber): boolean {
    if (term < this.#term) return false;
    this.#raiseTerm(term);
    if (this.#isOfPresentTerm() && this.#position && seq < this.#position.seq) return false;
    this.#position = { term, seq };
    for (const waiting of this.#waiting.keys()) if (waiting <= seq) this.#waiting.delete(waiting);
    return true;
  }

  #isOfPresentTerm(): boolean {
    return this.#position?.term === this.#term;
  }

  #raiseTerm(term: number): void {
    if (term === this.#term) return;
    this.#term = term;
    this.#waiting.clear();
  }
}
