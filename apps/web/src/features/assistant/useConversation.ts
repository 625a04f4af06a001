/**
 * The questions of this page load and their answers. Nothing of it is stored: a reload or another account begins again. One question is
 * answered at a time.
 */
import type { AssistantAnswer } from '@fulcrum/contract';
import { useEffect, useRef, useState } from 'react';
import { newClientId } from '../../shared/ids/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { getErrorMessage, unwrap } from '../../shared/supabase/index.ts';

export interface Exchange {
  readonly id: string;
  readonly question: string;
  /** Null until it has arrived. */
  readonly answer: AssistantAnswer | null;
  readonly failure: string | null;
}

/** Older ones are removed. */
const exchangesMax = 50;

export function useConversation() {
  const { accountId, supabase } = useSignedIn();
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([]);
  const running = useRef<AbortController | null>(null);
  const [isReading, setReading] = useState(false);

  useEffect(() => () => running.current?.abort(), []);

  const change = (id: string, changed: (exchange: Exchange) => Exchange) =>
    setExchanges((all) => all.map((one) => (one.id === id ? changed(one) : one)));

  async function ask(question: string): Promise<void> {
    const abort = new AbortController();
    running.current = abort;
    const id = newClientId();
    setExchanges((all) => [...all, { id, question, answer: null, failure: null }].slice(-exchangesMax));
    setReading(true);
    try {
      const answer = await unwrap(
        supabase.rest
          .rpc('ask_assistant', {
            p_question: question,
            p_time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
          })
          .abortSignal(abort.signal),
      );
      change(id, (exchange) => ({ ...exchange, answer }));
    } catch (cause) {
      if (abort.signal.aborted) return;
      const failure = getErrorMessage(cause, 'The question was not answered. Please try again.');
      change(id, (exchange) => ({ ...exchange, failure }));
    } finally {
      if (running.current === abort) setReading(false);
    }
  }

  return { accountId, exchanges, isReading, ask };
}
