/**
 * `/fapi`: the wire format of Binance's USD-margined futures, for unmodified clients (docs/exchange-api.md). It translates and
 * decides nothing. Invariants: what the contract's list does not name is answered with Binance's own error in JSON, never
 * with a page.
 */
import { type ExchangeRoute, exchangeRoutes } from '@fulcrum/contract/exchange';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { newRequestId } from '../../platform/request/index.ts';
import type { Services } from '../../platform/services.ts';
import { createDoorAdmission, DoorLimitReached } from './admission.ts';
import { createDoor } from './door.ts';
import { ExchangeError, exchangeErrorOf, faultAnswer } from './errors.ts';
import type { DoorHandlers } from './handlers.ts';
import type { DoorKeys } from './keys.ts';
import { createMarketDataHandlers, type DoorMarket } from './market-data/index.ts';
import type { TradingServices } from './orders/dependencies.ts';
import { readRequest } from './request.ts';
import { verifyClock, verifySignature } from './signature.ts';
import { createStreams, type StreamsDependencies, type StreamsState } from './streams/index.ts';
import { createSymbols } from './symbols.ts';
import { createTradingHandlers } from './trading.ts';

export { isStreamPath } from './streams/paths.ts';

const bodyLimit = 64 * 1024;
const urlCharsMax = 16 * 1024;
/** Clients of the whole exchange ask at these doors, too; what is not named there is not offered. */
const otherDoors = ['/futures/data', '/sapi', '/dapi', '/papi', '/eapi', '/api/v3'];

interface ExchangeDependencies
  extends TradingServices,
    Pick<Services, 'sharedRates'>,
    Omit<StreamsDependencies, 'read' | 'symbols' | 'lookUp'> {
  readonly keys: DoorKeys;
  readonly market: DoorMarket & TradingServices['market'] & StreamsDependencies['market'];
}

/**
 * Registers the door on `app`; resolves when fastify has taken the routes over. `start` begins what works by itself, `stop` ends that.
 */
export async function registerExchange(
  app: FastifyInstance,
  deps: ExchangeDependencies,
): Promise<{ start(): void; stop(): Promise<void>; streams(): StreamsState }> {
  const { keys, clock, log } = deps;
  const symbols = createSymbols(deps.market);
  const account = createTradingHandlers({ ...deps, symbols });
  const admission = createDoorAdmission(undefined, deps.sharedRates);
  const marketData = createMarketDataHandlers({ ...deps, symbols });
  const streams = createStreams({ ...deps, ...admission, symbols, read: () => marketData });
  const handlers: DoorHandlers = {
    ping: () => ({}),
    serverTime: () => ({ serverTime: clock.now() }),
    ...marketData,
    ...account.handlers,
    ...streams.handlers,
    async depth(call) {
      const depth = await marketData.depth(call);
      streams.noteSnapshot(call.params.symbol, depth);
      return depth;
    },
  };
  const door = createDoor({ keys, handlers, admission });

  function errorOf(error: unknown, about: object): ExchangeError {
    const known = exchangeErrorOf(error);
    if (known) return known;
    const requestId = newRequestId();
    log.error({ err: error, request_id: requestId, ...about }, 'exchange fault');
    return faultAnswer(requestId);
  }

  const answer =
    (route: ExchangeRoute, path: string) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      if (request.url.length > urlCharsMax) throw new ExchangeError(414, -1130, 'The request is too large.');
      const apiKey = request.headers['x-mbx-apikey'];
      const raw = readRequest(request);
      const result = await door({
        ...{ route, path, sent: raw.params, address: request.ip },
        apiKey: typeof apiKey === 'string' ? apiKey : undefined,
        verify: ({ secret }) => {
          verifyClock(raw.params, clock.now());
          verifySignature(secret, raw.query, raw.body);
        },
        onHeaders: (headers) => reply.headers(headers),
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
        return reply.code(error.status).send(bodyOf(error));
      }
      const refusal = errorOf(error, { route: request.routeOptions.url });
      if (refusal.status === 503) reply.header('retry-after', '1');
      return reply.code(refusal.status).send(bodyOf(refusal));
    });
    for (const route of exchangeRoutes as readonly ExchangeRoute[]) {
      for (const url of route.paths) {
        const handler = answer(route, url);
        scope.route({ method: route.method, url, bodyLimit, exposeHeadRoute: false, handler });
      }
    }
    streams.register(scope, { door, errorOf: (error) => errorOf(error, { route: '/ws-fapi/v1' }) });
    // A client that loads all of the exchange's markets asks for these lists; they are empty here.
    for (const url of ['/sapi/v1/capital/config/getall', '/sapi/v1/margin/allPairs'])
      scope.get(url, async () => []);
    for (const door of ['/fapi', ...otherDoors]) {
      scope.all(`${door}/*`, ({ method, url }) => {
        throw new ExchangeError(404, -5000, `Path ${url.split('?', 1)[0]}, Method ${method} is invalid`);
      });
    }
  });
  return {
    start: account.start,
    stop: async () => {
      await streams.stop();
      await account.stop();
    },
    streams: streams.state,
  };
}

const bodyOf = ({ code, message }: ExchangeError) => ({ code, msg: message });
