/**
 * The assistant (A115): answers about the caller's own account and about how things work, from facts. Without a model it is
 * `ask_assistant`; with one `POST /assistant/v1/answer` streams the same answer, and then the sentences of the model that are
 * grounded in it (docs/assistant.md).
 */
import { accountTopics, questionLengthMax, questionPeriods, sides, topicsMax } from '@fulcrum/domain';
import { z } from 'zod';
import { id } from '../columns.ts';
import { storableText } from './arguments.ts';
import { query } from './procedure.ts';

const question = storableText(questionLengthMax);
/** IANA, such as `Europe/Berlin`; default UTC. */
const timeZone = z.string().min(1).max(64).nullish();

const passage = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  /** The page that it is about; null: none. */
  path: z.string().nullable(),
});

const fact = z.object({
  label: z.string(),
  /** As it is shown, with its unit. */
  value: z.string(),
  /** The closed trade that it is about. */
  trade: z.object({ id, symbol: z.string(), side: z.enum(sides) }).nullable(),
});

const subject = z.object({
  topics: z.array(z.enum(accountTopics)).min(1).max(topicsMax),
  period: z.enum(questionPeriods),
  /** The pair that it is narrowed to; null: all. */
  symbol: z.string().max(32).nullable(),
});

const assistantAnswer = z.object({
  /** `none`: the question was not understood. */
  kind: z.enum(['facts', 'help', 'order', 'none']),
  text: z.string(),
  /** Facts of the account as of now, each group with the page that has them. */
  sections: z.array(
    z.object({ title: z.string(), path: z.string(), facts: z.array(fact), note: z.string().nullable() }),
  ),
  passages: z.array(passage),
  /** What the order form is filled with; the user sends it. */
  order: z
    .object({
      symbol: z.string(),
      side: z.enum(sides),
      /** Decimal texts; null: not stated. */
      amount: z.string().nullable(),
      leverage: z.number().int().nullable(),
      stop_loss: z.string().nullable(),
      take_profit: z.string().nullable(),
    })
    .nullable(),
  /** Questions that it can answer; empty for an answer. */
  examples: z.array(z.string()),
  /** Of `facts`: what they are about, for the next question. */
  about: subject.nullable(),
});
export type AssistantAnswer = z.infer<typeof assistantAnswer>;

/** The body of `POST /assistant/v1/answer`. */
export const assistantQuestion = z.strictObject({
  p_question: question,
  p_time_zone: timeZone,
  /** `about` of the answer before: "and ETH?" is read as a question about the same. */
  p_about: subject.nullish(),
});

/** The lines of its answer, JSON each: one `answer`, then what the model writes, then one `end`. */
export type AssistantLine =
  | {
      readonly type: 'answer';
      readonly answer: AssistantAnswer;
      /** What was sent to the model, to the letter; null: nothing was. */
      readonly sent: { readonly model: string; readonly host: string; readonly text: string } | null;
      /** Why no model writes; null where one does, and where none could add anything. */
      readonly refusal: string | null;
    }
  | { readonly type: 'sentence'; readonly text: string }
  /** A sentence that is not shown: it states what the facts do not. */
  | { readonly type: 'left_out' }
  | {
      readonly type: 'end';
      /** `ungrounded`: two sentences in a row were left out. */
      readonly reason: 'complete' | 'ungrounded' | 'failed' | 'too_long' | 'no_model';
    };

/** What the assistant can do here. */
export const getAssistant = query('get_assistant', {
  roles: ['trader'],
  result: z.object({
    examples: z.array(z.string()),
    /** Null: answers come from rules and search alone. `answers_left` of the caller's day. */
    model: z
      .object({
        name: z.string(),
        host: z.string(),
        answers_a_day: z.number().int(),
        answers_left: z.number().int(),
      })
      .nullable(),
  }),
});
export type AssistantTerms = z.infer<typeof getAssistant.result>;

/** Answers by rules and search; never by a model. */
export const askAssistant = query('ask_assistant', {
  roles: ['trader'],
  args: assistantQuestion,
  result: assistantAnswer,
});

/** The passage of the help that answers a message to support, for its trader and for its agent; null: none is near enough. */
export const suggestAnswer = query('suggest_answer', {
  roles: ['trader', 'support'],
  args: z.strictObject({ p_text: storableText(2_000) }),
  result: passage.nullable(),
});
