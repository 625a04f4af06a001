/**
 * `POST /hooks/{secret}`: takes a signal for an account. Invariants: whoever has the address may send, and nobody else learns whether
 * it exists; the secret appears in no line of the log, where the path is `/hooks/…`; the body is read as text, whatever
 * type its sender gives it. TradingView waits for three seconds, so the answer follows the storing and not the execution.
 */
import { AppError, texts } from '@fulcrum/contract';
import { signalBodyMax } from '@fulcrum/domain';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Signals } from '../../features/signals/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { TooManyAttempts } from '../../platform/rate-limit/too-many-attempts.ts';
import type { Admission } from '../admission.ts';

interface HooksDependencies {
  readonly signals: Pick<Signals, 'receive'>;
  /** One instance serves all protocols of a server. */
  readonly admission: Pick<Admission, 'admitStranger'>;
  readonly log: Log;
}

interface WithSecret {
  readonly Params: { readonly secret: string };
}

const prefix = '/hooks/';
/** The path of a request as the log may have it. */
export const toLoggedPath = (url: string): string =>
  url.startsWith(prefix) ? `${prefix}…` : (url.split('?', 1)[0] ?? url);

const send = (reply: FastifyReply, { status, code, message, details, hint }: AppError) =>
  reply.code(status).send({ code, message, details, hint });

/** @returns the error of a request that never reached its handler; null for a fault of the server */
function toKnown(error: Error & { readonly statusCode?: number }): AppError | null {
  if (error instanceof AppError) return error;
  if (error.statusCode === 413) {
    return new AppError(
      'payload_too_large',
      `A signal has at most ${signalBodyMax} bytes. Send a shorter message.`,
    );
  }
  const isOfSender = error.statusCode !== undefined && error.statusCode < 500;
  return isOfSender ? new AppError('invalid_argument', 'The request cannot be read.') : null;
}

export async function registerHooks(
  app: FastifyInstance,
  { signals, admission, log }: HooksDependencies,
): Promise<void> {
  await app.register(async (hooks) => {
    hooks.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });
    hooks.removeAllContentTypeParsers();
    hooks.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    hooks.setErrorHandler((error: Error, request, reply) => {
      const known = toKnown(error);
      if (known instanceof TooManyAttempts) reply.header('retry-after', known.retryAfterS);
      if (known) return send(reply, known);
      log.error(
        { err: error, request_id: request.id, path: toLoggedPath(request.url) },
        'a signal was not stored',
      );
      return reply
        .code(500)
        .send({ code: 'internal', message: texts.unexpectedError, details: null, hint: null });
    });

    hooks.post<WithSecret>('/hooks/:secret', { bodyLimit: signalBodyMax }, async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const { id, isRepeated, fault } = await admission.admitStranger(request.ip, () =>
        signals.receive(request.params.secret, body),
      );
      if (fault) return send(reply, fault);
      return reply.send({ id, repeated: isRepeated });
    });
  });
}
