/**
 * The assistant (A115, docs/assistant.md): answers about the caller's own account and about how things work. It reads, and changes
 * nothing. Invariants: no impersonation, no API key and no visitor has one; without a model an answer comes from rules and search alone;
 * what goes to a model is on the caller's screen, and what comes from it is checked against that.
 */
import type { ArgsOf, AssistantLine, AssistantTerms, SignedIn } from '@fulcrum/contract';
import type { Config } from '../../platform/config/index.ts';
import type { Log } from '../../platform/log/index.ts';
import type { StreamingOutbound } from '../../platform/outbound/index.ts';
import { TooManyAttempts } from '../../platform/rate-limit/too-many-attempts.ts';
import { countAttempt, countAttemptsLeft, refundAttempt } from '../../platform/rate-limit/window-counter.ts';
import { type AnswerDependencies, createAnswers, examples } from './answers.ts';
import { createModel } from './model.ts';
import { messageFor } from './prompt.ts';
import { createWriter } from './writer.ts';

interface AssistantDependencies extends AnswerDependencies {
  readonly log: Log;
  readonly config: Pick<Config, 'languageModel' | 'limits'>;
  /** Calls the model; the operator names its address, so it may be on a private network. */
  readonly outbound: Pick<StreamingOutbound, 'postForStream'>;
}

type Question = ArgsOf<'ask_assistant'>;

export function createAssistant(deps: AssistantDependencies) {
  const { db, timers, log, config, outbound } = deps;
  const { answer, suggest } = createAnswers(deps);
  const { assistantTexts } = config.limits;
  const writer =
    config.languageModel === null
      ? null
      : createWriter({ model: createModel(config.languageModel, outbound), log });
  const stopping = new AbortController();

  /** Null: the budget of the user's day is used up. */
  async function countText(userId: string): Promise<true | null> {
    try {
      await countAttempt(db, assistantTexts, userId, new Date(timers.now()));
      return true;
    } catch (error) {
      if (error instanceof TooManyAttempts) return null;
      throw error;
    }
  }

  /** The lines after the answer itself has been computed, so that a refusal of the question is no line. */
  async function* lines(
    { userId }: SignedIn,
    { p_question: question }: Question,
    found: Awaited<ReturnType<typeof answer>>,
    gone: AbortSignal,
  ): AsyncGenerator<AssistantLine, void, undefined> {
    const hasSources = found.sections.length > 0 || found.passages.length > 0;
    const isCounted = writer !== null && hasSources ? await countText(userId) : null;
    if (writer === null || isCounted === null) {
      const refusal =
        writer !== null && hasSources
          ? `The ${assistantTexts.attemptsMax} answers a day that the model writes for you are used up. Facts and help go on.`
          : null;
      yield { type: 'answer', answer: found, sent: null, refusal };
      return yield { type: 'end', reason: 'no_model' };
    }
    const { name, host } = writer.model;
    yield {
      type: 'answer',
      answer: found,
      sent: { model: name, host, text: messageFor(question, found) },
      refusal: null,
    };
    yield* writer.write({
      ...{ userId, question, answer: found },
      signal: AbortSignal.any([gone, stopping.signal]),
      onNothing: () => refundAttempt(db, log, assistantTexts, userId),
    });
  }

  return {
    procedures: {
      get_assistant: async ({ userId }: SignedIn): Promise<AssistantTerms> => ({
        examples: [...examples],
        model: writer && {
          name: writer.model.name,
          host: writer.model.host,
          answers_a_day: assistantTexts.attemptsMax,
          answers_left: await countAttemptsLeft(db, assistantTexts, userId, new Date(timers.now())),
        },
      }),
      /** @throws AppError invalid_argument, busy */
      ask_assistant: (caller: SignedIn, args: Question) => answer(caller, args),
      suggest_answer: (_caller: SignedIn, { p_text }: ArgsOf<'suggest_answer'>) =>
        Promise.resolve(suggest(p_text)),
    },
    /** The lines of an answer, the model's sentences as they pass. `gone` ends them. @throws AppError invalid_argument, busy */
    answer: async (caller: SignedIn, question: Question, gone: AbortSignal) =>
      lines(caller, question, await answer(caller, question), gone),
    /** Ends the texts that are being written. */
    stop: () => stopping.abort(),
  };
}
export type Assistant = ReturnType<typeof createAssistant>;
