/**
 * `/mcp`: the account of an API key as tools of the Model Context Protocol (docs/api.md). Invariants: only an API key opens it; a tool is
 * carried out by requests to `/rest/v1` with that key; no state outlives a request, so any process of a cluster answers the next one.
 */
import { AppError, busy, type SignedIn, texts } from '@fulcrum/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import type { ApiKeys } from '../../features/api-keys/index.ts';
import { beforeAbort } from '../../platform/before-abort.ts';
import { defaultLimits } from '../../platform/limits/index.ts';
import { createRateLimiter } from '../../platform/rate-limit/rate-limiter.ts';
import { TooManyAttempts } from '../../platform/rate-limit/too-many-attempts.ts';
import type { Services } from '../../platform/services.ts';
import type { Admission } from '../admission.ts';
import { createArrivals } from '../exchange/orders/arrivals.ts';
import { getDisconnectSignal } from '../http/disconnect.ts';
import { hasOwnOrigin } from '../own-origin.ts';
import { createKeyCallers, keyCredentialOf } from '../rest/key-callers.ts';
import { createRestClient } from './rest-client.ts';

interface McpDependencies extends Pick<Services, 'bus' | 'timers' | 'log' | 'sharedRates'> {
  readonly apiKeys: Pick<ApiKeys, 'find' | 'markUsed'>;
  /** One instance serves all protocols of a server. */
  readonly admission: Pick<Admission, 'admitHolder'>;
  readonly publicUrl: string;
  readonly metrics: Registry;
}

const bodyLimit = 64 * 1024;
/** The longest tool waits two seconds for its order. */
const answeredWithinMs = 30_000;
/** Several messages in one request, which the protocol has given up: one may cancel another, whose answer the SDK then never ends. */
const isBatch = (body: string): boolean => body.trimStart().startsWith('[');
/** What the SDK reads besides these begins with `mcp-`. */
const readHeaders: ReadonlySet<string> = new Set(['accept', 'content-type']);

function headersFor({ headers }: FastifyRequest): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && (readHeaders.has(name) || name.startsWith('mcp-')) ? [[name, value]] : [],
  );
}

/** @returns null for a fault of the server */
function toKnown(error: FastifyError | AppError): AppError | null {
  if (error instanceof AppError) return error;
  if (error.statusCode === 413)
    return new AppError('payload_too_large', `A request has at most ${bodyLimit / 1024} KiB.`);
  const isOfClient = error.statusCode !== undefined && error.statusCode < 500;
  return isOfClient ? new AppError('invalid_argument', 'The request cannot be read.') : null;
}

/** An error without a request, as JSON-RPC has it. */
const bodyOf = (message: string, data: object) => ({
  jsonrpc: '2.0',
  id: null,
  error: { code: -32000, message, data },
});

/** Registers the door on `app`; resolves when fastify has taken the route over. The returned function ends what it began. */
export async function registerMcp(app: FastifyInstance, deps: McpDependencies): Promise<() => void> {
  const { apiKeys, admission, publicUrl, metrics, log } = deps;
  const arrivals = createArrivals(deps.bus, deps.timers);
  const callerOfKey = createKeyCallers(apiKeys);
  const calls = createRateLimiter(defaultLimits.toolCallsOfKey, deps.sharedRates?.rate('toolCallsOfKey'));
  const counter = new Counter({
    name: 'fulcrum_mcp_calls_total',
    help: 'Calls of tools at /mcp, by tool and outcome.',
    labelNames: ['tool', 'outcome'] as const,
    registers: [metrics],
  });

  /** @throws AppError not_signed_in, not_allowed; TooManyAttempts */
  function admit(request: FastifyRequest): Promise<SignedIn> {
    // A page of another origin has no key of ours; one that has it is no program that its owner set up.
    if (request.headers.origin !== undefined && !hasOwnOrigin(request, publicUrl))
      throw new AppError('not_allowed', 'Pages of other origins cannot use this address.');
    const credential = keyCredentialOf(request.headers.authorization);
    return admission.admitHolder(request.ip, async () => {
      if (credential === null) throw new AppError('not_signed_in', texts.apiKeyInvalid);
      return callerOfKey(credential, request.ip);
    });
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { apiKey } = await admit(request);
    if (apiKey === undefined) throw new AppError('not_signed_in', texts.apiKeyInvalid);
    if (request.method !== 'POST') {
      return reply
        .code(405)
        .header('allow', 'POST')
        .send(bodyOf('This address takes POST only.', { code: 'method_not_allowed' }));
    }
    const { handleToolRequest } = await import('./tool-server.ts');
    const { authorization = '' } = request.headers;
    const body = typeof request.body === 'string' ? request.body : '';
    if (isBatch(body)) throw new AppError('invalid_argument', 'Send one message in a request.');
    const signal = AbortSignal.any([getDisconnectSignal(reply), AbortSignal.timeout(answeredWithinMs)]);
    const headers = headersFor(request);
    const visited = new Request(`${publicUrl}/mcp`, { method: 'POST', headers, body, signal });
    const response = await handleToolRequest(visited, {
      scopes: apiKey.scopes,
      rest: createRestClient(app, { authorization, address: request.ip }),
      arrivals,
      charge: () => calls.take(apiKey.id),
      count: (tool, outcome) => counter.inc({ tool, outcome }),
      onFault: (error, about) => log.error({ err: error, ...about }, 'a tool failed'),
    });
    for (const [name, value] of response.headers) reply.header(name, value);
    // A message is answered as a whole, so what the SDK frames as a stream ends by itself, or with the signal.
    return reply
      .code(response.status)
      .header('cache-control', 'no-store')
      .send(await beforeAbort(response.text(), signal, busy));
  }

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, body, done) =>
      done(null, body),
    );
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      const known = toKnown(error);
      if (!known) {
        log.error({ err: error, request_id: request.id }, 'mcp fault');
        return reply.code(500).send(bodyOf(texts.unexpectedError, { code: 'internal' }));
      }
      const { status, code, message, details, hint } = known;
      if (known instanceof TooManyAttempts) reply.header('retry-after', String(known.retryAfterS));
      if (status === 503) reply.header('retry-after', '1');
      if (status === 401) reply.header('www-authenticate', 'Bearer');
      return reply.code(status).send(bodyOf(message, { code, details, hint }));
    });
    scope.route({
      method: ['GET', 'POST', 'DELETE'],
      url: '/mcp',
      bodyLimit,
      exposeHeadRoute: false,
      handler: answer,
    });
  });
  return arrivals.stop;
}
