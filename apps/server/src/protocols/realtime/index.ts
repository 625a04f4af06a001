/**
 * `/realtime/v1/websocket`: the Phoenix channel protocol for the unmodified realtime-js. The upgrade passes Fastify's
 * router, so address and refusals are handled as for every other request; after it the hub owns the socket. Invariant: a
 * socket opens only with the public key and within the limits of its address (`addressOf`); after a join with a session it
 * counts for that user instead.
 */
import { type IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { AppError } from '@fulcrum/contract';
import type { FastifyInstance } from 'fastify';
import { WebSocketServer } from 'ws';
import { z } from 'zod';
import { rateLimitAddress } from '../../platform/rate-limit/address.ts';
import { registerBroadcastRequests } from './broadcast-requests.ts';
import { versions } from './frames.ts';
import { Hub, type HubOptions, type RealtimeState } from './hub.ts';
import { defaultLimits, type Limits } from './limits.ts';

export type { RealtimeState } from './hub.ts';
export { defaultLimits, type Limits, limitsFrom } from './limits.ts';

const path = '/realtime/v1/websocket';

/**
 * Whether a request may leave HTTP, for Node's `shouldUpgradeCallback`. Elsewhere the server ignores an `Upgrade` header,
 * as RFC 9110 §7.8 allows: some clients request HTTP/2 with every request, and Node applies no timeouts, and reads no body,
 * on a socket that has left.
 */
export const takesUpgrade = ({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): boolean =>
  method === 'GET' && url.split('?', 1)[0] === path;

const handshake = z.object({
  apikey: z.string().min(1).max(8_192),
  /** Phoenix takes a missing version for the first one. */
  vsn: z.enum(versions).default('1.0.0'),
});

export interface RealtimeDependencies extends Omit<HubOptions, 'limits'> {
  readonly limits?: Partial<Limits>;
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
  const webSockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.frameBytes,
  });
  const heads = new WeakMap<IncomingMessage, Buffer>();

  app.server.on('upgrade', (request, socket, head) => {
    // No other listener exists between the upgrade and the handshake, and an unhandled error ends the process.
    socket.on('error', () => socket.destroy());
    if (!(socket instanceof Socket)) return socket.destroy();
    if (!takesUpgrade(request)) {
      // Only where Node does not call back beforehand (older than 24.9). A long response would let the client hold the
      // socket, even past a stop.
      socket.write('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
      socket.destroySoon();
      return;
    }
    heads.set(request, head);
    const response = new ServerResponse(request);
    response.assignSocket(socket);
    response.shouldKeepAlive = false;
    response.once('finish', () => socket.destroySoon());
    app.routing(request, response);
  });

  app.get(path, (request, reply) => {
    const head = heads.get(request.raw);
    const { socket } = request.raw;
    if (!head) return reply.code(426).header('upgrade', 'websocket').send({ message: 'Use a WebSocket.' });
    const query = handshake.safeParse(request.query);
    if (!query.success) throw new AppError('invalid_argument', 'The handshake needs apikey and vsn.');
    const { apikey, vsn } = query.data;
    deps.identity.callerOf({ apikey });
    const address = rateLimitAddress(request.ip);
    if (hub.state.sockets >= limits.sockets) throw new AppError('busy', 'Too many connections.');
    if (!hub.addresses.attempt(address, deps.clock.now()) || !hub.addresses.open(address)) {
      throw new AppError('too_many_attempts', 'Too many connections. Please try again shortly.');
    }
    let isAccepted = false;
    socket.once('close', () => {
      if (!isAccepted) hub.addresses.close(address);
    });
    reply.hijack();
    reply.raw.detachSocket(socket);
    webSockets.handleUpgrade(request.raw, socket, head, (webSocket) => {
      isAccepted = true;
      hub.accept(webSocket, socket, { address, apikey, version: vsn });
    });
    return reply;
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
