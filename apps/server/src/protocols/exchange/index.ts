/**
 * `/fapi`: the wire format of Binance's USD-margined futures, for unmodified clients (docs/exchange-api.md). It translates and
 * decides nothing. Invariants: what the contract's list does not name is answered with Binance's own error in JSON, never
 * with a page; a signed request is judged in this order: key, account, address, scope, clock, signature, parameters.
 */
import { type ExchangeRoute, exchangeRoutes, weightOf } from '@fulcrum/contract/exchange';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Services } from '../../platform/services.ts';
import { createDoorAdmission, DoorLimitReached } from './admission.ts';
import { ExchangeError, exchangeErrorOf, exchangeErrors, faultAnswer } from './errors.ts';
import { createGeneralHandlers } from './general.ts';
import type { AnyHandler, DoorHandlers } from './handlers.ts';
import type { DoorKey, DoorKeys } from './keys.ts';
import { createMarketDataHandlers, type DoorMarket } from './market-data/index.ts';
import { parseParameters, parseQuery, type RawRequest, readRequest } from './request.ts';
import { verifyClock, verifySignature } from './signature.ts';

export type { DoorKey, DoorKeys } from './keys.ts';

const bodyLimit = 64 * 1024;
const urlCharsMax = 16 * 1024;
/** Clients of the whole exchange ask at these doors, too; what is not named there is not offered. */
const otherDoors = ['/futures/data', '/sapi', '/dapi', '/papi', '/eapi', '/api/v3'];

export interface ExchangeDependencies extends Pick<Services, 'clock' | 'log'> {
  readonly keys: DoorKeys;
  readonly market: DoorMarket;
}

/** Registers the door on `app`; resolves when fastify has taken the routes over. */
export async function registerExchange(app: FastifyInstance, deps: ExchangeDependencies): Promise<void> {
  const { keys, clock, log } = deps;
  const handlers: DoorHandlers = {
    ...createGeneralHandlers(clock),
    ...createMarketDataHandlers(deps),
  };
  const admission = createDoorAdmission();

  /** @throws ExchangeError -2014 for a key in another form, -2015 for one that may not be used here */
  async function keyOf(request: FastifyRequest): Promise<DoorKey> {
    const given = request.headers['x-mbx-apikey'];
    if (typeof given !== 'string' || !keys.isWellFormed(given)) throw exchangeErrors.badKeyFormat();
    const key = await keys.find(given);
    if (!key) throw exchangeErrors.rejectedKey();
    if (key.rules !== 'perpetual')
      throw exchangeErrors.rejectedKey(
        'The key is of an account without net positions; make one for a perpetual account.',
      );
    if (!key.allows(request.ip))
      throw exchangeErrors.rejectedKey('The key may not be used from this address.');
    return key;
  }

  function verify(route: ExchangeRoute, key: DoorKey, raw: RawRequest): void {
    if (route.access === 'key') return;
    if (route.access === 'trade' && !key.scopes.has('trade'))
      throw exchangeErrors.rejectedKey('The key may only read.');
    verifyClock(raw.params, clock.now());
    verifySignature(key.secret, raw.query, raw.body);
  }

  const answer =
    (route: ExchangeRoute, handle: AnyHandler, path: string) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      if (request.url.length > urlCharsMax) throw new ExchangeError(414, -1130, 'The request is too large.');
      const cost = { weight: weightOf(route.weight, parseQuery(request.url)) };
      const key =
        route.access === 'public'
          ? null
          : await keyOf(request).catch((error: unknown) => {
              // Refused keys count for their address.
              admission.admit(cost, request.ip, null);
              throw error;
            });
      reply.headers(admission.admit(cost, request.ip, key?.id ?? null));
      const raw = readRequest(request);
      if (key) {
        verify(route, key, raw);
        keys.markUsed(key, request.ip);
        if (route.orders !== undefined) reply.headers(admission.admitOrders(key.id, route.orders));
      }
      const result = await handle({
        params: parseParameters(route, raw.params),
        key,
        sent: raw.params,
        path,
        address: request.ip,
      });
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(result));
    };

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // As text: the signature is of what was sent.
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, body, done) =>
      done(null, body),
    );
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });
    scope.setErrorHandler((error, request, reply) => {
      if (error instanceof DoorLimitReached) {
        reply.header('retry-after', String(error.retryAfterS));
        return reply.code(error.answer.status).send(bodyOf(error.answer));
      }
      let refusal = exchangeErrorOf(error);
      if (!refusal) {
        log.error({ err: error, request_id: request.id, route: request.routeOptions.url }, 'exchange fault');
        refusal = faultAnswer(request.id);
      }
      if (refusal.status === 503) reply.header('retry-after', '1');
      return reply.code(refusal.status).send(bodyOf(refusal));
    });
    for (const route of exchangeRoutes as readonly ExchangeRoute[]) {
      for (const url of route.paths) {
        // Sound: a handler is called with what its own route's schema returned.
        const handle = handlers[route.name as keyof DoorHandlers] as unknown as AnyHandler;
        scope.route({
          method: route.method,
          url,
          bodyLimit,
          exposeHeadRoute: false,
          handler: answer(route, handle, url),
        });
      }
    }
    // A client that loads all of the exchange's markets asks for these lists; they are empty here.
    for (const url of ['/sapi/v1/capital/config/getall', '/sapi/v1/margin/allPairs'])
      scope.get(url, async () => []);
    for (const door of ['/fapi', ...otherDoors]) {
      scope.all(`${door}/*`, ({ method, url }) => {
        throw new ExchangeError(404, -5000, `Path ${url.split('?', 1)[0]}, Method ${method} is invalid`);
      });
    }
  });
}

const bodyOf = ({ code, message }: ExchangeError) => ({ code, msg: message });
