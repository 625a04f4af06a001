/**
 * Each answer names its request (`x-request-id`), and all work for it runs within that request. Invariant: the name is this
 * server's own, whatever the client sends.
 */
import type { FastifyInstance } from 'fastify';
import { withinRequest } from '../../platform/request/index.ts';

/** To be called before any route is declared. */
export function identifyRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    withinRequest(request.id, done);
  });
  // A body arrives in events of its connection, which is older than the request.
  app.addHook('preValidation', (request, _reply, done) => withinRequest(request.id, done));
}
