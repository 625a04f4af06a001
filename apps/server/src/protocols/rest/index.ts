/**
 * `/rest/v1`: the part of PostgREST's protocol that supabase-js speaks, over the contract's tables and procedures.
 * Invariant: default deny. What the contract does not declare for the caller's role does not exist or is refused, and
 * every answer, errors too, is JSON in PostgREST's shape and is not stored by any cache.
 */
import { AppError, type Caller, type SignedIn, type Table, tableByName } from '@fulcrum/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKeys } from '../../features/api-keys/index.ts';
import { createReadLimiter, type Reader } from '../../platform/database/index.ts';
import type { FairQueue } from '../../platform/fair-queue.ts';
import { TooManyAttempts } from '../../platform/rate-limit/too-many-attempts.ts';
import type { Services } from '../../platform/services.ts';
import type { Admission } from '../admission.ts';
import { requireCommands, type Writes } from './command-writes.ts';
import { answerTo, fault, RestError } from './errors.ts';
import { createKeyCallers, keyCredentialOf } from './key-callers.ts';
import { limits } from './limits.ts';
import { requireBoundedUrl } from './request.ts';
import { type Procedures, procedureHandler } from './rpc.ts';
import { type CreateMissingRows, type RefreshBeforeSelect, tableHandler } from './tables.ts';

export type { CommandAnswer } from './command-answers.ts';
export type { Writes } from './command-writes.ts';
export type { Procedures } from './rpc.ts';

interface RestDependencies extends Pick<Services, 'db' | 'bus' | 'clock' | 'log'> {
  readonly identity: {
    /** Anonymous without a token; throws `not_signed_in` for a bad one and for a key that is not this server's. */
    callerOf(credentials: { authorization?: string; apikey?: string }): Caller;
  };
  /** Callers with an API key. */
  readonly apiKeys: Pick<ApiKeys, 'find' | 'markUsed'>;
  readonly procedures: Procedures;
  /** The commands behind the contract's writes `by: 'command'`. */
  readonly writes: Writes;
  readonly beforeSelect?: CreateMissingRows;
  readonly upToDate?: RefreshBeforeSelect;
  /** For rows that may come from a replica; by default the database itself. */
  readonly reader?: Reader;
  /** Limits concurrent statements whose cost the caller decides; one instance serves the whole server. */
  readonly withReadSlot?: FairQueue;
  /** One instance serves all protocols of a server. */
  readonly admission: Admission;
  /** By default those of the contract. */
  readonly tables?: ReadonlyMap<string, Table>;
}

type Handle = (caller: Caller, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** A refused credential, with the code that makes supabase-js users sign in again. */
function credentialError(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'not_signed_in') return error;
  return new RestError(401, 'PGRST301', error.message, { hint: error.hint });
}

/** Registers `/rest/v1` on `app`; resolves when fastify has taken the routes over. */
export async function registerRest(app: FastifyInstance, deps: RestDependencies): Promise<void> {
  const { identity, admission, log, tables = tableByName, withReadSlot = createReadLimiter() } = deps;
  requireCommands(tables.values(), deps.writes);

  const callerOfKey = createKeyCallers(deps.apiKeys);

  function callerOf({ headers }: FastifyRequest): Caller {
    const { authorization, apikey } = headers;
    if (typeof apikey !== 'string') throw new RestError(401, 'PGRST302', 'No API key found in request');
    try {
      return identity.callerOf({ ...(authorization === undefined ? {} : { authorization }), apikey });
    } catch (error) {
      throw credentialError(error);
    }
  }

  /** An API key needs no `apikey` header; supabase-js sends this server's own, and no other one is accepted. */
  async function holderOf({ headers, ip }: FastifyRequest, credential: string): Promise<SignedIn> {
    try {
      if (typeof headers.apikey === 'string') identity.callerOf({ apikey: headers.apikey });
      return await callerOfKey(credential, ip);
    } catch (error) {
      throw credentialError(error);
    }
  }

  const asCaller = (handle: Handle) => async (request: FastifyRequest, reply: FastifyReply) => {
    requireBoundedUrl(request);
    const credential = keyCredentialOf(request.headers.authorization);
    const caller =
      credential === null
        ? admission.admit(request.ip, () => callerOf(request))
        : await admission.admitHolder(request.ip, () => holderOf(request, credential));
    return handle(caller, request, reply);
  };

  await app.register(
    async (scope) => {
      scope.addHook('onRequest', async (_request, reply) => {
        reply.header('cache-control', 'no-store');
      });
      scope.setErrorHandler((error: FastifyError, request, reply) => {
        let answer = answerTo(error);
        if (!answer) {
          log.error(
            { err: error, request_id: request.id, method: request.method, route: request.routeOptions.url },
            'rest fault',
          );
          answer = fault(request.id);
        }
        if (answer.status === 503) reply.header('retry-after', '1');
        if (error instanceof TooManyAttempts) reply.header('retry-after', String(error.retryAfterS));
        return reply.code(answer.status).type('application/json; charset=utf-8').send(answer.body());
      });
      const refuse = () => {
        throw new RestError(404, 'PGRST125', 'Invalid path specified in request URL');
      };
      scope.setNotFoundHandler(refuse);
      // The web app's files have a route for every GET, which would be found before our handler.
      scope.get('/*', refuse);

      // supabase-js names the content type of a DELETE too, which has no body.
      const parseJson = scope.getDefaultJsonParser('error', 'error');
      scope.removeContentTypeParser('application/json');
      scope.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) =>
        body === '' ? done(null, undefined) : parseJson(request, body, done),
      );

      const bodyLimit = limits.bodyBytes;
      scope.route({
        method: ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'],
        url: '/:table',
        bodyLimit,
        exposeHeadRoute: false,
        handler: asCaller(
          tableHandler({
            db: deps.db,
            reader: deps.reader ?? deps.db,
            withReadSlot,
            tables,
            writes: deps.writes,
            // The request itself has paid for one command.
            charge: ({ actorId }, commands) => admission.charge(actorId, commands - 1),
            createMissingRows: deps.beforeSelect ?? {},
            refreshBeforeSelect: deps.upToDate ?? {},
            announce: (changes) => deps.bus.publish('account.changed', { changes }),
            now: () => deps.clock.now(),
          }),
        ),
      });
      scope.route({
        method: ['GET', 'HEAD', 'POST'],
        url: '/rpc/:procedure',
        bodyLimit,
        exposeHeadRoute: false,
        handler: asCaller(procedureHandler(deps.procedures)),
      });
    },
    { prefix: '/rest/v1' },
  );
}
