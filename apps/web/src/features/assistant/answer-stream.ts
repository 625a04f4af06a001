/** Reads `POST /assistant/v1/answer`: lines of JSON, as they arrive. */
import type { AssistantLine } from '@fulcrum/contract';
import { RequestError, type Supabase } from '../../shared/supabase/index.ts';

export interface Question {
  readonly p_question: string;
  readonly p_time_zone: string;
}

/** @throws RequestError for a refusal; what the connection throws */
export async function* readAnswer(
  supabase: Pick<Supabase, 'post'>,
  question: Question,
  signal: AbortSignal,
): AsyncGenerator<AssistantLine, void, undefined> {
  const response = await supabase.post('/assistant/v1/answer', question, signal);
  if (!response.ok || response.body === null) {
    const refusal: { message?: string; code?: string } = await response.json().catch(() => ({}));
    throw new RequestError(refusal.message ?? '', refusal.code ?? '', response.status);
  }
  yield* toLines(response.body.pipeThrough(new TextDecoderStream()));
}

/** The lines of a text that arrives in parts. */
export async function* toLines(
  parts: ReadableStream<string>,
): AsyncGenerator<AssistantLine, void, undefined> {
  const reader = parts.getReader();
  let rest = '';
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (rest + part.value).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') yield JSON.parse(line) as AssistantLine;
    }
  } finally {
    reader.releaseLock();
  }
}
