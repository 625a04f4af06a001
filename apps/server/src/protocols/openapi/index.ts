/**
 * `GET /openapi/rest.json` and `/openapi/exchange.json`: what `/rest/v1` and `/fapi` offer, as OpenAPI 3.1. Public, and the same for
 * every caller: the contract is no secret. Made at the first request and kept, because it does not change while the process runs.
 */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describeExchange, describeRest, type OpenApiDocument } from '@fulcrum/contract/openapi';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { version } from '../../platform/version.ts';
import { exchangeErrorRows, restErrorRows } from './error-rows.ts';

const documents: Readonly<Record<string, () => OpenApiDocument>> = {
  rest: () => describeRest({ version, errors: restErrorRows() }),
  exchange: () => describeExchange({ version, errors: exchangeErrorRows() }),
};

interface Described {
  readonly text: Buffer;
  readonly gzipped: Buffer;
  readonly etag: string;
}

function toDescribed(document: OpenApiDocument): Described {
  const text = Buffer.from(JSON.stringify(document));
  const digest = createHash('sha256').update(text).digest('base64url');
  // Weak: the compressed bytes are other ones.
  return { text, gzipped: gzipSync(text), etag: `W/"${digest.slice(0, 22)}"` };
}

function answer(request: FastifyRequest, reply: FastifyReply, { text, gzipped, etag }: Described) {
  // A browser keeps it, and asks whether it is still the same.
  reply.headers({ 'cache-control': 'public, no-cache', etag, vary: 'accept-encoding' });
  const known = (request.headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim());
  if (known.includes(etag)) return reply.code(304).send();
  reply.type('application/json; charset=utf-8');
  const takesGzip = /\bgzip\b(?!;\s*q=0(?:\.0*)?(?:,|$))/.test(
    String(request.headers['accept-encoding'] ?? ''),
  );
  return takesGzip ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(text);
}

export function registerOpenApi(app: FastifyInstance): void {
  for (const [name, describe] of Object.entries(documents)) {
    let described: Described | undefined;
    app.get(`/openapi/${name}.json`, async (request, reply) => {
      described ??= toDescribed(describe());
      return answer(request, reply, described);
    });
  }
}
