/**
 * Answers URLs that the router itself refuses: invalid escapes, a part that is too long. No hook has run by then, so this
 * module adds the headers of every other response. The response does not repeat the URL.
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Whether the router would refuse the path for the length of a part, where no wildcard took it first. */
export function hasPartBeyondRouter({ initialConfig }: FastifyInstance, path: string): boolean {
  const { maxParamLength } = initialConfig;
  return maxParamLength !== undefined && path.split('/').some((part) => part.length > maxParamLength);
}

export function answerUnreadableUrl(
  error: Pick<FastifyError, 'statusCode'>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
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
