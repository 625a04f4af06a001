/**
 * Routes for operators, orchestrators and Prometheus: `/health`, whether the process lives and whether it serves, and the
 * figures of `/metrics`. Invariant: figures are for this machine, or for the holder of a token.
 */
import { AppError } from '@fulcrum/contract';
import type { FastifyInstance } from 'fastify';
import { type Health, type HealthPart, isOperator, toPublicHealth } from './health.ts';

interface OperatorDependencies {
  readonly health: () => Promise<Health>;
  /** Whether a proxy should send requests here. */
  readonly readiness: () => Promise<HealthPart>;
  readonly metrics: { readonly contentType: string; readonly metrics: () => Promise<string> };
  /** Called once an answer is sent. */
  readonly responded: (status: number) => void;
  /** Null: figures are for this machine only. */
  readonly healthToken: string | null;
  readonly metricsToken: string | null;
}

/** For operators, so not among the browser's texts. */
const metricsRefused =
  'The figures are for this machine, or for a request with Authorization: Bearer and the METRICS_TOKEN of the server.';

export function registerOperatorRoutes(app: FastifyInstance, deps: OperatorDependencies): void {
  app.addHook('onResponse', (_request, reply, done) => {
    deps.responded(reply.statusCode);
    done();
  });

  app.get('/health', async (request, reply) => {
    const health = await deps.health();
    return reply
      .code(health.status === 'unavailable' ? 503 : 200)
      .header('cache-control', 'no-store')
      .send(isOperator(request, deps.healthToken) ? health : toPublicHealth(health));
  });

  app.get('/health/live', (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'live' }),
  );

  app.get('/health/ready', async (_request, reply) => {
    const { ok, reason } = await deps.readiness();
    return reply
      .code(ok ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: ok ? 'ready' : 'unavailable', reason });
  });

  app.get('/metrics', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (!isOperator(request, deps.metricsToken)) {
      reply.header('www-authenticate', 'Bearer');
      throw new AppError('not_signed_in', metricsRefused);
    }
    return reply.type(deps.metrics.contentType).send(await deps.metrics.metrics());
  });
}
