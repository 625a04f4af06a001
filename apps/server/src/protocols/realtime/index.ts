/**
 * `/realtime/v1/websocket`: the Phoenix channel protocol as the unmodified realtime-js speaks it. The upgrade goes
 * through Fastify's router, so that the client's address and the refusals are those of every other request; after it
 * the socket is the hub's. Invariant: a socket opens only with the public key, within the limits of its address.
 *
 * Known limitation: addresses are counted whole, IPv6 ones too.
 */
import { type IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { AppError } from '@fulcrum/contract';
import type { FastifyInstance } from 'fastify';
import { WebSocketServer } from 'ws';
import { z } from 'zod';
import { registerBroadcastRequests } from './broadcast-requests.ts';
import { versions } from './frames.ts';
import { Hub, type HubOptions, type RealtimeState } from './hub.ts';
import { defaultLimits, type Limits } from './limits.ts';

export type { RealtimeState } from './hub.ts';
export { defaultLimits, type Limits } from './limits.ts';

const path = '/realtime/v1/websocket';

/**
 * Whether a request may leave HTTP, for Node's `shouldUpgradeCallback`. Anywhere else an `Upgrade` header is passed over, as
 * RFC 9110 §7.8 allows: some clients ask for HTTP/2 with every request, and Node no longer keeps its timeouts, nor reads a
 * body, on a socket that has left.
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
    // Nobody else listens between the upgrade and the handshake, and an unheard error ends the process.
    socket.on('error', () => socket.destroy());
    if (!(socket instanceof Socket)) return socket.destroy();
    if (!takesUpgrade(request)) {
      // Only where Node does not ask beforehand (older than 24.9). A long answer would keep the socket for as long as its
      // client likes, also past a stop.
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
    deps.accounts.callerOf({ apikey });
    const address = request.ip;
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

  // As the app answers errors here. The web app's files have a route for every GET, which would be found instead.
  app.get('/realtime/v1/*', ({ method, url }) => {
    throw new AppError('not_found', `${method} ${url.split('?', 1)[0]} is not served here.`);
  });

  registerBroadcastRequests(app, {
    accounts: deps.accounts,
    limits,
    chatOwner: deps.chatOwner,
    attempt: (address) => hub.addresses.attempt(address, deps.clock.now()),
    deliver: (topic, broadcast) => hub.broadcast(topic, broadcast),
  });

  app.addHook('preClose', () => hub.stop());
  return { stop: () => hub.stop(), state: () => hub.state };
}
