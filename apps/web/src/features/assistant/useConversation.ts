/**
 * The questions of this page load and their answers. Nothing of it is stored: a reload or another account begins again. One question is
 * answered at a time.
 */
import type { AssistantAnswer, AssistantLine } from '@fulcrum/contract';
import { useEffect, useRef, useState } from 'react';
import { newClientId } from '../../shared/ids/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { getErrorMessage, unwrap } from '../../shared/supabase/index.ts';
import { readAnswer } from './answer-stream.ts';

type End = Extract<AssistantLine, { type: 'end' }>['reason'];
type Sent = Extract<AssistantLine, { type: 'answer' }>['sent'];

export interface Exchange {
  readonly id: string;
  readonly question: string;
  /** Null until it has arrived. */
  readonly answer: AssistantAnswer | null;
  readonly failure: string | null;
  /** What went to a model; null: nothing did. */
  readonly sent: Sent;
  /** Why no model writes, where one could. */
  readonly refusal: string | null;
  /** Sentences of the model that passed its check; null for one that was left out. */
  readonly sentences: readonly (string | null)[];
  /** Null while the model writes. */
  readonly end: End | null;
}

/** Older ones are removed. */
const exchangesMax = 50;

const unanswered = (id: string, question: string): Exchange => ({
  ...{ id, question, answer: null, failure: null, sent: null, refusal: null, sentences: [], end: null },
});

function withLine(exchange: Exchange, line: AssistantLine): Exchange {
  switch (line.type) {
    case 'answer':
      return { ...exchange, answer: line.answer, sent: line.sent, refusal: line.refusal };
    case 'sentence':
      return { ...exchange, sentences: [...exchange.sentences, line.text] };
    case 'left_out':
      return { ...exchange, sentences: [...exchange.sentences, null] };
    case 'end':
      return { ...exchange, end: line.reason };
  }
}

/** `hasModel`: whether the server has a language model, which streams its answers. */
export function useConversation(hasModel: boolean) {
  const { supabase } = useSignedIn();
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([]);
  const running = useRef<AbortController | null>(null);
  const isAnswering = useRef<boolean>(false);
  const [isReading, setReading] = useState(false);

  useEffect(() => () => running.current?.abort(), []);

  const change = (id: string, changed: (exchange: Exchange) => Exchange) =>
    setExchanges((all) => all.map((one) => (one.id === id ? changed(one) : one)));

  async function ask(question: string): Promise<void> {
    if (isAnswering.current) return;
    isAnswering.current = true;
    const abort = new AbortController();
    running.current = abort;
    const id = newClientId();
    const request = {
      p_question: question,
      // What the last facts are about, whatever was asked in between.
      p_about: exchanges.findLast(({ answer }) => answer?.about != null)?.answer?.about ?? null,
      p_time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    };
    setExchanges((all) => [...all, unanswered(id, question)].slice(-exchangesMax));
    setReading(true);
    try {
      if (hasModel) {
        for await (const line of readAnswer(supabase, request, abort.signal)) {
          change(id, (exchange) => withLine(exchange, line));
        }
        // A server that stops ends the stream without a last line.
        change(id, (exchange) => ({ ...exchange, end: exchange.end ?? 'failed' }));
      } else {
        const answer = await unwrap(supabase.rest.rpc('ask_assistant', request).abortSignal(abort.signal));
        change(id, (exchange) => ({ ...exchange, answer, end: 'no_model' }));
      }
    } catch (cause) {
      if (abort.signal.aborted) return;
      const failure = getErrorMessage(cause, 'The question was not answered. Please try again.');
      // An answer that has arrived stays; its text ends here.
      change(id, (exchange) =>
        exchange.answer === null ? { ...exchange, failure } : { ...exchange, end: 'failed' },
      );
    } finally {
      isAnswering.current = false;
      if (running.current === abort) setReading(false);
    }
  }

  return { exchanges, isReading, ask };
}
