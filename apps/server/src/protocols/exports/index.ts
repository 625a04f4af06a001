/**
 * `GET /exports/v1/{link}`: a file that is made while it is sent. Invariant: whoever comes with a link brings the session that asked
 * for it; with another one there is nothing at that address. Nothing of it is kept by anybody in between.
 */
import { AppError, type Caller, texts } from '@fulcrum/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ExportedFile } from '../../features/staff/index.ts';

export interface ExportsDependencies {
  readonly accounts: {
    /** Anonymous without a token; throws `not_signed_in` for a bad one and for a key that is not this server's. */
    callerOf(headers: { authorization?: string | undefined; apikey?: string | undefined }): Caller;
  };
  readonly exports: {
    /** @throws AppError `not_found`, `busy` */
    open(caller: Caller, token: string, gone: AbortSignal): Promise<ExportedFile>;
  };
}

interface WithLink {
  readonly Params: { readonly link: string };
}

export function registerExports(app: FastifyInstance, { accounts, exports }: ExportsDependencies): void {
  app.get<WithLink>('/exports/v1/:link', { exposeHeadRoute: false }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const caller = accounts.callerOf(request.headers);
    if (caller.role === 'anon') throw new AppError('not_signed_in', texts.authSessionMissing);
    const { fileName, contentType, body } = await exports.open(caller, request.params.link, goneOf(reply));
    return reply
      .header('content-type', contentType)
      .header('content-disposition', attachment(fileName))
      .header('cross-origin-resource-policy', 'same-origin')
      .send(body);
  });
}

/** Aborted when the connection ends before the answer does. */
function goneOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** RFC 6266; a name has letters, digits and `._-` only, but not all of them are ASCII. */
const attachment = (fileName: string): string =>
  `attachment; filename="${fileName.replace(/[^\x20-\x7e]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(fileName)}`;
