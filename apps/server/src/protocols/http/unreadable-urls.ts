/**
 * Answers to addresses that the router itself refuses: escapes that stand for no character, a part that is too long. No hook has run
 * by then, so what every other answer carries is put here. The address is not repeated.
 */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

export function answerUnreadableUrl(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  void reply
    .code(error.statusCode ?? 400)
    .headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    .send({ code: 'invalid_request', message: 'This address cannot be read.', details: null, hint: null });
}
