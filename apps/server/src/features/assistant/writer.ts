/**
 * Writes an answer with a model. Invariant: a sentence leaves this module only after its check against the facts and passages of that
 * answer (`createGrounding`); a sentence that fails is left out, and two in a row end the text. The model can add nothing to an answer
 * without facts and passages, so it is not called for one.
 */
import { AppError, type AssistantAnswer, type AssistantLine, busy } from '@fulcrum/contract';
import { createGrounding, createSentenceSplitter } from '@fulcrum/domain';
import { beforeAbort } from '../../platform/before-abort.ts';
import { createFairQueue } from '../../platform/fair-queue.ts';
import type { Log } from '../../platform/log/index.ts';
import type { Model } from './model.ts';
import { instructions, messageFor, sourcesOf } from './prompt.ts';

/** Models are slow, and one on this machine serves few at a time. */
const limits = { runningMax: 4, runningOfOneMax: 1, waitingMax: 40, waitingOfOneMax: 1 };
/** How long a question waits for a slot. */
const slotWithinMs = 20_000;
/** A model that fails later has worked for the user. */
const refusedWithinMs = 5_000;
const sentencesMax = 12;
const faultsInRowMax = 2;

interface Writing {
  readonly userId: string;
  readonly question: string;
  readonly answer: AssistantAnswer;
  readonly signal: AbortSignal;
  /** Called when the model did not work: no slot was free in time, or it refused at once. */
  readonly onNothing: () => Promise<void>;
}

type TextLine = Exclude<AssistantLine, { type: 'answer' }>;

export function createWriter({ model, log }: { readonly model: Model; readonly log: Log }) {
  const withSlot = createFairQueue(limits);
  /** Resolves with the function that gives the slot back. @throws AppError `busy` */
  const takeSlot = (userId: string): Promise<() => void> =>
    new Promise((resolve, reject) => {
      withSlot(userId, () => new Promise<void>(resolve)).catch(reject);
    });

  /** The same within the time, and only while the caller is there. A slot that comes later goes to the next one. @throws AppError `busy` */
  async function takeSlotWithin(userId: string, signal: AbortSignal): Promise<() => void> {
    const ends = AbortSignal.any([signal, AbortSignal.timeout(slotWithinMs)]);
    return beforeAbort(takeSlot(userId), ends, busy, (release) => release());
  }

  async function* checked({ question, answer, signal }: Writing): AsyncGenerator<TextLine, void, undefined> {
    const grounding = createGrounding(sourcesOf(answer));
    const splitter = createSentenceSplitter();
    let [sentences, faults] = [0, 0];
    const parts = model
      .read({ instructions, message: messageFor(question, answer), signal })
      [Symbol.asyncIterator]();
    try {
      for (let isOver = false; !isOver; ) {
        const part = await parts.next();
        isOver = part.done === true;
        for (const text of part.done ? splitter.end() : splitter.push(part.value)) {
          const fault = grounding.faultOf(text);
          faults = fault === null ? 0 : faults + 1;
          yield fault === null ? { type: 'sentence', text } : { type: 'left_out' };
          if (faults >= faultsInRowMax) return yield { type: 'end', reason: 'ungrounded' };
          sentences += 1;
          if (sentences >= sentencesMax) return yield { type: 'end', reason: 'too_long' };
        }
      }
      yield { type: 'end', reason: 'complete' };
    } finally {
      await parts.return?.();
    }
  }

  return {
    model,
    async *write(writing: Writing): AsyncGenerator<TextLine, void, undefined> {
      let release: (() => void) | null = null;
      let hasText = false;
      let startedAt = 0;
      try {
        release = await takeSlotWithin(writing.userId, writing.signal);
        startedAt = performance.now();
        for await (const line of checked(writing)) {
          hasText = true;
          yield line;
        }
      } catch (error) {
        if (writing.signal.aborted) return;
        // Never with what was sent or received.
        if (!(error instanceof AppError)) log.warn({ err: error }, 'the language model gave no whole text');
        yield { type: 'end', reason: 'failed' };
      } finally {
        release?.();
        const isRefused = !writing.signal.aborted && performance.now() - startedAt < refusedWithinMs;
        if (!hasText && (release === null || isRefused)) await writing.onNothing();
      }
    },
  };
}
