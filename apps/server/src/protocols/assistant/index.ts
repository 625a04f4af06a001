/**
 * `POST /assistant/v1/answer`: an answer of the assistant, and then the sentences that a language model writes, one line of JSON each
 * (`AssistantLine`). Invariants: a trader's own session alone is admitted, never an impersonation or an API key; no cache stores the
 * answer; when the connection ends, the model's request does.
 */
import { Readable } from 'node:stream';
import { AppError, assistantQuestion, type Caller, isImpersonating, texts } from '@fulcrum/contract';
import type { FastifyInstance } from 'fastify';
import type { Assistant } from '../../features/assistant/index.ts';
import type { Admission } from '../admission.ts';
import { getDisconnectSignal } from '../http/disconnect.ts';

interface AssistantRouteDependencies {
  readonly identity: {
    /** Anonymous without a token; throws `not_signed_in` for a bad one and for a key that is not this server's. */
    callerOf(headers: { authorization?: string | undefined; apikey?: string | undefined }): Caller;
  };
  readonly assistant: Pick<Assistant, 'answer'>;
  /** One instance serves all protocols of a server. */
  readonly admission: Pick<Admission, 'admit'>;
}

const bodyLimit = 8 * 1024;

async function* toJsonLines(lines: AsyncIterable<unknown>): AsyncGenerator<string, void, undefined> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}

export function registerAssistant(
  app: FastifyInstance,
  { identity, assistant, admission }: AssistantRouteDependencies,
): void {
  app.post('/assistant/v1/answer', { bodyLimit }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const { authorization, apikey } = request.headers;
    const caller = admission.admit(request.ip, () =>
      identity.callerOf({ authorization, apikey: typeof apikey === 'string' ? apikey : undefined }),
    );
    if (caller.role === 'anon') throw new AppError('not_signed_in', texts.authSessionMissing);
    if (isImpersonating(caller)) throw new AppError('not_allowed', texts.notWhileImpersonating);
    if (caller.role !== 'trader') throw new AppError('not_allowed', 'The assistant is for traders.');
    const question = assistantQuestion.safeParse(request.body);
    if (!question.success) throw new AppError('invalid_argument', 'The question cannot be read.');
    const lines = await assistant.answer(caller, question.data, getDisconnectSignal(reply));
    return reply
      .header('content-type', 'application/x-ndjson; charset=utf-8')
      .header('x-accel-buffering', 'no')
      .send(Readable.from(toJsonLines(lines)));
  });
}
