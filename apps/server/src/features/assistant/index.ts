/**
 * The assistant (A115, docs/assistant.md): answers about the caller's own account and about how things work. It reads, and changes
 * nothing. Invariants: no impersonation, no API key and no visitor has one; without a model an answer comes from rules and search alone.
 */
import type { AssistantTerms, askAssistant, SignedIn, suggestAnswer } from '@fulcrum/contract';
import type { z } from 'zod';
import { type AnswerDependencies, createAnswers, examples } from './answers.ts';

export type AssistantDependencies = AnswerDependencies;

export function createAssistant(deps: AssistantDependencies) {
  const { answer, suggest } = createAnswers(deps);
  return {
    procedures: {
      get_assistant: (): Promise<AssistantTerms> => Promise.resolve({ examples: [...examples], model: null }),
      /** @throws AppError invalid_argument, busy */
      ask_assistant: (caller: SignedIn, args: z.output<typeof askAssistant.args>) => answer(caller, args),
      suggest_answer: (_caller: SignedIn, { p_text }: z.output<typeof suggestAnswer.args>) =>
        Promise.resolve(suggest(p_text)),
    },
  };
}
