/**
 * `GET /exports/v1/{link}`: streams a file while it is generated. Invariants: a link works only with the session that
 * requested it, and answers 404 with any other; no cache stores the response.
 */
import { AppError, type Caller, type SignedIn, texts } from '@fulcrum/contract';
import type { FastifyInstance } from 'fastify';
import type { ExportedFile } from '../../features/staff/index.ts';
import { getDisconnectSignal } from '../http/disconnect.ts';
import { answerUnreadableUrl, hasPartBeyondRouter } from '../http/unreadable-urls.ts';

interface ExportsDependencies {
  readonly identity: {
    /** Anonymous without a token; throws `not_signed_in` for a bad one and for a key that is not this server's. */
    callerOf(headers: { authorization?: string | undefined; apikey?: string | undefined }): Caller;
  };
  readonly exports: {
    /** @throws AppError `not_found`, `busy` */
    open(caller: SignedIn, token: string, gone: AbortSignal): Promise<ExportedFile>;
  };
}

interface WithLink {
  readonly Params: { readonly link: string };
}

export function registerExports(app: FastifyInstance, { identity, exports }: ExportsDependencies): void {
  app.get<WithLink>('/exports/v1/:link', { exposeHeadRoute: false }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const caller = identity.callerOf(request.headers);
    if (caller.role === 'anon') throw new AppError('not_signed_in', texts.authSessionMissing);
    const { fileName, contentType, body } = await exports.open(
      caller,
      request.params.link,
      getDisconnectSignal(reply),
    );
    return reply
      .header('content-type', contentType)
      .header('content-disposition', attachment(fileName))
      .header('cross-origin-resource-policy', 'same-origin')
      .send(body);
  });
  // The web app's files have a route for every GET, which would be found before the router refuses a link for its length.
  app.get<{ readonly Params: { readonly '*': string } }>(
    '/exports/v1/*',
    { exposeHeadRoute: false },
    (request, reply) => {
      if (hasPartBeyondRouter(app, request.params['*']))
        answerUnreadableUrl({ statusCode: 414 }, request, reply);
      else reply.callNotFound();
    },
  );
}

/** RFC 6266; a name has letters, digits and `._-` only, but not all of them are ASCII. */
const attachment = (fileName: string): string =>
  `attachment; filename="${fileName.replace(/[^\x20-\x7e]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(fileName)}`;
