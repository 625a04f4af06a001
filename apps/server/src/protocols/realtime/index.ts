/**
 * `/realtime/v1/websocket`: the Phoenix channel protocol for the unmodified realtime-js. The hub owns each socket. Invariant: a
 * socket opens only with the public key and within the limits of its address (`addressOf`); after a join with a session it
 * counts for that user instead.
 */
import { AppError } from '@fulcrum/contract';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { rateLimitAddress } from '../../platform/rate-limit/address.ts';
import type { Upgrades } from '../sockets/upgrades.ts';
import { registerBroadcastRequests } from './broadcast-requests.ts';
import { versions } from './frames.ts';
import { Hub, type HubOptions, type RealtimeState } from './hub.ts';
import { defaultLimits, type Limits } from './limits.ts';

export { defaultLimits, type Limits, limitsFrom } from './limits.ts';

const path = '/realtime/v1/websocket';
/** Whether the realtime protocol takes an upgrade at this path (`takesUpgradeAt`). */
export const isRealtimePath = (requested: string): boolean => requested === path;

const handshake = z.object({
  apikey: z.string().min(1).max(8_192),
  /** Phoenix takes a missing version for the first one. */
  vsn: z.enum(versions).default('1.0.0'),
});

interface RealtimeDependencies extends Omit<HubOptions, 'limits'> {
  readonly limits?: Partial<Limits>;
  readonly upgrades: Upgrades;
}

export interface Realtime {
  /** Closes every socket; also done when Fastify closes. */
  stop(): Promise<void>;
  state(): RealtimeState;
}

/** Serves realtime on `app` from the moment it listens. */
export function registerRealtime(app: FastifyInstance, deps: RealtimeDependencies): Realtime {
  const limits: Limits = { ...defaultLimits, ...deps.limits };
  const hub = new Hub({ ...deps, limits });
  app.get(path, (request, reply) => {
    if (!deps.upgrades.isUpgrade(request))
      return reply.code(426).header('upgrade', 'websocket').send({ message: 'Use a WebSocket.' });
    const query = handshake.safeParse(request.query);
    if (!query.success) throw new AppError('invalid_argument', 'The handshake needs apikey and vsn.');
    const { apikey, vsn } = query.data;
    deps.identity.callerOf({ apikey });
    const address = rateLimitAddress(request.ip);
    if (hub.state.sockets >= limits.sockets) throw new AppError('busy', 'Too many connections.');
    if (!hub.addresses.attempt(address, deps.clock.now()) || !hub.addresses.open(address)) {
      throw new AppError('too_many_attempts', 'Too many connections. Please try again shortly.');
    }
    return deps.upgrades.accept(request, reply, {
      frameBytes: limits.frameBytes,
      onOpen: ({ webSocket, socket }) => hub.accept(webSocket, socket, { address, apikey, version: vsn }),
      onRefused: () => hub.addresses.close(address),
    });
  });

  // Errors in the app's form. The web app's files have a route for every GET, which would match instead.
  app.get('/realtime/v1/*', ({ method, url }) => {
    throw new AppError('not_found', `${method} ${url.split('?', 1)[0]} is not served here.`);
  });

  registerBroadcastRequests(app, {
    identity: deps.identity,
    limits,
    chatOwner: deps.chatOwner,
    attempt: (caller, address) => hub.attempt(caller, address),
    deliver: (topic, broadcast) => hub.broadcast(topic, broadcast),
  });

  app.addHook('preClose', () => hub.stop());
  return { stop: () => hub.stop(), state: () => hub.state };
}
