/**
 * Adds `x-request-id` to each response and runs all work of a request in its context. Invariant: the id is the server's
 * own, whatever the client sends.
 */
import type { FastifyInstance } from 'fastify';
import { withinRequest } from '../../platform/request/index.ts';

/** Registered before any route. */
export function identifyRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    withinRequest(request.id, done);
  });
  // A body arrives in events of its connection, which is older than the request.
  app.addHook('preValidation', (request, _reply, done) => withinRequest(request.id, done));
}
