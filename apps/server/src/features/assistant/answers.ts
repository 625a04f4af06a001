/**
 * Answers a question by rules and search (A115): an order that the form is filled with, facts of the account, passages of the help, or an
 * honest "not understood" with examples. Invariant: no figure is in a text of an answer but in its facts, its passages and its order.
 */
import type { ArgsOf, AssistantAnswer, SignedIn } from '@fulcrum/contract';
import {
  createSearch,
  findNamedPair,
  followUpOf,
  intentOf,
  type QuestionSubject,
  readOrderRequest,
} from '@fulcrum/domain';
import type { Timers } from '../../platform/clock/index.ts';
import { requireZone } from '../../platform/request/time-zone.ts';
import type { Market } from '../market/index.ts';
import { type HelpPassage, helpPassages } from './help.ts';
import { createTools, type ToolDependencies } from './tools.ts';

export interface AnswerDependencies extends ToolDependencies {
  readonly market: Pick<Market, 'price' | 'pair' | 'pairs'>;
  readonly timers: Pick<Timers, 'now'>;
  readonly allowReset: boolean;
}

export const examples: readonly string[] = [
  'What is my balance?',
  'How far are my positions from liquidation?',
  'How did I do this week?',
  'Which habit costs me the most?',
  'What did I pay in fees?',
  'How does funding work?',
  'Buy 0.1 BTC at 10x',
];

const passagesMax = 3;
const passagesBesideFacts = 1;
/** Below it a suggestion for support would often be beside the question. */
const suggestionScoreMin = 4;

const empty: AssistantAnswer = {
  ...{ kind: 'none', text: '', sections: [], passages: [], order: null, examples: [], about: null },
};

const toWire = ({ id, title, text, path }: HelpPassage): AssistantAnswer['passages'][number] => ({
  id,
  title,
  text,
  path,
});

export function createAnswers(deps: AnswerDependencies) {
  const { market, timers, allowReset } = deps;
  const readSections = createTools(deps);
  const search = createSearch(helpPassages({ allowReset }));
  const find = (text: string, most: number): AssistantAnswer['passages'] =>
    search(text, most).map(({ passage }) => toWire(passage));

  const notUnderstood = (text: string): AssistantAnswer => ({ ...empty, text, examples: [...examples] });

  const named = (question: string, assets: 'cased' | 'any case'): string | null => {
    const pair = findNamedPair(question, market.pairs(), assets);
    return pair === 'several' ? null : (pair?.symbol ?? null);
  };
  /** In "and eth?" a term that could be an asset is one. */
  const follow = (question: string, before: QuestionSubject): QuestionSubject | null =>
    followUpOf(question, named(question, 'cased') ?? named(question, 'any case'), before);

  /** @throws AppError invalid_argument for an unknown zone; busy */
  async function answer(
    caller: SignedIn,
    { p_question, p_time_zone, p_about }: ArgsOf<'ask_assistant'>,
  ): Promise<AssistantAnswer> {
    const question = p_question.trim();
    const zoneName = p_time_zone ?? 'UTC';
    const zone = requireZone(zoneName, 'ask_assistant');
    if (question === '') return notUnderstood('Type a question, for instance one of these.');
    const reading = readOrderRequest(question, market.pairs());
    if (reading?.kind === 'order') {
      const { stopLoss, takeProfit, ...order } = reading.order;
      return {
        ...empty,
        kind: 'order',
        text: 'The assistant cannot trade. It can fill the order form with this order; you check it and send it.',
        order: { ...order, stop_loss: stopLoss, take_profit: takeProfit },
      };
    }
    if (reading?.kind === 'incomplete') {
      return notUnderstood(`This reads like an order, but the order form was not filled: ${reading.reason}`);
    }
    const passages = find(question, passagesMax);
    if (reading?.kind === 'action') {
      return {
        ...empty,
        kind: 'help',
        text: 'The assistant changes nothing in your account. This is how you do it:',
        passages: passages.length > 0 ? passages : find('close position order form', 1),
      };
    }
    const followed = p_about ? follow(question, p_about) : null;
    const intent = intentOf(question);
    const about =
      followed ?? (intent.kind === 'account' ? { ...intent, symbol: named(question, 'cased') } : null);
    if (about !== null) {
      const { topics, period } = about;
      const pair = about.symbol === null ? null : (market.pair(about.symbol) ?? null);
      const sections = await readSections(caller, topics, {
        ...{ period, zone, zoneName, now: timers.now() },
        pair,
      });
      return {
        ...empty,
        kind: 'facts',
        text: followed === null ? 'From your account:' : 'From your account, as in the answer before:',
        about: { topics: [...topics], period, symbol: pair?.symbol ?? null },
        sections: [...sections],
        passages: passages.slice(0, passagesBesideFacts),
      };
    }
    if (passages.length === 0) {
      return notUnderstood(
        'This question was not understood. The assistant answers questions about your account and about how Fulcrum works, for instance these. Support answers the others.',
      );
    }
    return { ...empty, kind: 'help', text: 'From the help:', passages };
  }

  return {
    answer,
    /** The passage nearest to a message for support; null: none is near enough. */
    suggest: (text: string): AssistantAnswer['passages'][number] | null => {
      const [hit] = search(text, 1);
      return hit && hit.score >= suggestionScoreMin ? toWire(hit.passage) : null;
    },
  };
}
