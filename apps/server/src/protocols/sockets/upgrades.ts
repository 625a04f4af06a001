/**
 * The way from HTTP to a WebSocket, for every protocol that has sockets. An upgrade passes fastify's router, so addresses, limits and
 * refusals are handled as for every other request; a handler then takes the socket over.
 */
import { type IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';

export interface UpgradedSocket {
  readonly webSocket: WebSocket;
  /** Below `webSocket`. */
  readonly socket: Socket;
}

export interface Upgrades {
  /** Whether the request came as an upgrade; a plain GET of a socket's path is answered 426. */
  isUpgrade(request: FastifyRequest): boolean;
  /**
   * Answers the upgrade. `onRefused` is called when the handshake fails or the client is gone before it; else `onOpen`. `frameBytes`: the
   * largest message of a client.
   */
  accept(
    request: FastifyRequest,
    reply: FastifyReply,
    handlers: { frameBytes: number; onOpen(opened: UpgradedSocket): void; onRefused(): void },
  ): FastifyReply;
}

/**
 * Whether a request may leave HTTP, for Node's `shouldUpgradeCallback`. Elsewhere the server ignores an `Upgrade` header,
 * as RFC 9110 §7.8 allows: some clients request HTTP/2 with every request, and Node applies no timeouts, and reads no body,
 * on a socket that has left.
 */
export const takesUpgradeAt =
  (isSocketPath: (path: string) => boolean) =>
  ({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): boolean =>
    method === 'GET' && isSocketPath(url.split('?', 1)[0] ?? '');

/** Routes upgrades of `app`; `takesUpgrade` as the server's `shouldUpgradeCallback`. */
export function routeUpgrades(
  app: FastifyInstance,
  takesUpgrade: (request: Pick<IncomingMessage, 'method' | 'url'>) => boolean,
): Upgrades {
  const heads = new WeakMap<IncomingMessage, Buffer>();
  const servers = new Map<number, WebSocketServer>();

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

  function serverOf(frameBytes: number): WebSocketServer {
    const known = servers.get(frameBytes);
    if (known) return known;
    const made = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: frameBytes,
    });
    servers.set(frameBytes, made);
    return made;
  }

  return {
    isUpgrade: ({ raw }) => heads.has(raw),
    accept(request, reply, { frameBytes, onOpen, onRefused }) {
      const head = heads.get(request.raw);
      const { socket } = request.raw;
      if (!head) throw new Error('not an upgrade');
      let isAccepted = false;
      socket.once('close', () => {
        if (!isAccepted) onRefused();
      });
      reply.hijack();
      reply.raw.detachSocket(socket);
      serverOf(frameBytes).handleUpgrade(request.raw, socket, head, (webSocket) => {
        isAccepted = true;
        onOpen({ webSocket, socket });
      });
      return reply;
    },
  };
}
